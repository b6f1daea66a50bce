//! Objects, archives and libraries to a program that brings Unpick's runtime, or to a shared library that
//! expects it.

use crate::args::{Args, Kind, Language, LinkItem};
use crate::process::Process;
use crate::{BuildError, Family, Toolchain, dashless};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Functions of the C library that the runtime sees through `__wrap_NAME`.
pub const WRAPPED: &[&str] = &[
    "__isoc23_fscanf",
    "__isoc23_scanf",
    "__isoc23_sscanf",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "__isoc99_fscanf",
    "__isoc99_scanf",
    "__isoc99_sscanf",
    "__isoc99_vfscanf",
    "__isoc99_vscanf",
    "__isoc99_vsscanf",
    "__memcpy_chk",
    "__memmove_chk",
    "__mempcpy",
    "__memset_chk",
    "__strtok_r",
    "asprintf",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bcopy",
    "bzero",
    "dprintf",
    "explicit_bzero",
    "fgets",
    "fprintf",
    "fputs",
    "fread",
    "fwrite",
    "getdelim",
    "getline",
    "gmtime_r",
    "localtime_r",
    "memccpy",
    "memchr",
    "memcmp",
    "memmem",
    "mempcpy",
    "memrchr",
    "mktime",
    "printf",
    "puts",
    "qsort",
    "qsort_r",
    "rand_r",
    "rawmemchr",
    "snprintf",
    "sprintf",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcasestr",
    "strcat",
    "strchr",
    "strchrnul",
    "strcmp",
    "strcoll",
    "strcpy",
    "strcspn",
    "strdup",
    "strftime",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strsep",
    "strspn",
    "strstr",
    "strtod",
    "strtof",
    "strtoimax",
    "strtok",
    "strtok_r",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtoumax",
    "strxfrm",
    "vasprintf",
    "vdprintf",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "wcscat",
    "wcschr",
    "wcscmp",
    "wcscpy",
    "wcsdup",
    "wcslen",
    "wcsncmp",
    "wcsncpy",
    "wcsrchr",
    "wcsstr",
    "wmemcmp",
    "wmemcpy",
    "wmemmove",
    "wmemset",
];

/// What libstdc++ keeps compiled of its containers (`crates/build/containers`); without it what they do is not seen, and said.
const CONTAINERS: &str = "libunpick_containers.a";

/// What the program exports of the runtime, so that shared libraries, opened at run time too, bind to it.
/// Patterns match only what is defined: a name that the runtime does not define costs nothing.
pub const EXPORTED: &[&str] = &[
    // The instrumentation and our own interface.
    "__tsan_*",
    "__sanitizer_*",
    "__wrap_*",
    "__unpick_*",
    "unpick_*",
    "__VERIFIER_*",
    "Annotate*",
    // Threads, locks, time.
    "pthread_*",
    "sem_*",
    "thrd_*",
    "mtx_*",
    "cnd_*",
    "tss_*",
    "call_once",
    "__cxa_guard_*",
    "sched_yield",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_*",
    "gettimeofday",
    "time",
    "syscall",
    // Memory.
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "cfree",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "malloc_usable_size",
    "mmap",
    "mmap64",
    "munmap",
    "mremap",
    "mprotect",
    "brk",
    "sbrk",
    // Blocking I/O and the process.
    "read",
    "write",
    "readv",
    "writev",
    "recv*",
    "send*",
    "accept*",
    "connect",
    "poll",
    "ppoll",
    "select",
    "pselect",
    "epoll_*",
    "wait",
    "waitpid",
    "fork",
    "vfork",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "raise",
    "kill",
    "signal",
    "sigaction",
    "sigprocmask",
    "sigsuspend",
    "sigwait*",
    "__assert_fail",
    "dlopen",
    "dlclose",
    "rand",
    "random",
    "srand",
    "srandom",
    "getrandom",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Product {
    Program,
    Library,
    Relocatable,
}

/// `made[n]` is the object of input n, when one was made.
pub(crate) fn link(
    driver: Language,
    args: &Args,
    made: &[Option<PathBuf>],
    tools: &Toolchain,
    process: &mut Process,
) -> Result<i32, BuildError> {
    let product = match (args.relocatable, args.shared) {
        (true, _) => Product::Relocatable,
        (_, true) => Product::Library,
        _ => Product::Program,
    };
    let mut words = line(product, args, made, tools);
    match quick(driver, args, tools) {
        Some(gcc) => process.link(gcc, &words),
        None => {
            if tools.family == Family::Clang {
                words.insert(0, "-Qunused-arguments".into());
            }
            process.link(tools.driver(driver), &words)
        }
    }
}

/// gcc asks the linker for the same as clang does where nothing is said but what both understand in the same way, and it has
/// done so before clang has started: after 2 ms, and not 20. Not for C++: each brings its library.
fn quick<'t>(driver: Language, args: &Args, tools: &'t Toolchain) -> Option<&'t Path> {
    let plain = |option: &str| {
        let kinds = ["-l", "-L", "-g", "-O"];
        let whole = ["-pthread", "-shared", "-rdynamic", "-pie", "-no-pie"];
        whole.contains(&option) || kinds.iter().any(|kind| option.starts_with(kind))
    };
    let plain = |item: &LinkItem| match item {
        LinkItem::Driver(option) => option.to_str().is_some_and(plain),
        LinkItem::Input(_) | LinkItem::Word(_) => true,
    };
    let gcc = tools.quick_driver.as_deref()?;
    (driver == Language::C && args.link.iter().all(plain)).then_some(gcc)
}

fn line(
    product: Product,
    args: &Args,
    made: &[Option<PathBuf>],
    tools: &Toolchain,
) -> Vec<OsString> {
    let mut line: Vec<OsString> = Vec::new();
    if product == Product::Program {
        // First, so that an archive with a `malloc` or `pthread_create` of its own is not asked for it.
        line.push("-Wl,--whole-archive".into());
        line.push(tools.runtime.clone().into());
        line.push("-Wl,--no-whole-archive".into());
    }
    let mut items = args.link.iter().peekable();
    while let Some(item) = items.next() {
        match item {
            LinkItem::Driver(option) => line.push(option.clone()),
            LinkItem::Input(n) => match &made[*n] {
                Some(object) => line.push(object.clone().into()),
                None if args.inputs[*n].kind == Kind::Header => {}
                None => line.push(dashless(&args.inputs[*n].path)),
            },
            LinkItem::Word(word) => {
                let next = items.peek().and_then(|i| match i {
                    LinkItem::Word(w) => Some(&**w),
                    _ => None,
                });
                let keep = |line: &mut Vec<OsString>, w: &OsString| {
                    line.extend(["-Xlinker".into(), w.clone()])
                };
                match unwanted(
                    product,
                    &word.to_string_lossy(),
                    next.map(|w| w.to_string_lossy()).as_deref(),
                ) {
                    Unwanted::Not => keep(&mut line, word),
                    Unwanted::This => {}
                    Unwanted::WithNext => drop(items.next()),
                }
            }
        }
    }
    if let Some(output) = &args.output {
        line.extend(["-o".into(), output.clone().into()]);
    }
    if product == Product::Relocatable {
        return line;
    }
    // Behind all that may ask for it, before the library that has it, too.
    let containers = tools.runtime.with_file_name(CONTAINERS);
    if containers.is_file() {
        line.push(containers.into());
    }
    line.extend(WRAPPED.iter().map(|n| format!("-Wl,--wrap={n}").into()));
    line.push("-Wl,--build-id=sha1".into());
    if product == Product::Program {
        let is_gold = |i: &LinkItem| matches!(i, LinkItem::Driver(o) if o == "-fuse-ld=gold");
        if args.link.iter().any(is_gold) {
            // It takes the patterns below for names.
            line.push("-Wl,--export-dynamic".into());
        }
        line.extend(EXPORTED.iter().map(|n| format!("-Wl,--export-dynamic-symbol={n}").into()));
        line.extend(
            ["-Wl,--push-state,--as-needed", "-lpthread", "-ldl", "-lm", "-Wl,--pop-state"]
                .map(OsString::from),
        );
    }
    line
}

enum Unwanted {
    Not,
    This,
    WithNext,
}

/// Words for the linker that would take away what Unpick needs.
fn unwanted(product: Product, word: &str, next: Option<&str>) -> Unwanted {
    match (word, next) {
        ("-s" | "--strip-all" | "-S" | "--strip-debug", _) => Unwanted::This,
        _ if word.starts_with("--icf") || word.starts_with("--compress-debug-sections") => {
            Unwanted::This
        }
        // The hooks come with the program.
        ("--no-undefined" | "-no-undefined" | "-zdefs", _) if product == Product::Library => {
            Unwanted::This
        }
        ("-z", Some("defs")) if product == Product::Library => Unwanted::WithNext,
        // It would hide the runtime, which is an archive.
        ("--exclude-libs", Some(_)) if product == Product::Program => Unwanted::WithNext,
        _ if product == Product::Program && word.starts_with("--exclude-libs=") => Unwanted::This,
        _ => Unwanted::Not,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse;

    fn tools() -> Toolchain {
        Toolchain {
            family: Family::Clang,
            cc: "clang".into(),
            cxx: "clang++".into(),
            quick_driver: Some("gcc".into()),
            objcopy: "objcopy".into(),
            disassembler: "dis".into(),
            assembler: "as".into(),
            runtime: "rt.a".into(),
            include: "inc".into(),
        }
    }

    #[test]
    fn gcc_starts_the_linker_where_clang_would_ask_for_the_same() {
        let quick = |language, text: &str| {
            let words: Vec<_> = text.split(' ').map(OsString::from).collect();
            super::quick(language, &parse(&words).unwrap(), &tools()).is_some()
        };
        for same in ["x.o -o x", "-g -O2 x.c -pthread -lm -Ld -Wl,-rpath,/l", "-shared -o x.so x.o"]
        {
            assert!(quick(Language::C, same), "{same}");
            assert!(!quick(Language::Cxx, same), "{same}");
        }
        for other in
            ["-fopenmp", "-fuse-ld=lld", "-nostdlib", "--sysroot=/s", "-stdlib=libc++", "-B."]
        {
            assert!(!quick(Language::C, &format!("x.o {other}")), "{other}");
        }
    }

    #[test]
    fn lines() {
        let tools = tools();
        let of = |product, text: &str| {
            let args = parse(&text.split(' ').map(OsString::from).collect::<Vec<_>>()).unwrap();
            let made: Vec<_> = args
                .inputs
                .iter()
                .map(|i| (i.kind != Kind::Linker).then(|| "made.o".into()))
                .collect();
            let line = line(product, &args, &made, &tools);
            let ours =
                |w: &OsString| !w.to_string_lossy().starts_with("-Wl,--export-dynamic-symbol=");
            let text: Vec<_> =
                line.iter().filter(|w| ours(w)).map(|w| w.to_string_lossy()).collect();
            text.join(" ")
        };
        let wraps: String = WRAPPED.iter().map(|n| format!("-Wl,--wrap={n} ")).collect();
        assert_eq!(
            of(
                Product::Program,
                "x.c -I d -Wl,-s -O2 -Wl,-rpath,/l -Wl,--exclude-libs -Wl,ALL -la -o p"
            ),
            format!(
                "-Wl,--whole-archive rt.a -Wl,--no-whole-archive made.o -Xlinker -rpath -Xlinker /l \
                 -la -o p {wraps}-Wl,--build-id=sha1 -Wl,--push-state,--as-needed -lpthread -ldl -lm -Wl,--pop-state"
            )
        );
        assert_eq!(
            of(Product::Library, "-shared a.o -Wl,-z,defs -z now -Wl,--no-undefined"),
            format!("-shared a.o -Xlinker -z -Xlinker now {wraps}-Wl,--build-id=sha1")
        );
        assert_eq!(of(Product::Relocatable, "-r a.o b.o -o c.o"), "-r a.o b.o -o c.o");
    }
}
