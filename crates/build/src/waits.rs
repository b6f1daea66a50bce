//! Loops that may do nothing but wait for another thread: they get a hook where an iteration ends.
//!
//! A loop that waits by spinning has endlessly many interleavings. What makes them finitely many is that an
//! iteration which leaves no trace can be taken out of any run: nobody else notices, and its own thread is
//! where it was. The runtime may then let the thread wait, at the end of such an iteration, until something
//! that it has read is changed. That is right only if the iteration leaves no trace, *in local variables
//! neither*: `for (i = 0; i < 9 && !flag; i++)` counts. So this is decided here, where local variables can be
//! seen, for code as `-O0` makes it:
//!
//! - Values that no variable holds do not outlive an iteration: what a loop hands to its next iteration would
//!   be a `phi` of its first block, and such a loop is left alone. What is used behind the loop dominates that
//!   use, so the last iteration has computed it.
//! - A local variable whose address stays in its function has no hook. If the loop stores to it, and it may be
//!   read again before it is stored to anew (in the next iteration or behind the loop), it is *carried*. Its
//!   address goes to the hook, which compares: the iteration leaves no trace only if the value is what it was.
//!   (`expected = 0` of a compare-and-swap.) Loops that carry more than a few, or anything but a number or a
//!   pointer, or a variable whose next value is computed from its last one (a counter), are left alone.
//! - All other memory is the runtime's business: each store to it must have its hook right before it.
//! - Calls go to functions of this unit of which the same holds, or to known ones that keep nothing when they
//!   achieve nothing ([`KNOWN`]), or they never come back.
//!
//! Whatever else there is in a loop (inline assembly with results, calls through pointers, other calls) means:
//! not understood, and left alone. Left alone is never wrong; it costs the search its end.
//!
//! The hooks are `__unpick_begin` where such a loop is entered and `__unpick_again` where it starts over, with
//! the loop's identity and what it carries. A unit without such loops is not changed at all.

use crate::assembly;
use crate::bitstream::{Bitstream, Block as Bits, Item, any_function};
use crate::ir::{Function, Instruction, Unit, names, retarget};
use crate::loops::{self, Loop};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Functions of the C library and hooks that leave no trace, or whose trace the runtime sees.
const KNOWN: &[&str] = &[
    "@pthread_mutex_trylock",
    "@pthread_rwlock_tryrdlock",
    "@pthread_rwlock_trywrlock",
    "@pthread_spin_trylock",
    "@mtx_trylock",
    "@sem_trywait",
    "@sched_yield",
    "@pthread_yield",
    "@thrd_yield",
    "@usleep",
    "@sleep",
    "@nanosleep",
    "@thrd_sleep",
    "@pthread_testcancel",
    "@pthread_self",
    "@__errno_location",
];

/// Beginnings of their names.
const KNOWN_FAMILIES: &[&str] = &[
    "@__tsan_",
    "@__sanitizer_cov_trace_pc_guard",
    "@llvm.dbg.",
    "@llvm.lifetime.",
    "@llvm.expect.",
    "@llvm.returnaddress",
    "@llvm.threadlocal.address",
    "@llvm.x86.sse2.pause",
    "@llvm.abs.",
    "@llvm.smax.",
    "@llvm.smin.",
    "@llvm.umax.",
    "@llvm.umin.",
];

/// They come back, but elsewhere.
const JUMPS: &[&str] = &["@__cxa_", "@_Unwind_", "@longjmp", "@siglongjmp", "@_longjmp"];

/// What can neither keep anything nor call anybody.
const COMPUTES: &[&str] = &[
    "load",
    "getelementptr",
    "icmp",
    "fcmp",
    "phi",
    "br",
    "switch",
    "ret",
    "unreachable",
    "resume",
    "landingpad",
    "select",
    "freeze",
    "extractvalue",
    "insertvalue",
    "trunc",
    "zext",
    "sext",
    "fptrunc",
    "fpext",
    "fptoui",
    "fptosi",
    "uitofp",
    "sitofp",
    "ptrtoint",
    "inttoptr",
    "bitcast",
    "add",
    "sub",
    "mul",
    "udiv",
    "sdiv",
    "urem",
    "srem",
    "shl",
    "lshr",
    "ashr",
    "and",
    "or",
    "xor",
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "frem",
    "fneg",
];

/// As many as the hook has room for.
const MOST_CARRIED: usize = 3;

/// False only where a unit has no loops at all. Reading it as text costs; this does not.
pub(crate) fn may_wait(bitcode: &[u8]) -> bool {
    any_function(bitcode, branches_back).unwrap_or(true)
}

/// Is there a branch to its own block or to one before it?
fn branches_back(stream: &mut Bitstream, mut function: Bits) -> Option<bool> {
    const INVOKE: u64 = 5;
    const BRANCH: u64 = 11;
    /// Those that name no block, or only blocks behind them in code as it is compiled: they end a block.
    const OTHER_ENDS: [u64; 8] = [10, 12, 15, 31, 39, 48, 49, 52];
    let mut number = 0;
    loop {
        match stream.next(&mut function)? {
            Item::Record(record) if record.code == BRANCH => {
                if record.fields.iter().take(2).any(|&target| target <= number) {
                    stream.skip(&function);
                    return Some(true);
                }
                number += 1;
            }
            Item::Record(record) if record.code == INVOKE || OTHER_ENDS.contains(&record.code) => {
                number += 1;
            }
            Item::Record(_) => {}
            Item::Block(block) => stream.skip(&block),
            Item::End => return Some(false),
        }
    }
}

/// The unit with hooks at its loops that may wait; `None` where it has none.
pub(crate) fn hooked(text: &str) -> Option<String> {
    let unit = Unit::read(text);
    let traceless = traceless(&unit);
    let mut edit = Edit::default();
    for function in unit.functions.iter().filter(|function| function.is_hooked) {
        let locals = Locals::of(function);
        for one in loops::natural(&function.blocks) {
            if let Some(carried) = carried(function, &one, &locals, &traceless) {
                edit.hook(&unit, function, &one, &carried);
            }
        }
    }
    (edit.loops > 0).then(|| edit.apply(&unit))
}

/// The functions of the unit that leave no trace that the runtime would not see.
fn traceless<'t>(unit: &Unit<'t>) -> HashSet<&'t str> {
    let mut fine: HashSet<&str> = HashSet::new();
    let mut calls: Vec<(&str, Vec<&str>)> = Vec::new();
    for function in &unit.functions {
        let mut called = Vec::new();
        let locals = Locals::of(function);
        let understood = function.is_hooked
            && function.is_final
            && !function.blocks.is_empty()
            && (0..function.blocks.len()).all(|block| {
                block_keeps_nothing(function, block, &locals, &mut |name| {
                    called.push(name);
                    true
                })
            });
        if understood {
            fine.insert(function.name);
            calls.push((function.name, called));
        }
    }
    // Whoever calls one that is not is not.
    loop {
        let before = fine.len();
        for (name, called) in &calls {
            if !called.iter().all(|callee| fine.contains(callee)) {
                fine.remove(name);
            }
        }
        if fine.len() == before {
            return fine;
        }
    }
}

/// Local variables whose address stays in their function: their names and types.
struct Locals<'t> {
    types: HashMap<&'t str, &'t str>,
}

impl<'t> Locals<'t> {
    fn of(function: &Function<'t>) -> Locals<'t> {
        let mut types = HashMap::new();
        for block in function.blocks.iter().take(1) {
            for instruction in &block.code {
                if let Some(rest) = instruction.code.strip_prefix("alloca ") {
                    let ty = rest.split(',').next().unwrap_or(rest);
                    types.insert(instruction.result, ty);
                }
            }
        }
        for instruction in function.blocks.iter().flat_map(|block| &block.code) {
            for name in names(instruction.code) {
                if types.get(name).is_some_and(|ty| !is_plain_use(instruction, name, ty)) {
                    types.remove(name);
                }
            }
        }
        Locals { types }
    }

    /// The variable that a load or a store is about.
    fn of_access(&self, instruction: &Instruction<'t>) -> Option<&'t str> {
        let address = instruction.address()?;
        self.types.contains_key(address).then_some(address)
    }
}

/// Loads and stores all of the variable, or only marks it.
fn is_plain_use(instruction: &Instruction, name: &str, ty: &str) -> bool {
    let whole = |start: &str| {
        let code = instruction.code.strip_prefix(start).unwrap_or_default();
        let code = code.strip_prefix("volatile ").unwrap_or(code);
        code.strip_prefix(ty).is_some_and(|rest| rest.starts_with([' ', ',']))
    };
    match instruction.opcode() {
        "load" => instruction.address() == Some(name) && whole("load "),
        "store" => {
            instruction.address() == Some(name)
                && whole("store ")
                && !names(instruction.stored()).any(|stored| stored == name)
        }
        _ => instruction.is_marker(),
    }
}

/// Bytes of a type that the hook can compare.
fn size(ty: &str) -> Option<u64> {
    match ty {
        "i1" | "i8" => Some(1),
        "i16" => Some(2),
        "i32" | "float" => Some(4),
        "i64" | "double" | "ptr" => Some(8),
        _ => None,
    }
}

/// What a loop carries from one iteration to the next, if all that it does is understood.
fn carried<'t>(
    function: &Function<'t>,
    one: &Loop,
    locals: &Locals<'t>,
    traceless: &HashSet<&str>,
) -> Option<Vec<(&'t str, u64)>> {
    let header = &function.blocks[one.header];
    if header.code.iter().any(|instruction| instruction.opcode() == "phi") {
        return None;
    }
    let known = &mut |name: &'t str| traceless.contains(name);
    if !one.body.iter().all(|&block| block_keeps_nothing(function, block, locals, known)) {
        return None;
    }
    let code = || one.body.iter().flat_map(|&block| &function.blocks[block].code);
    if code().any(|instruction| instruction.opcode() == "alloca") {
        return None;
    }
    let mut stored: Vec<&str> = code()
        .filter(|instruction| instruction.opcode() == "store")
        .filter_map(|store| locals.of_access(store))
        .collect();
    stored.sort_unstable();
    stored.dedup();
    stored.retain(|name| is_live(function, one.header, name));
    let feeds = Feeds::of(function, one, locals);
    if stored.len() > MOST_CARRIED || stored.iter().any(|name| feeds.itself(name)) {
        return None;
    }
    stored.into_iter().map(|name| Some((name, size(locals.types[name])?))).collect()
}

/// May the variable be read from here on before it is stored to, or begins anew?
fn is_live(function: &Function, from: usize, name: &str) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        let block = &function.blocks[block];
        let is_about = |instruction: &&Instruction| {
            matches!(instruction.opcode(), "load" | "store") && instruction.address() == Some(name)
                || instruction.enters_scope_of(name)
        };
        match block.code.iter().find(is_about).map(Instruction::opcode) {
            Some("load") => return true,
            Some(_) => {}
            None => open.extend(&block.successors),
        }
    }
    false
}

/// Which variable's value goes into which other's, by way of computations in the loop. Only there so that
/// counters and walks along lists need no hook: the hook would find that they carry something.
struct Feeds<'t> {
    into: HashMap<&'t str, HashSet<&'t str>>,
}

impl<'t> Feeds<'t> {
    fn of(function: &Function<'t>, one: &Loop, locals: &Locals<'t>) -> Feeds<'t> {
        let code = || one.body.iter().flat_map(|&block| &function.blocks[block].code);
        let results: HashMap<&str, &Instruction> = code()
            .filter(|instruction| !instruction.result.is_empty() && passes_on(instruction))
            .map(|instruction| (instruction.result, instruction))
            .collect();
        let mut into: HashMap<&str, HashSet<&str>> = HashMap::new();
        for store in code().filter(|instruction| instruction.opcode() == "store") {
            let Some(to) = locals.of_access(store) else { continue };
            let sources = into.entry(to).or_default();
            let mut seen = HashSet::new();
            let mut open: Vec<&str> = names(store.stored()).collect();
            while let Some(value) = open.pop() {
                if locals.types.contains_key(value) {
                    sources.insert(value);
                } else if seen.insert(value)
                    && let Some(instruction) = results.get(value)
                {
                    open.extend(names(instruction.code));
                }
            }
        }
        Feeds { into }
    }

    fn itself(&self, name: &str) -> bool {
        let mut seen = HashSet::new();
        let mut open = vec![name];
        while let Some(variable) = open.pop() {
            for &source in self.into.get(variable).into_iter().flatten() {
                if source == name {
                    return true;
                }
                if seen.insert(source) {
                    open.push(source);
                }
            }
        }
        false
    }
}

/// What is found to be equal or not, and what a call gives back, is no further value of what went in.
fn passes_on(instruction: &Instruction) -> bool {
    !instruction.is_call() && !matches!(instruction.opcode(), "icmp" | "fcmp")
}

/// Each instruction of the block only computes, stores where it is seen, or calls who is `known`.
fn block_keeps_nothing<'t>(
    function: &Function<'t>,
    block: usize,
    locals: &Locals<'t>,
    known: &mut dyn FnMut(&'t str) -> bool,
) -> bool {
    let code = &function.blocks[block].code;
    code.iter().enumerate().all(|(at, instruction)| match instruction.opcode() {
        "store" => {
            locals.of_access(instruction).is_some() || has_hook(&code[..at], instruction.code)
        }
        "call" | "invoke" if instruction.code.contains(" asm ") => is_pause(instruction.code),
        "call" | "invoke" => instruction.callee().is_some_and(|name| {
            let ends = code.get(at + 1).is_some_and(|next| next.opcode() == "unreachable");
            is_known(name)
                || (ends && !JUMPS.iter().any(|start| name.starts_with(start)))
                || known(name)
        }),
        "alloca" => true,
        _ if instruction.is_marker() => true,
        opcode => COMPUTES.contains(&opcode),
    })
}

fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || KNOWN_FAMILIES.iter().any(|start| name.starts_with(start))
}

/// The hook of a store stands right before it, and is told the same address.
fn has_hook(before: &[Instruction], store: &str) -> bool {
    let Some(hook) = before.iter().rev().find(|instruction| !instruction.is_marker()) else {
        return false;
    };
    let is_write = hook.callee().is_some_and(|name| {
        name.starts_with("@__tsan_") && (name.contains("write") || name == "@__tsan_vptr_update")
    });
    let told = hook.code.split_once("(ptr ").map_or("", |(_, address)| address);
    // Up to the end of the argument, which may itself be an expression in brackets.
    let behind = [")", ", ptr "].map(|end| told.match_indices(end));
    is_write
        && !store.starts_with("store atomic")
        && behind
            .into_iter()
            .flatten()
            .any(|(end, _)| store.contains(&format!(", ptr {}, align", &told[..end])))
}

/// Inline assembly that only passes the time: no results, no memory.
fn is_pause(call: &str) -> bool {
    let mut quoted = call.split('"').skip(1).step_by(2);
    match (quoted.next(), quoted.next()) {
        (Some(template), Some(constraints)) => {
            let only_clobbers =
                constraints.split(',').all(|one| one.is_empty() || one.starts_with('~'));
            only_clobbers && !assembly::touches_memory(&template.replace("\\0A", "\n"), constraints)
        }
        _ => false,
    }
}

/// What is to be changed in the text, line by line.
#[derive(Default)]
struct Edit {
    loops: usize,
    edges: usize,
    before: HashMap<usize, String>,
    replaced: HashMap<usize, String>,
    behind: HashMap<usize, String>,
}

impl Edit {
    fn hook(&mut self, unit: &Unit, function: &Function, one: &Loop, carried: &[(&str, u64)]) {
        let mut arguments =
            format!("ptr getelementptr (i8, ptr @unpick.loops, i64 {})", self.loops);
        let mut sizes = 0;
        for place in 0..MOST_CARRIED {
            let (name, size) = carried.get(place).copied().unwrap_or(("null", 0));
            let _ = write!(arguments, ", ptr {name}");
            sizes |= size << (8 * place);
        }
        let _ = write!(arguments, ", i64 {sizes}");
        self.loops += 1;
        let Some(header) = label_of(unit, function, one.header) else { return };
        for (from, block) in function.blocks.iter().enumerate() {
            if block.successors.contains(&one.header) {
                let hook = if one.contains(from) { "again" } else { "begin" };
                let call = format!("  call void @__unpick_{hook}({arguments})");
                self.on_edge(unit, &block.code[block.code.len() - 1], header, &call);
            }
        }
    }

    /// Puts the call on the way from a block's end to the block `target`.
    fn on_edge(&mut self, unit: &Unit, end: &Instruction, target: &str, call: &str) {
        let lines = end.lines.clone();
        let last = unit.lines[lines.end - 1];
        let place =
            last.rsplit_once("!dbg ").map(|(_, place)| place.split(',').next().unwrap_or(place));
        let place = place.map(|place| format!(", !dbg {place}")).unwrap_or_default();
        if end.opcode() == "br" && end.code.starts_with("br label ") {
            let text = self.before.entry(lines.start).or_default();
            let _ = writeln!(text, "{call}{place}");
            return;
        }
        let block = format!("unpick.edge.{}", self.edges);
        self.edges += 1;
        for line in lines.clone() {
            let text = self.replaced.get(&line).map_or(unit.lines[line], String::as_str);
            let text = retarget(text, target, &block);
            self.replaced.insert(line, text);
        }
        let text = self.behind.entry(lines.end - 1).or_default();
        let _ = write!(text, "\n{block}:\n{call}{place}\n  br label %{target}{place}\n");
    }

    fn apply(self, unit: &Unit) -> String {
        let mut text = String::new();
        for (at, line) in unit.lines.iter().enumerate() {
            text.push_str(self.before.get(&at).map_or("", String::as_str));
            text.push_str(self.replaced.get(&at).map_or(line, String::as_str));
            text.push('\n');
            text.push_str(self.behind.get(&at).map_or("", String::as_str));
        }
        let count = self.loops;
        let _ = writeln!(text, "@unpick.loops = private constant [{count} x i8] zeroinitializer");
        for hook in ["begin", "again"] {
            let _ =
                writeln!(text, "declare void @__unpick_{hook}(ptr, ptr, ptr, ptr, i64) nounwind");
        }
        text
    }
}

/// The name of a block that something branches to.
fn label_of<'t>(unit: &Unit<'t>, function: &Function, block: usize) -> Option<&'t str> {
    let first = function.blocks[block].code.first()?.lines.start;
    let label = unit.lines[..first].iter().rev().find(|line| !line.is_empty())?;
    label.split_once(':').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// For each hook where a loop starts over: how many variables it carries. `None` where clang is missing.
    fn hooks(source: &str) -> Option<Vec<usize>> {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("x.c"), format!("{DECLARATIONS}{source}")).unwrap();
        let mut clang = Command::new("clang-19");
        clang.args(crate::compile::INSTRUMENT).args(["-g", "-O0", "-w", "-c", "-emit-llvm"]);
        let Ok(status) = clang.arg(path("x.c")).arg("-o").arg(path("x.bc")).status() else {
            eprintln!("skipped: there is no clang-19");
            return None;
        };
        assert!(status.success(), "{source}");
        let text =
            Command::new("llvm-dis-19").arg(path("x.bc")).args(["-o", "-"]).output().unwrap();
        let hooked = hooked(&String::from_utf8(text.stdout).unwrap());
        let may = may_wait(&std::fs::read(path("x.bc")).unwrap());
        assert!(may || hooked.is_none(), "ruled out too early: {source}");
        let Some(hooked) = hooked else { return Some(Vec::new()) };
        std::fs::write(path("y.ll"), &hooked).unwrap();
        let back = Command::new("llvm-as-19").arg(path("y.ll")).status().unwrap();
        assert!(back.success(), "{hooked}");
        let calls = hooked.lines().filter(|line| line.contains("call void @__unpick_again("));
        Some(calls.map(|call| call.matches(", ptr %").count()).collect())
    }

    const DECLARATIONS: &str = "#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n\
        int x, y, a[9]; volatile int v; _Atomic int c; int other(void); pthread_mutex_t m;\n\
        static int look(void) { return v; }\nstatic int count(void) { static int n; return n++; }\n";

    #[test]
    fn what_may_only_wait() {
        let table: &[(&str, &[usize])] = &[
            ("void f(void) { while (!v) ; }", &[0]),
            ("void f(void) { do sched_yield(); while (c); }", &[0]),
            ("void f(void) { again: if (!v) goto again; }", &[0]),
            ("void f(void) { int t; do t = v; while (t); }", &[0]),
            ("void f(void) { while (look()) ; }", &[0]),
            ("void f(void) { while (count()) ; }", &[0]),
            ("void f(void) { while (pthread_mutex_trylock(&m)) ; }", &[0]),
            ("void f(void) { while (!v) __asm__ volatile(\"pause\"); }", &[0]),
            ("void f(int i) { while (a[i] && v != i) ; }", &[0]),
            ("void f(void) { while (v) while (c) ; }", &[0, 0]),
            (
                "void f(void) { int e = 0; while (!atomic_compare_exchange_weak(&c, &e, 1)) e = 0; }",
                &[1],
            ),
            (
                "int f(void) { int b = -1; for (;;) { int t = v; if (t) break; b = x; } return b; }",
                &[1],
            ),
            ("void f(void) { while (!v) x = 1; }", &[0]),
            (
                "void f(int n) { switch (n) { case 1: do ; while (v); case 2: while (c) ; } }",
                &[0, 0],
            ),
        ];
        for (source, expected) in table {
            let Some(found) = hooks(source) else { return };
            assert_eq!(found, *expected, "{source}");
        }
    }

    #[test]
    fn what_is_left_alone() {
        for source in [
            "int f(void) { int i; for (i = 0; i < 9 && !v; i++) ; return i; }",
            "int f(void) { int n = 0; while (!v) n++; return n; }",
            "int f(void) { int n = 0, t; while (!v) { t = n; n = t + 1; } return n; }",
            "void f(int *p) { while (*p) p++; }",
            "struct s { struct s *next; }; void f(struct s *p) { while (p) p = p->next; }",
            "void f(void) { while (!v) other(); }",
            "void f(int (*g)(void)) { while (!v) g(); }",
            "unsigned f(void) { unsigned t; do __asm__ volatile(\"rdtsc\" : \"=a\"(t) :: \"edx\"); while (t & 1); return t; }",
            "__attribute__((no_sanitize(\"thread\"))) void f(void) { while (!v) ; }",
            "__attribute__((weak)) int look2(void) { return v; }\nvoid f(void) { while (look2()) ; }",
            "void f(int n) { while (!v) { char t[n]; t[0] = 1; } }",
            "long double l; void f(void) { while (!v) l = 1; }",
            "int f(int n) { return n > 1 ? f(n - 1) : v; }",
            "void f(int n) { switch (n) { case 1: do { case 3:; } while (v); } }",
        ] {
            let Some(found) = hooks(source) else { return };
            assert!(found.is_empty(), "{source}");
        }
    }
}
