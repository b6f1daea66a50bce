//! Accesses in a unit that carry no hook: counted, with the place of the first.
//!
//! Clang's instrumentation passes over accesses whose size it has no hook for, over what inline assembly
//! does, over structures that are handed to a call by value straight from where they are, and over
//! functions that ask not to be instrumented. Nobody sees these at run time; so they are looked for in the
//! unit's own code, as text, where [`mod@crate::suspect`] says that it is worth it. Local variables whose
//! address stays in their function, and constants, are nobody else's business and not counted.
//!
//! What it misses: vector instructions with masks, gathers and scatters.

use crate::assembly;
use crate::record::{Unseen, UnseenKind};
use crate::suspect::has_hook;
use std::collections::{HashMap, HashSet};

/// Of a unit's disassembled code.
pub(crate) fn unseen(text: &str) -> Vec<Unseen> {
    let mut found = Found { text, first: Vec::new() };
    let hooked = hooked_attributes(text);
    let constants = constants(text);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("module asm ") {
            if quoted(line).is_some_and(|(code, _)| assembly::has_instructions(&code)) {
                found.count(UnseenKind::InlineAssembly, line);
            }
        } else if line.starts_with("define ") {
            let body: Vec<&str> =
                lines.by_ref().take_while(|line| *line != "}").map(str::trim_start).collect();
            let mut function = Function {
                is_hooked: attribute_of(line).is_some_and(|number| hooked.contains(number)),
                private: private(&body),
                constants: &constants,
                at: 0,
            };
            for line in body {
                function.instruction(line, &mut found);
                function.at += 1;
            }
        }
    }
    found.finish()
}

struct Found<'a> {
    text: &'a str,
    /// How many, and the line of the first.
    first: Vec<(UnseenKind, u64, &'a str)>,
}

impl<'a> Found<'a> {
    fn count(&mut self, kind: UnseenKind, line: &'a str) {
        match self.first.iter_mut().find(|(known, _, _)| *known == kind) {
            Some((_, count, _)) => *count += 1,
            None => self.first.push((kind, 1, line)),
        }
    }

    fn finish(self) -> Vec<Unseen> {
        let place = |line| place_of(self.text, line).unwrap_or_default();
        self.first
            .iter()
            .map(|&(kind, count, line)| {
                let (file, line) = place(line);
                Unseen { kind, count, file, line }
            })
            .collect()
    }
}

struct Function<'a> {
    is_hooked: bool,
    /// Local variables and addresses inside of them, with the instruction that hands their address on.
    private: HashMap<&'a str, usize>,
    constants: &'a HashSet<&'a str>,
    /// The number of the instruction.
    at: usize,
}

impl Function<'_> {
    fn instruction<'t>(&self, line: &'t str, found: &mut Found<'t>) {
        let code = line.split_once(" = ").filter(|_| line.starts_with('%')).map_or(line, |p| p.1);
        if let Some(access) = code.strip_prefix("load ").or_else(|| code.strip_prefix("store ")) {
            let access = access.strip_prefix("volatile ").unwrap_or(access);
            if !access.starts_with("atomic ") && self.is_shared(last_pointer(access)) {
                self.access(first_type(access), line, found);
            }
        } else if is_call(code) {
            if code.contains(" asm ") {
                if self.assembly(code) {
                    found.count(UnseenKind::InlineAssembly, line);
                }
            } else {
                let handed = behind_each(code, "byval(").filter(|address| self.is_shared(address));
                handed.for_each(|_| found.count(UnseenKind::ByValue, line));
            }
        }
    }

    fn access<'t>(&self, ty: &str, line: &'t str, found: &mut Found<'t>) {
        if !self.is_hooked {
            found.count(UnseenKind::NotInstrumented, line);
        } else if bits(ty).is_some_and(|bits| !has_hook(bits)) {
            let kind = match ty {
                "x86_fp80" => UnseenKind::LongDouble,
                _ if ty.starts_with('<') => UnseenKind::Vector,
                _ => UnseenKind::OddSize,
            };
            found.count(kind, line);
        }
    }

    fn assembly(&self, call: &str) -> bool {
        let Some((template, rest)) = quoted(call) else { return false };
        let Some((constraints, operands)) = quoted(rest) else { return false };
        // `fnstcw` and its like write into a local variable.
        let only_private = !assembly::clobbers_memory(&constraints)
            && !assembly::has_address(&template)
            && behind_each(operands, "elementtype(").all(|address| !self.is_shared(address));
        assembly::touches_memory(&template, &constraints) && !only_private
    }

    fn is_shared(&self, address: &str) -> bool {
        let is_private = self.private.get(address).is_some_and(|until| self.at <= *until);
        !is_private && !self.constants.contains(address)
    }
}

fn is_call(code: &str) -> bool {
    let code =
        code.strip_prefix("tail ").or_else(|| code.strip_prefix("musttail ")).unwrap_or(code);
    ["call ", "invoke ", "callbr "].iter().any(|start| code.starts_with(start))
}

/// Addresses behind `marker(type)`, past their alignment.
fn behind_each<'t>(code: &'t str, marker: &str) -> impl Iterator<Item = &'t str> {
    code.match_indices(marker).filter_map(move |(at, _)| {
        let behind = &code[at + marker.len() - 1..];
        let behind = behind[closing(behind)? + 1..].trim_start();
        let behind = match behind.strip_prefix("align ") {
            Some(rest) => rest.split_once(' ')?.1,
            None => behind,
        };
        Some(word(behind))
    })
}

/// Up to a comma, a blank or the end of the arguments.
fn word(text: &str) -> &str {
    text.split([',', ' ', ')']).next().unwrap_or(text)
}

fn last_pointer(access: &str) -> &str {
    access.rsplit_once(", ptr ").map_or("", |(_, address)| word(address))
}

/// Where the bracket closes that the text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.bytes().position(|byte| {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// The type that the text begins with.
pub(crate) fn first_type(text: &str) -> &str {
    match text.as_bytes().first() {
        Some(b'<' | b'{' | b'[') => closing(text).map_or(text, |end| &text[..=end]),
        _ => text.split([' ', ',']).next().unwrap_or(text),
    }
}

/// How much memory an access of a type touches, in bits. Structures and arrays are only ever passed in
/// registers, so they are of a size that has a hook.
pub(crate) fn bits(ty: &str) -> Option<u64> {
    let element = |ty: &str| match ty {
        "half" | "bfloat" => Some(16),
        "float" => Some(32),
        "double" | "ptr" => Some(64),
        "fp128" => Some(128),
        "x86_fp80" => Some(80),
        _ => ty.strip_prefix('i')?.parse().ok(),
    };
    let width: u64 = match ty.strip_prefix('<') {
        Some(vector) => {
            let (count, ty) = vector.strip_suffix('>')?.split_once(" x ")?;
            element(ty)? * count.trim().parse::<u64>().ok()?
        }
        None => element(ty)?,
    };
    Some(width.next_multiple_of(8))
}

/// Local variables, and until which instruction nobody else can know their address. (In the order of the
/// text: that a loop comes back with an address handed on before is not considered.)
fn private<'t>(body: &[&'t str]) -> HashMap<&'t str, usize> {
    // Each local variable and each address inside of one, with the variable's name.
    let mut variables: HashMap<&str, &str> = HashMap::new();
    for line in body {
        let Some((name, code)) = line.split_once(" = ") else { continue };
        if code.starts_with("alloca ") {
            variables.insert(name, name);
        } else if code.starts_with("getelementptr ")
            && let Some(variable) = base_of(code).and_then(|base| variables.get(base))
        {
            variables.insert(name, variable);
        }
    }
    let mut escapes: HashMap<&str, usize> = HashMap::new();
    for (at, line) in body.iter().enumerate() {
        for name in names(line) {
            if let Some(variable) = variables.get(name)
                && lets_escape(line, name)
            {
                escapes.entry(variable).or_insert(at);
            }
        }
    }
    let until = |variable| escapes.get(variable).copied().unwrap_or(usize::MAX);
    variables.into_iter().map(|(name, variable)| (name, until(variable))).collect()
}

/// What a `getelementptr` starts from.
pub(crate) fn base_of(code: &str) -> Option<&str> {
    code.split_once(", ptr ").map(|(_, rest)| word(rest))
}

/// Whether the instruction hands the address `name` on.
pub(crate) fn lets_escape(line: &str, name: &str) -> bool {
    let (result, code) =
        line.split_once(" = ").filter(|_| line.starts_with('%')).unwrap_or(("", line));
    if result == name || code.starts_with("#dbg_") {
        return false;
    }
    if let Some(store) = code.strip_prefix("store ") {
        let stored = store.split_once(", ptr ").map_or(store, |(stored, _)| stored);
        return stored.ends_with(&format!(" {name}"));
    }
    if is_call(code) {
        // Hooks, copies and markers look at memory and forget the address; so does who gets a copy.
        let by_value = || {
            behind_each(code, "byval(").chain(behind_each(code, "elementtype(")).any(|a| a == name)
        };
        let ours = code.contains(" @llvm.") || code.contains(" @__tsan_");
        return !ours && !by_value();
    }
    !["load ", "getelementptr ", "icmp "].iter().any(|start| code.starts_with(start))
}

/// `%name`s of an instruction.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('%').map(|(at, _)| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "._$-%".contains(c);
        let rest = &line[at..];
        rest.split(|c| !is_part(c)).next().unwrap_or(rest)
    })
}

/// Numbers of the attribute lists that ask for hooks.
fn hooked_attributes(text: &str) -> HashSet<&str> {
    let lists =
        text.lines().filter_map(|line| line.strip_prefix("attributes #")?.split_once(" = "));
    lists.filter(|(_, list)| list.contains(" sanitize_thread ")).map(|(number, _)| number).collect()
}

fn attribute_of(definition: &str) -> Option<&str> {
    let (_, behind) = definition.rsplit_once(") ")?;
    behind.split_once('#').map(|(_, number)| word(number))
}

fn constants(text: &str) -> HashSet<&str> {
    let globals = text.lines().filter(|line| line.starts_with('@'));
    let named = globals.filter_map(|line| line.split_once(" = "));
    named.filter(|(_, what)| what.contains(" constant ")).map(|(name, _)| name).collect()
}

/// The first quoted text, unescaped, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let start = text.find('"')? + 1;
    let end = start + text[start..].find('"')?;
    let mut plain = String::new();
    let mut rest = &text[start..end];
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = escape.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(code) => {
                plain.push(char::from(code));
                rest = &escape[2..];
            }
            None => {
                plain.push('\\');
                rest = escape.strip_prefix('\\').unwrap_or(escape);
            }
        }
    }
    plain.push_str(rest);
    Some((plain, &text[end + 1..]))
}

/// File and line of an instruction, by its debug information.
fn place_of(text: &str, instruction: &str) -> Option<(String, u32)> {
    let location = node(text, instruction.rsplit_once("!dbg ")?.1)?;
    let line = field(location, "line: ")?.parse().ok()?;
    let mut scope = node(text, field(location, "scope: ")?)?;
    while field(scope, "file: ").is_none() {
        scope = node(text, field(scope, "scope: ")?)?;
    }
    let file = node(text, field(scope, "file: ")?)?;
    let name = quoted(file.split_once("filename: ")?.1)?.0;
    Some((name, line))
}

/// `!12, …` to what stands behind `!12 = `.
fn node<'t>(text: &'t str, reference: &str) -> Option<&'t str> {
    let start = format!("\n{} = ", word(reference));
    let at = text.find(&start)? + start.len();
    text[at..].lines().next()
}

fn field<'t>(node: &'t str, name: &str) -> Option<&'t str> {
    node.split_once(name).map(|(_, value)| word(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suspect;
    use std::process::Command;

    /// A kind, how many, and the line of the first.
    type Counted = (UnseenKind, u64, u32);

    /// What is found in C source, compiled as the wrapper does; `None` where clang is missing.
    fn scan(source: &str) -> Option<(bool, Vec<Counted>)> {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("x.c"), source).unwrap();
        let mut clang = Command::new("clang-19");
        clang.args(crate::compile::INSTRUMENT).args(["-g", "-O0", "-mavx2", "-c", "-emit-llvm"]);
        let Ok(status) = clang.arg(path("x.c")).arg("-o").arg(path("x.bc")).status() else {
            eprintln!("skipped: there is no clang-19");
            return None;
        };
        assert!(status.success());
        let text =
            Command::new("llvm-dis-19").arg(path("x.bc")).args(["-o", "-"]).output().unwrap();
        let found = unseen(&String::from_utf8(text.stdout).unwrap());
        assert!(found.iter().all(|one| one.file.ends_with("x.c") || one.line == 0), "{found:?}");
        let found = found.iter().map(|one| (one.kind, one.count, one.line)).collect();
        Some((suspect::may_hide_accesses(&std::fs::read(path("x.bc")).unwrap()), found))
    }

    #[test]
    fn each_kind() {
        use UnseenKind::*;
        let table: &[(&str, &[Counted])] = &[
            ("int x;\nvoid f(void) { x++; }", &[]),
            ("long double x;\nvoid f(void) {\n x = x + 1; }", &[(LongDouble, 2, 3)]),
            (
                "typedef float v __attribute__((vector_size(32)));\nv a, b;\nvoid f(void) { a = b; }",
                &[(Vector, 2, 3)],
            ),
            (
                "struct __attribute__((packed)) { unsigned a : 20; char c; } g;\nint f(void) { return g.a; }",
                &[(OddSize, 1, 2)],
            ),
            (
                "struct s { long a[4]; } g;\nvoid h(struct s);\nvoid f(void) { h(g); }",
                &[(ByValue, 1, 3)],
            ),
            (
                "int x;\n__attribute__((no_sanitize(\"thread\"))) void f(void) {\n x = 1; }",
                &[(NotInstrumented, 1, 3)],
            ),
            (
                "void use(long double *);\nvoid f(void) { long double t = 1; use(&t);\n t = 2; }",
                &[(LongDouble, 1, 3)],
            ),
            (
                "int x;\nvoid f(void) { __asm__ volatile(\"lock; incl %0\" : \"+m\"(x)); }",
                &[(InlineAssembly, 1, 2)],
            ),
            (
                "void f(int *p) { __asm__ volatile(\"movl $1, (%0)\" :: \"r\"(p)); }",
                &[(InlineAssembly, 1, 1)],
            ),
            ("__asm__(\".globl g\\ng: ret\");", &[(InlineAssembly, 1, 0)]),
        ];
        for (source, expected) in table {
            let Some((suspicious, found)) = scan(source) else { return };
            assert_eq!(found, *expected, "{source}");
            assert_eq!(suspicious, !expected.is_empty(), "{source}");
        }
    }

    /// Nothing to report, though the first look may not be sure.
    #[test]
    fn what_nobody_else_can_see() {
        for source in [
            "long double f(long double a) { long double t = a; t += 1; return t; }",
            "static const long double k[2] = {1, 2};\nint printf(const char *, ...);\nvoid f(void) { printf(\"%Lf\", 3.0L); }",
            "struct s { long a[4]; };\nvoid h(struct s);\nvoid f(void) { struct s x = {{1}}; h(x); }",
            "void use(long double *);\nvoid f(void) { long double t = 1; use(&t); }",
            "unsigned short f(void) { unsigned short w; __asm__(\"fnstcw %0\" : \"=m\"(w)); return w; }",
            "void f(void) { __asm__ volatile(\"\" ::: \"memory\"); __asm__ volatile(\"pause\" ::: \"memory\"); }",
            "unsigned f(void) { unsigned a, d; __asm__ volatile(\"rdtsc\" : \"=a\"(a), \"=d\"(d)); return a ^ d; }",
            "__asm__(\".symver f,g@V\");",
        ] {
            let Some((_, found)) = scan(source) else { return };
            assert_eq!(found, [], "{source}");
        }
        for source in [
            "void f(void) { __asm__ volatile(\"\" ::: \"memory\"); }",
            "__asm__(\".symver f,g@V\");",
            "__int128 x; float y; double z; _Bool b; char c; void f(void) { x++; y++; z++; b = 1; c++; }",
        ] {
            let Some((suspicious, _)) = scan(source) else { return };
            assert!(!suspicious, "{source}");
        }
    }
}
