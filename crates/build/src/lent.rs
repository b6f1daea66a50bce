//! Parts of local variables that others may know: accesses to them get the hook that clang leaves out.
//!
//! Clang's instrumentation passes over accesses to local variables whose address stays in the function. It asks
//! that of the address which is accessed: of `job.size` that is the field's, which nobody else is given, even where
//! `&job` was handed to a thread. (Of a variable that is accessed as a whole the question is the right one.) So
//! accesses to fields and elements of a local variable, by the function that it belongs to, would go unseen, and a
//! search would take for complete what is not.
//!
//! Here a variable is *lent* if its address, or that of a part, is stored, or handed to any call that is not a hook
//! or an intrinsic, or is used in any way that is not understood. All accesses to its parts are hooked, those before it is lent
//! too: they cost little, and which come first is not asked.

use crate::bitstream::{Bitstream, Block as Bits, Item, any_function};
use crate::ir::{Function, Instruction, Unit, names};
use crate::scan::{base_of, bits, first_type, lets_escape};
use crate::suspect::has_hook;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// False only where no function has both local variables and addresses of parts.
pub(crate) fn may_lend(bitcode: &[u8]) -> bool {
    any_function(bitcode, takes_parts).unwrap_or(true)
}

fn takes_parts(stream: &mut Bitstream, mut function: Bits) -> Option<bool> {
    const ALLOCA: u64 = 19;
    const GETELEMENTPTR: u64 = 43;
    let mut has_locals = false;
    loop {
        match stream.next(&mut function)? {
            Item::Record(record) if record.code == ALLOCA => has_locals = true,
            Item::Record(record) if record.code == GETELEMENTPTR && has_locals => {
                stream.skip(&function);
                return Some(true);
            }
            Item::Record(_) => {}
            Item::Block(block) => stream.skip(&block),
            Item::End => return Some(false),
        }
    }
}

/// The unit with the missing hooks; `None` where none is missing.
pub(crate) fn hooked(text: &str) -> Option<String> {
    let unit = Unit::read(text);
    let mut before: HashMap<usize, String> = HashMap::new();
    let mut hooks: BTreeSet<String> = BTreeSet::new();
    for function in unit.functions.iter().filter(|function| function.is_hooked) {
        let lent = lent_parts(function);
        for block in &function.blocks {
            for (at, access) in block.code.iter().enumerate() {
                if let Some((hook, address)) = missing(&block.code[..at], access, &lent) {
                    let line = unit.lines[access.lines.start];
                    let place = line.rsplit_once("!dbg ").map(|(_, place)| word(place));
                    let place = place.map(|place| format!(", !dbg {place}")).unwrap_or_default();
                    before.insert(
                        access.lines.start,
                        format!("  call void {hook}(ptr {address}){place}\n"),
                    );
                    hooks.insert(hook);
                }
            }
        }
    }
    if before.is_empty() {
        return None;
    }
    let mut edited = String::with_capacity(text.len() + 64 * before.len());
    for (at, line) in unit.lines.iter().enumerate() {
        edited.push_str(before.get(&at).map_or("", String::as_str));
        edited.push_str(line);
        edited.push('\n');
    }
    for hook in hooks.iter().filter(|hook| !text.contains(&format!(" {hook}("))) {
        let _ = writeln!(edited, "declare void {hook}(ptr) nounwind");
    }
    Some(edited)
}

/// Addresses of parts of variables that are lent.
fn lent_parts<'t>(function: &Function<'t>) -> HashSet<&'t str> {
    let code = || function.blocks.iter().flat_map(|block| &block.code);
    // Each variable and each address inside of one, with the variable's name.
    let mut variables: HashMap<&str, &str> = HashMap::new();
    for instruction in code() {
        if instruction.opcode() == "alloca" {
            variables.insert(instruction.result, instruction.result);
        } else if instruction.opcode() == "getelementptr"
            && let Some(variable) = base_of(instruction.code).and_then(|base| variables.get(base))
        {
            variables.insert(instruction.result, variable);
        }
    }
    let mut lent: HashSet<&str> = HashSet::new();
    for instruction in code() {
        for name in names(instruction.code) {
            if let Some(variable) = variables.get(name)
                && !lent.contains(variable)
                && lets_escape(instruction.code, name)
            {
                lent.insert(variable);
            }
        }
    }
    let is_lent_part =
        |&(part, variable): &(&str, &str)| part != variable && lent.contains(variable);
    variables.into_iter().filter(is_lent_part).map(|(part, _)| part).collect()
}

/// The hook that an access to a lent part should have and has not, and the address.
fn missing<'t>(
    before: &[Instruction],
    access: &Instruction<'t>,
    lent: &HashSet<&str>,
) -> Option<(String, &'t str)> {
    let (kind, rest) = match access.opcode() {
        "load" => ("read", access.code.strip_prefix("load ")?),
        "store" => ("write", access.code.strip_prefix("store ")?),
        _ => return None,
    };
    let rest = rest.strip_prefix("volatile ").unwrap_or(rest);
    let address = access.address().filter(|address| lent.contains(address))?;
    let bits = bits(first_type(rest)).filter(|bits| has_hook(*bits))?;
    if rest.starts_with("atomic ") || is_hooked(before, address) {
        return None;
    }
    let align: u64 =
        rest.rsplit_once(", align ").and_then(|(_, align)| word(align).parse().ok())?;
    // As clang does: what is aligned to eight bytes, or to its size, is no special case.
    let aligned = align >= 8 || align * 8 >= bits;
    let unaligned = if aligned { "" } else { "unaligned_" };
    Some((format!("@__tsan_{unaligned}{kind}{}", bits / 8), address))
}

/// The hook of an access stands right before it.
fn is_hooked(before: &[Instruction], address: &str) -> bool {
    let last = before.iter().rev().find(|instruction| !instruction.is_marker());
    last.is_some_and(|hook| {
        hook.callee().is_some_and(|name| name.starts_with("@__tsan_"))
            && names(hook.code).any(|name| name == address)
    })
}

fn word(text: &str) -> &str {
    text.split([',', ' ']).next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// How many hooks are added; `None` where clang is missing.
    fn added(source: &str) -> Option<usize> {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("x.c"), source).unwrap();
        let mut clang = Command::new("clang-19");
        clang.args(crate::compile::INSTRUMENT).args(["-g", "-O0", "-w", "-c", "-emit-llvm"]);
        let Ok(status) = clang.arg(path("x.c")).arg("-o").arg(path("x.bc")).status() else {
            eprintln!("skipped: there is no clang-19");
            return None;
        };
        assert!(status.success(), "{source}");
        let text =
            Command::new("llvm-dis-19").arg(path("x.bc")).args(["-o", "-"]).output().unwrap();
        let text = String::from_utf8(text.stdout).unwrap();
        let hooked = hooked(&text);
        let may = may_lend(&std::fs::read(path("x.bc")).unwrap());
        assert!(may || hooked.is_none(), "ruled out too early: {source}");
        let Some(hooked) = hooked else { return Some(0) };
        std::fs::write(path("y.ll"), &hooked).unwrap();
        let back = Command::new("llvm-as-19").arg(path("y.ll")).status().unwrap();
        assert!(back.success(), "{hooked}");
        let count = |text: &str| text.matches("call void @__tsan_").count();
        assert!(super::hooked(&hooked).is_none(), "not all at once: {hooked}");
        Some(count(&hooked) - count(&text))
    }

    #[test]
    fn parts_of_lent_variables() {
        let table = [
            (
                "void use(void *);\nvoid f(void) { struct { int a, b; } s; use(&s); s.a = 1; s.b++; }",
                3,
            ),
            ("void use(void *);\nint f(int i) { int a[9]; use(a); return a[i] + a[0]; }", 2),
            (
                "void use(void *);\nvoid f(void) { struct { struct { char c[3]; } in; } s; use(&s.in); s.in.c[1] = 1; }",
                1,
            ),
            ("int *g; void f(void) { int a[2]; g = &a[1]; a[0] = 1; }", 1),
            // Before it is lent, too.
            ("void use(void *);\nvoid f(void) { int a[2]; a[0] = 1; use(a); }", 1),
            (
                "void use(void *);\nvoid f(void) { struct __attribute__((packed)) { char c; long l; } s; use(&s); s.l = 1; }",
                1,
            ),
            (
                "void use(void *);\nvoid f(void) { double d[2]; void *p[2]; use(d); use(p); d[1] = 1; p[1] = 0; }",
                2,
            ),
        ];
        for (source, expected) in table {
            let Some(found) = added(source) else { return };
            assert_eq!(found, expected, "{source}");
        }
    }

    #[test]
    fn what_needs_none() {
        for source in [
            "int f(int i) { int a[9]; a[i] = 1; return a[0]; }",
            "void use(void *);\nint f(void) { int a = 0; use(&a); return a; }",
            "struct { int a, b[2]; } g; int f(int i) { return g.a + g.b[i]; }",
            "int f(int *p, int i) { return p[i]; }",
            "struct s { int a, b; }; int f(void) { struct s x = {1, 2}, y = x; return y.b; }",
            "void use(void *);\n__attribute__((no_sanitize(\"thread\"))) void f(void) { int a[2]; use(a); a[1] = 1; }",
        ] {
            let Some(found) = added(source) else { return };
            assert_eq!(found, 0, "{source}");
        }
    }
}
