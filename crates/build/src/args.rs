//! A gcc/clang command line, understood just far enough: what are inputs, what is for the compiler, what
//! for the linker, what stands in our way.
//!
//! Order is kept where order means something (inputs, libraries, linker options). Everything the parser
//! does not know is given to the compiler unchanged: the compiler is the one to complain.

use crate::{BuildError, optimiser};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A driver, or the language of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    C,
    Cxx,
}

impl Language {
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "c++",
        }
    }

    /// The language of a source file, by its extension.
    pub fn of_file(path: &Path) -> Option<Language> {
        match kind_of_extension(path) {
            Kind::Source(language) => Some(language),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// To be instrumented.
    Source(Language),
    /// A header to precompile: with the flags of a source (clang compares them), but no bitcode.
    Header,
    /// Something else that clang compiles (assembly, LLVM IR, …): not instrumented.
    Foreign,
    /// An object, archive, library or linker script.
    Linker,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub path: OsString,
    pub kind: Kind,
    /// The `-x` in force.
    pub x: Option<OsString>,
}

/// One thing the linker sees, in the order of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkItem {
    /// `Args::inputs[_]`: the file itself or the object made of it.
    Input(usize),
    /// An option for the driver when it links.
    Driver(OsString),
    /// A word for the linker itself (out of `-Wl,…`, `-Xlinker …`, `-z …`).
    Word(OsString),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Compile,
    Link,
    /// No code comes out (`-E`, `-M`, `-fsyntax-only`, …) or none that we could run (`-S`, `-emit-llvm`):
    /// clang does it, with the same definitions that an instrumented compilation sees.
    Front,
    /// A question to the compiler, or a call that it is to refuse in its own words: unchanged.
    Ask,
}

/// Dependency files (`-MD`, `-MMD`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Depend {
    pub wanted: bool,
    pub file: bool,
    pub target: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Args {
    /// After response files were expanded.
    pub raw: Vec<OsString>,
    pub mode: Mode,
    pub inputs: Vec<Input>,
    pub output: Option<PathBuf>,
    /// For source to bitcode.
    pub compile: Vec<OsString>,
    /// For bitcode to object: what bears on code generation.
    pub codegen: Vec<OsString>,
    /// For the assembler, wherever it has a part.
    pub assemble: Vec<OsString>,
    pub link: Vec<LinkItem>,
    pub depend: Depend,
    pub shared: bool,
    pub relocatable: bool,
    /// The option that asked for a static program.
    pub static_by: Option<OsString>,
    /// The option that asked for code that is not 64-bit.
    pub narrow_by: Option<OsString>,
    /// The option that asked for another sanitizer than the one whose hooks we use.
    pub sanitized_by: Option<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    Drop,
    Compile,
    /// Both steps of a compilation.
    Codegen,
    Assemble,
    Link,
    /// Both steps and the link.
    Everywhere,
}

/// Options whose argument is always the next word.
const SEPARATE: &[&str] = &[
    "--config",
    "--define-macro",
    "--for-linker",
    "--imacros",
    "--include",
    "--include-directory",
    "--include-directory-after",
    "--language",
    "--output",
    "--param",
    "--serialize-diagnostics",
    "--sysroot",
    "--undefine-macro",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-cxx-isystem",
    "-dependency-file",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-framework",
    "-imultiarch",
    "-imultilib",
    "-include-pch",
    "-install_name",
    "-ivfsoverlay",
    "-mllvm",
    "-resource-dir",
    "-rpath",
    "-serialize-diagnostics",
    "-soname",
    "-stdlib++-isystem",
    "-target",
    "-wrapper",
];

/// Options whose argument is the rest of the word or, when that is empty, the next word.
const JOINED_OR_SEPARATE: &[&str] = &[
    "-idirafter",
    "-iframework",
    "-imacros",
    "-include",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem-after",
    "-isystem",
    "-iwithprefixbefore",
    "-iwithprefix",
    "-iwithsysroot",
    "-working-directory",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-T",
    "-U",
    "-e",
    "-l",
    "-o",
    "-u",
    "-x",
    "-z",
];

/// Words that only look like one of `JOINED_OR_SEPARATE`.
fn is_whole_word(word: &str) -> bool {
    matches!(word, "-export-dynamic" | "-undef" | "-emit-llvm" | "-emit-ast")
        || word.starts_with("-Ttext")
        || word.starts_with("-Tdata")
        || word.starts_with("-Tbss")
}

pub(crate) fn parse(words: &[OsString]) -> Result<Args, BuildError> {
    let mut raw = Vec::new();
    expand(words, 0, &mut raw)?;
    let mut args = Args {
        raw: Vec::new(),
        mode: Mode::Link,
        inputs: Vec::new(),
        output: None,
        compile: Vec::new(),
        codegen: Vec::new(),
        assemble: Vec::new(),
        link: Vec::new(),
        depend: Depend::default(),
        shared: false,
        relocatable: false,
        static_by: None,
        narrow_by: None,
        sanitized_by: None,
    };
    let mut reader =
        Reader { args: &mut args, x: None, ask: false, front: false, only_compile: false };
    let complete = reader.read_all(&raw);
    let Reader { ask, front, only_compile, .. } = reader;
    let made = args.inputs.iter().filter(|i| i.kind != Kind::Linker).count();
    args.mode = if ask || !complete || args.inputs.is_empty() && !args.link_has_libraries() {
        Mode::Ask
    } else if front {
        Mode::Front
    } else if only_compile && (made == 0 || made > 1 && args.output.is_some()) {
        // Nothing to compile, or several units with one `-o`: clang's own words are the right ones.
        Mode::Ask
    } else if only_compile {
        Mode::Compile
    } else {
        Mode::Link
    };
    args.raw = raw;
    Ok(args)
}

impl Args {
    /// `cc -lfoo -o x` is a link (that fails in the linker's words) and not a question.
    fn link_has_libraries(&self) -> bool {
        self.link
            .iter()
            .any(|i| matches!(i, LinkItem::Driver(o) if o.as_bytes().starts_with(b"-l")))
    }
}

struct Reader<'a> {
    args: &'a mut Args,
    x: Option<OsString>,
    ask: bool,
    front: bool,
    only_compile: bool,
}

impl Reader<'_> {
    /// False when the last option lacks its argument.
    fn read_all(&mut self, words: &[OsString]) -> bool {
        let mut at = 0;
        while at < words.len() {
            let word = &words[at];
            at += 1;
            let text = word.to_string_lossy();
            if text == "--" {
                words[at..].iter().for_each(|w| self.input(w));
                return true;
            }
            if text == "-" || !text.starts_with('-') {
                self.input(word);
                continue;
            }
            if SEPARATE.contains(&&*text) {
                let Some(value) = words.get(at) else { return false };
                at += 1;
                self.valued(&text, value, &[word.clone(), value.clone()]);
                continue;
            }
            let joined =
                JOINED_OR_SEPARATE.iter().find(|o| text.starts_with(**o) && !is_whole_word(&text));
            if let Some(option) = joined {
                if text.len() > option.len() {
                    let value = OsStr::from_bytes(&word.as_bytes()[option.len()..]);
                    self.valued(option, value, std::slice::from_ref(word));
                } else {
                    let Some(value) = words.get(at) else { return false };
                    at += 1;
                    self.valued(option, value, &[word.clone(), value.clone()]);
                }
                continue;
            }
            self.flag(&text, word);
        }
        true
    }

    fn input(&mut self, path: &OsStr) {
        let kind = match &self.x {
            Some(x) => kind_of_language(&x.to_string_lossy()),
            // Standard input without `-x` is for clang to refuse (or, with -E, to take as C).
            None if path == "-" => Kind::Foreign,
            None => kind_of_extension(Path::new(path)),
        };
        self.args.link.push(LinkItem::Input(self.args.inputs.len()));
        self.args.inputs.push(Input { path: path.to_owned(), kind, x: self.x.clone() });
    }

    /// An option with its argument; `spelled` is how it was written.
    fn valued(&mut self, option: &str, value: &OsStr, spelled: &[OsString]) {
        match option {
            "-o" | "--output" => self.args.output = Some(PathBuf::from(value)),
            "-x" | "--language" => self.x = (value != "none").then(|| value.to_owned()),
            "-Xlinker" | "--for-linker" => self.word(value),
            "-z" => {
                self.word(OsStr::new("-z"));
                self.word(value);
            }
            "-MF" => {
                self.args.depend.file = true;
                self.put(Scope::Compile, spelled);
            }
            "-MT" | "-MQ" => {
                self.args.depend.target = true;
                self.put(Scope::Compile, spelled);
            }
            "-D" | "-U" if is_fortify(value) => {}
            "-L" | "-T" | "-e" | "-l" | "-u" | "-framework" | "-install_name" | "-rpath"
            | "-soname" | "-F" => {
                self.put(Scope::Link, spelled);
            }
            "-mllvm" => self.put(Scope::Codegen, spelled),
            "-Xassembler" => self.put(Scope::Assemble, spelled),
            // Tunes gcc's optimiser, and nothing is optimised here.
            "--param" => {}
            "--config" | "--sysroot" | "-B" | "-G" | "-arch" | "-isysroot" | "-resource-dir"
            | "-target" | "-working-directory" => self.put(Scope::Everywhere, spelled),
            // They name by-products after the output, and ours is elsewhere.
            "-dumpbase" | "-dumpbase-ext" | "-dumpdir" | "-wrapper" | "-aux-info" => {}
            _ => self.put(Scope::Compile, spelled),
        }
    }

    fn flag(&mut self, text: &str, word: &OsStr) {
        if let Some(list) = word.as_bytes().strip_prefix(b"-Wl,") {
            list.split(|b| *b == b',').for_each(|w| self.word(OsStr::from_bytes(w)));
            return;
        }
        if let Some(list) = text.strip_prefix("-Wp,") {
            return self.preprocessor(list);
        }
        if let Some((option, value)) = text.split_once('=') {
            match option {
                "--output" | "--language" => {
                    return self.valued(option, OsStr::new(value), &[word.to_owned()]);
                }
                _ => {}
            }
        }
        match text {
            "-c" | "--compile" => self.only_compile = true,
            "-E"
            | "--preprocess"
            | "-S"
            | "--assemble"
            | "-M"
            | "-MM"
            | "--dependencies"
            | "--user-dependencies"
            | "-fsyntax-only"
            | "-emit-llvm"
            | "-emit-ast"
            | "--analyze"
            | "--precompile"
            | "-module-file-info" => {
                self.front = true;
            }
            "--version" | "--help" | "-help" | "--help-hidden" | "-###" | "--target-help"
            | "-V" | "-qversion" => {
                self.ask = true;
            }
            "-shared" | "--shared" => {
                self.args.shared = true;
                self.put(Scope::Link, &[word.to_owned()]);
            }
            "-static" | "--static" | "-static-pie" => {
                self.args.static_by.get_or_insert_with(|| word.to_owned());
                self.put(Scope::Link, &[word.to_owned()]);
            }
            "-r" => {
                self.args.relocatable = true;
                self.put(Scope::Link, &[word.to_owned()]);
            }
            _ if text.starts_with("-fsanitize=") => {
                if text != "-fsanitize=thread" {
                    self.args.sanitized_by.get_or_insert_with(|| word.to_owned());
                }
            }
            "-m32" | "-mx32" | "-m16" => {
                self.args.narrow_by.get_or_insert_with(|| word.to_owned());
                self.put(Scope::Everywhere, &[word.to_owned()]);
            }
            "-MD" | "-MMD" | "--write-dependencies" | "--write-user-dependencies" => {
                self.args.depend.wanted = true;
                self.put(Scope::Compile, &[word.to_owned()]);
            }
            _ if text.starts_with("-dump")
                || text.starts_with("-print-")
                || text.starts_with("--print-") =>
            {
                self.ask = true;
            }
            _ => self.put(scope(text), &[word.to_owned()]),
        }
    }

    /// `-Wp,…`: what names files or would be lost is brought into the driver's form.
    fn preprocessor(&mut self, list: &str) {
        let words: Vec<&str> = list.split(',').collect();
        let mut at = 0;
        while at < words.len() {
            let next = words.get(at + 1).map(|w| OsString::from(*w));
            match (words[at], next) {
                (option @ ("-MD" | "-MMD"), Some(file)) => {
                    self.args.depend = Depend { wanted: true, file: true, ..self.args.depend };
                    self.put(Scope::Compile, &[option.into(), "-MF".into(), file]);
                    at += 2;
                }
                (option @ ("-MT" | "-MQ" | "-MF"), Some(value)) => {
                    self.valued(option, &value.clone(), &[option.into(), value]);
                    at += 2;
                }
                (other, _) => {
                    let macro_name = other.strip_prefix("-D").or_else(|| other.strip_prefix("-U"));
                    if !macro_name.is_some_and(|m| is_fortify(OsStr::new(m))) {
                        self.put(Scope::Compile, &[format!("-Wp,{other}").into()]);
                    }
                    at += 1;
                }
            }
        }
    }

    fn word(&mut self, word: &OsStr) {
        match word.to_str() {
            Some("-r" | "-i" | "--relocatable") => self.args.relocatable = true,
            Some("-shared" | "--shared" | "-Bshareable") => self.args.shared = true,
            _ => {}
        }
        self.args.link.push(LinkItem::Word(word.to_owned()));
    }

    fn put(&mut self, scope: Scope, words: &[OsString]) {
        if matches!(scope, Scope::Compile | Scope::Codegen | Scope::Everywhere) {
            self.args.compile.extend_from_slice(words);
        }
        if matches!(scope, Scope::Codegen | Scope::Everywhere) {
            self.args.codegen.extend_from_slice(words);
        }
        if scope == Scope::Assemble {
            self.args.assemble.extend_from_slice(words);
        }
        if matches!(scope, Scope::Link | Scope::Everywhere) {
            self.args.link.extend(words.iter().cloned().map(LinkItem::Driver));
        }
    }
}

/// Whom a flag without a separate argument is for.
fn scope(flag: &str) -> Scope {
    if optimiser::is_gcc_only(flag) {
        return Scope::Drop;
    }
    const PREFIXES: &[(&str, Scope)] = &[
        // Other instrumentation, other optimisation, other forms of output than the ones that we need.
        ("-fsanitize", Scope::Drop),
        ("-fno-sanitize", Scope::Drop),
        ("-flto", Scope::Drop),
        ("-fno-lto", Scope::Drop),
        ("-ffat-lto-objects", Scope::Drop),
        ("-fno-fat-lto-objects", Scope::Drop),
        ("-fthinlto", Scope::Drop),
        ("-fwhole-program", Scope::Drop),
        ("-fsplit-lto-unit", Scope::Drop),
        ("-fvirtual-function-elimination", Scope::Drop),
        ("-fembed-bitcode", Scope::Drop),
        ("-save-temps", Scope::Drop),
        ("--save-temps", Scope::Drop),
        // Counters that every thread bumps are shared memory of nobody's making.
        ("--coverage", Scope::Drop),
        ("-coverage", Scope::Drop),
        ("-ftest-coverage", Scope::Drop),
        ("-fprofile", Scope::Drop),
        ("-fno-profile", Scope::Drop),
        ("-fcs-profile", Scope::Drop),
        ("-fauto-profile", Scope::Drop),
        ("-fcoverage", Scope::Drop),
        ("-O", Scope::Drop),
        ("--param=", Scope::Drop),
        ("--optimize", Scope::Drop),
        // Debug information is to be whole, in the program, and not packed.
        ("-gsplit-dwarf", Scope::Drop),
        ("-gno-split-dwarf", Scope::Drop),
        ("-gline-", Scope::Drop),
        ("-gz", Scope::Drop),
        ("-Wa,", Scope::Assemble),
        ("-fuse-ld", Scope::Link),
        ("--ld-path", Scope::Link),
        ("-static-lib", Scope::Link),
        ("-shared-lib", Scope::Link),
        ("-Ttext", Scope::Link),
        ("-Tdata", Scope::Link),
        ("-Tbss", Scope::Link),
        ("-fplugin", Scope::Compile),
        ("-fpass-plugin", Scope::Compile),
        ("-fmodule", Scope::Compile),
        ("-fprebuilt-module", Scope::Compile),
        ("-ftime-", Scope::Compile),
        ("-fsave-optimization-record", Scope::Drop),
        ("-f", Scope::Everywhere),
        ("-m", Scope::Everywhere),
        ("--target", Scope::Everywhere),
        ("--gcc-", Scope::Everywhere),
        ("--sysroot", Scope::Everywhere),
        ("--config", Scope::Everywhere),
        ("--no-default-config", Scope::Everywhere),
        ("-resource-dir", Scope::Everywhere),
        ("-stdlib", Scope::Everywhere),
        ("--stdlib", Scope::Everywhere),
        ("-rtlib", Scope::Link),
        ("--rtlib", Scope::Link),
        ("-unwindlib", Scope::Link),
        ("--unwindlib", Scope::Link),
    ];
    match flag {
        "-s" | "-g0" | "-g1" | "-ggdb0" | "-ggdb1" | "-gmlt" | "-p" | "-pg" => return Scope::Drop,
        "-pthread" | "-pthreads" | "-v" => return Scope::Everywhere,
        "-pie" | "-no-pie" | "-nopie" | "-rdynamic" | "-nostdlib" | "-nodefaultlibs"
        | "-nostartfiles" | "-nolibc" | "-nostdlib++" | "-symbolic" | "-export-dynamic" | "-n"
        | "-N" | "-t" => return Scope::Link,
        _ => {}
    }
    PREFIXES
        .iter()
        .find(|(prefix, _)| flag.starts_with(prefix))
        .map_or(Scope::Compile, |(_, scope)| *scope)
}

/// Fortified calls bypass the hooks, and without optimisation the C library warns about the macro.
fn is_fortify(definition: &OsStr) -> bool {
    definition.as_bytes().starts_with(b"_FORTIFY_SOURCE")
}

fn kind_of_extension(path: &Path) -> Kind {
    match path.extension().and_then(OsStr::to_str) {
        Some("c" | "i") => Kind::Source(Language::C),
        Some("cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "CC" | "ii") => {
            Kind::Source(Language::Cxx)
        }
        Some("h" | "hh" | "H" | "hp" | "hxx" | "hpp" | "HPP" | "h++" | "tcc") => Kind::Header,
        Some(
            "s" | "S" | "sx" | "asm" | "ll" | "bc" | "m" | "mm" | "M" | "mi" | "mii" | "cppm"
            | "ixx" | "cu",
        ) => Kind::Foreign,
        _ => Kind::Linker,
    }
}

fn kind_of_language(name: &str) -> Kind {
    match name {
        "c" | "cpp-output" | "c-cpp-output" => Kind::Source(Language::C),
        "c++" | "c++-cpp-output" => Kind::Source(Language::Cxx),
        _ if name.ends_with("header") || name.ends_with("header-cpp-output") => Kind::Header,
        _ => Kind::Foreign,
    }
}

/// Response files nest; a file that cannot be opened is, as everywhere, an ordinary word.
fn expand(words: &[OsString], depth: usize, out: &mut Vec<OsString>) -> Result<(), BuildError> {
    for word in words {
        let Some(name) = word.as_bytes().strip_prefix(b"@") else {
            out.push(word.clone());
            continue;
        };
        let path = PathBuf::from(OsStr::from_bytes(name));
        match std::fs::read(&path) {
            Ok(_) if depth >= 40 => return Err(BuildError::ResponseFileTooDeep { path }),
            Ok(text) => expand(&split_words(&text), depth + 1, out)?,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => out.push(word.clone()),
            Err(source) => return Err(BuildError::Read { path, source }),
        }
    }
    Ok(())
}

/// The quoting of response files: white space parts words, `'…'` and `"…"` hold them together, a
/// backslash takes the next character as it is.
fn split_words(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(b) = bytes.next() {
        match (b, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(q)) if b == q => quote = None,
            (b'\'' | b'"', None) => {
                quote = Some(b);
                word.get_or_insert_default();
            }
            (_, None) if b.is_ascii_whitespace() => {
                words.extend(word.take().map(OsString::from_vec))
            }
            _ => word.get_or_insert_default().push(b),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// The other way round, for command lines that have grown too long to be passed.
pub(crate) fn quote_words(words: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for word in words {
        text.push(b'"');
        for &b in word.as_bytes() {
            if matches!(b, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(b);
        }
        text.extend_from_slice(b"\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn joined(words: &[OsString]) -> String {
        words.join(OsStr::new(" ")).into_string().unwrap()
    }

    fn link_line(args: &Args) -> String {
        let part = |i: &LinkItem| match i {
            LinkItem::Input(n) => format!("<{}>", args.inputs[*n].path.display()),
            LinkItem::Driver(o) => o.display().to_string(),
            LinkItem::Word(w) => format!("ld:{}", w.display()),
        };
        args.link.iter().map(part).collect::<Vec<_>>().join(" ")
    }

    /// (command line, mode, inputs with their kind, output, compile flags, codegen flags, link line)
    type Row =
        (&'static str, Mode, &'static str, &'static str, &'static str, &'static str, &'static str);

    #[test]
    fn command_lines() {
        use Mode::*;
        let table: &[Row] = &[
            ("x.c", Link, "x.c:c", "", "", "", "<x.c>"),
            ("-c x.c -o x.o", Compile, "x.c:c", "x.o", "", "", "<x.c>"),
            ("-c x.c -ox.o", Compile, "x.c:c", "x.o", "", "", "<x.c>"),
            ("-c x.c --output=x.o", Compile, "x.c:c", "x.o", "", "", "<x.c>"),
            ("-c a.c b.cpp", Compile, "a.c:c b.cpp:c++", "", "", "", "<a.c> <b.cpp>"),
            ("-c a.c b.c -o x.o", Ask, "a.c:c b.c:c", "x.o", "", "", "<a.c> <b.c>"),
            ("-c x.o", Ask, "x.o:linker", "", "", "", "<x.o>"),
            (
                "-O2 -g0 -s -flto=thin -fsanitize=thread -fno-sanitize-recover=all -fno-ipa-pta -c x.c",
                Compile,
                "x.c:c",
                "",
                "",
                "",
                "<x.c>",
            ),
            ("-Og -Ofast -O x.c", Link, "x.c:c", "", "", "", "<x.c>"),
            (
                "-I d -Id2 -isystem s -DX=1 -D Y -U Z -std=c11 -Wall -include f.h -c x.c",
                Compile,
                "x.c:c",
                "",
                "-I d -Id2 -isystem s -DX=1 -D Y -U Z -std=c11 -Wall -include f.h",
                "",
                "<x.c>",
            ),
            (
                "-idirafter a -iquote b -imacros m.h --param p=1 --param=q=2 -Xclang -foo -mllvm -bar -include-pch p -c x.c",
                Compile,
                "x.c:c",
                "",
                "-idirafter a -iquote b -imacros m.h -Xclang -foo -mllvm -bar -include-pch p",
                "-mllvm -bar",
                "<x.c>",
            ),
            (
                "-fPIC -ffunction-sections -march=native -pthread -c x.c",
                Compile,
                "x.c:c",
                "",
                "-fPIC -ffunction-sections -march=native -pthread",
                "-fPIC -ffunction-sections -march=native -pthread",
                "-fPIC -ffunction-sections -march=native -pthread <x.c>",
            ),
            (
                "a.o -L lib -Ll2 -lfoo -l bar -Wl,-z,defs -Xlinker -s -z now -T s.ld -u sym b.a -o p",
                Link,
                "a.o:linker b.a:linker",
                "p",
                "",
                "",
                "<a.o> -L lib -Ll2 -lfoo -l bar ld:-z ld:defs ld:-s ld:-z ld:now -T s.ld -u sym <b.a>",
            ),
            (
                "-Wl,--start-group a.a b.a -Wl,--end-group m.o",
                Link,
                "a.a:linker b.a:linker m.o:linker",
                "",
                "",
                "",
                "ld:--start-group <a.a> <b.a> ld:--end-group <m.o>",
            ),
            ("-x c - -o p", Link, "-:c", "p", "", "", "<->"),
            ("-xc++ f.txt -x none g.o", Link, "f.txt:c++ g.o:linker", "", "", "", "<f.txt> <g.o>"),
            ("-x assembler-with-cpp -c f", Compile, "f:foreign", "", "", "", "<f>"),
            ("-c a.S b.s", Compile, "a.S:foreign b.s:foreign", "", "", "", "<a.S> <b.s>"),
            ("-c a.i", Compile, "a.i:c", "", "", "", "<a.i>"),
            ("-c a.ii", Compile, "a.ii:c++", "", "", "", "<a.ii>"),
            ("-x c++-header h.h -o h.pch", Link, "h.h:header", "h.pch", "", "", "<h.h>"),
            ("-E x.c", Front, "x.c:c", "", "", "", "<x.c>"),
            ("-MM x.c", Front, "x.c:c", "", "", "", "<x.c>"),
            ("-S x.c", Front, "x.c:c", "", "", "", "<x.c>"),
            ("-fsyntax-only x.c", Front, "x.c:c", "", "", "", "<x.c>"),
            ("-emit-llvm -c x.c", Front, "x.c:c", "", "", "", "<x.c>"),
            ("--version", Ask, "", "", "", "", ""),
            ("-v", Ask, "", "", "-v", "-v", "-v"),
            ("-print-prog-name=ld", Ask, "", "", "", "", ""),
            ("-dumpmachine", Ask, "", "", "", "", ""),
            ("-Wl,--version", Ask, "", "", "", "", "ld:--version"),
            ("x.c -o", Ask, "x.c:c", "", "", "", "<x.c>"),
            ("-pipe -c -- x.c -y.c", Compile, "x.c:c -y.c:c", "", "-pipe", "", "<x.c> <-y.c>"),
            (
                "-D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=3 -c x.c",
                Compile,
                "x.c:c",
                "",
                "",
                "",
                "<x.c>",
            ),
            ("-Wp,-MD,d/x.d -c x.c", Compile, "x.c:c", "", "-MD -MF d/x.d", "", "<x.c>"),
            ("-undef -c x.c", Compile, "x.c:c", "", "-undef", "", "<x.c>"),
            ("-fuse-ld=lld x.o", Link, "x.o:linker", "", "", "", "-fuse-ld=lld <x.o>"),
            ("--coverage -fprofile-arcs -ftest-coverage x.c", Link, "x.c:c", "", "", "", "<x.c>"),
            ("-lfoo -o p", Link, "", "p", "", "", "-lfoo"),
        ];
        for (line, mode, inputs, output, compile, codegen, link) in table {
            let args = parse(&words(line)).unwrap();
            let kind = |k: Kind| match k {
                Kind::Source(l) => l.name(),
                Kind::Header => "header",
                Kind::Foreign => "foreign",
                Kind::Linker => "linker",
            };
            let seen: Vec<_> = args
                .inputs
                .iter()
                .map(|i| format!("{}:{}", i.path.display(), kind(i.kind)))
                .collect();
            assert_eq!(args.mode, *mode, "{line}: mode");
            assert_eq!(seen.join(" "), *inputs, "{line}: inputs");
            assert_eq!(
                args.output.as_deref().unwrap_or(Path::new("")),
                Path::new(output),
                "{line}: output"
            );
            assert_eq!(joined(&args.compile), *compile, "{line}: compile");
            assert_eq!(joined(&args.codegen), *codegen, "{line}: codegen");
            assert_eq!(link_line(&args), *link, "{line}: link");
        }
    }

    #[test]
    fn what_is_asked_of_the_link() {
        let shared = |l| parse(&words(l)).unwrap().shared;
        assert!(shared("-shared a.o") && shared("-Wl,-shared a.o") && !shared("a.o"));
        let relocatable = |l| parse(&words(l)).unwrap().relocatable;
        assert!(
            relocatable("-r a.o") && relocatable("-Wl,-r a.o") && !relocatable("-rdynamic a.o")
        );
        assert_eq!(parse(&words("-static a.o")).unwrap().static_by, Some("-static".into()));
        assert_eq!(parse(&words("-static-libgcc a.o")).unwrap().static_by, None);
        assert_eq!(parse(&words("-m32 a.c")).unwrap().narrow_by, Some("-m32".into()));
        let sanitized = |l| parse(&words(l)).unwrap().sanitized_by;
        assert_eq!(sanitized("-fsanitize=undefined a.c"), Some("-fsanitize=undefined".into()));
        assert_eq!(sanitized("-fsanitize=thread -fsanitize-recover=all a.c"), None);
        let depend = |l| parse(&words(l)).unwrap().depend;
        assert_eq!(depend("-MMD -c x.c"), Depend { wanted: true, file: false, target: false });
        assert_eq!(
            depend("-MD -MFx -MT y -c x.c"),
            Depend { wanted: true, file: true, target: true }
        );
    }

    #[test]
    fn response_files_are_quoted_and_unquoted() {
        let hard: Vec<OsString> =
            ["a b", "", "it's", "\"q\"", "back\\slash", "-DX=\"y z\"", "new\nline"]
                .map(OsString::from)
                .to_vec();
        assert_eq!(split_words(&quote_words(&hard)), hard);
        assert_eq!(
            split_words(b"  a\t'b c'\"d\"\\ e\n\nf"),
            [OsString::from("a"), "b cd e".into(), "f".into()]
        );
    }

    #[test]
    fn a_response_file_that_names_itself_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("r");
        let word = OsString::from(format!("@{}", file.display()));
        std::fs::write(&file, word.as_bytes()).unwrap();
        assert!(matches!(parse(&[word]), Err(BuildError::ResponseFileTooDeep { .. })));
        let absent = parse(&["@/no/such/file".into()]).unwrap();
        assert_eq!(absent.inputs[0].path, "@/no/such/file");
    }
}
