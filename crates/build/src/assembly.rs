//! Inline assembly: does it touch memory?
//!
//! An empty template with a memory clobber is a compiler barrier; `pause`, `cpuid` or a fence move no
//! data. What computes in registers alone is no access either.

use crate::record::{Unseen, UnseenKind};

/// Instructions that neither read nor write the program's memory, however they are declared.
const HARMLESS: &[&str] = &[
    "cpuid",
    "dmb",
    "dsb",
    "emms",
    "endbr64",
    "hlt",
    "int3",
    "isb",
    "lfence",
    "mfence",
    "nop",
    "pause",
    "rdpmc",
    "rdrand",
    "rdseed",
    "rdtsc",
    "rdtscp",
    "serialize",
    "sfence",
    "ud2",
    "vzeroall",
    "vzeroupper",
    "xgetbv",
    "yield",
];

const PREFIXES: &[&str] = &["lock", "rep", "repz"];

/// An inline assembly as LLVM keeps it: `template` with operands `$0`, and the list of constraints, in
/// which an operand in memory is marked by a star.
pub(crate) fn touches_memory(template: &str, constraints: &str) -> bool {
    let in_memory = constraints.split(',').any(|one| !one.starts_with('~') && one.contains('*'));
    moves_data(template)
        && (in_memory || clobbers_memory(constraints) || has_address(&template.replace("$(", "")))
}

pub(crate) fn clobbers_memory(constraints: &str) -> bool {
    constraints.contains("~{memory}")
}

/// gcc's assembly, in which `#APP` and `#NO_APP` enclose what was written inline, each piece behind a line
/// `# 12 "file.c" 1`. The operands are in place: all that is left to go by is an address.
pub(crate) fn inline_by_gcc(text: &str) -> Vec<Unseen> {
    let mut found: Option<Unseen> = None;
    let mut is_inline = false;
    let mut place = ("", 0);
    for line in text.lines() {
        match line.trim() {
            "#APP" => is_inline = true,
            "#NO_APP" => is_inline = false,
            code if is_inline => {
                place = marked_place(code).unwrap_or(place);
                if moves_data(code) && has_address(code) {
                    let (file, line) = place;
                    let kind = UnseenKind::InlineAssembly;
                    let first = Unseen { kind, count: 0, file: file.into(), line };
                    found.get_or_insert(first).count += 1;
                }
            }
            _ => {}
        }
    }
    found.into_iter().collect()
}

fn marked_place(line: &str) -> Option<(&str, u32)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(" \"")?;
    Some((rest.split_once('"')?.0, number.parse().ok().filter(|line| *line > 0)?))
}

/// Assembly outside of functions is mostly there for a directive (`.symver`).
pub(crate) fn has_instructions(text: &str) -> bool {
    instructions(text).next().is_some()
}

pub(crate) fn has_address(text: &str) -> bool {
    instructions(text).any(|one| !one.starts_with("lea") && one.contains(['(', '[']))
}

fn moves_data(text: &str) -> bool {
    instructions(text).any(|one| {
        let mut names = one.split_whitespace().skip_while(|word| PREFIXES.contains(word));
        names.next().is_some_and(|name| !HARMLESS.contains(&name)) && !is_stack_fence(one)
    })
}

/// `lock; addl $0, 0(%rsp)`: a full fence.
fn is_stack_fence(instruction: &str) -> bool {
    let name = instruction.trim_start_matches("lock").trim_start();
    (name.starts_with("add") || name.starts_with("or"))
        && instruction.contains("$0,")
        && (instruction.contains("(%rsp)") || instruction.contains("(%esp)"))
}

/// Without comments, labels and directives.
fn instructions(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';']).filter_map(|line| {
        let line = line.split('#').next().unwrap_or_default();
        let line = line.rsplit_once(": ").map_or(line, |(_, behind)| behind).trim();
        (!line.is_empty() && !line.starts_with('.') && !line.ends_with(':')).then_some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_and_registers_are_no_accesses() {
        let x86 = ",~{dirflag},~{fpsr},~{flags}";
        let touches =
            |text: &str, constraints: &str| touches_memory(text, &(constraints.to_owned() + x86));
        assert!(!touches("", "~{memory}"));
        assert!(!touches("# nothing", "~{memory}"));
        assert!(!touches("rep; nop", "~{memory}"));
        assert!(!touches("pause", "~{memory}"));
        assert!(!touches("mfence", "~{memory}"));
        assert!(!touches("lock; addl $$0, 0(%rsp)", "~{memory}"));
        assert!(!touches("cpuid", "={ax},={bx},={cx},={dx},0"));
        assert!(!touches("bsfq $1, $0", "=r,r"));
        assert!(!touches("leaq (%rax), $0", "=r"));
        assert!(touches("lock; incl $0", "=*m,*m,~{memory}"));
        assert!(touches("xchgl $0, $1", "=r,=*m,0,*m"));
        assert!(touches("movl ($1), $0", "=r,r"));
        assert!(touches("syscall", "={ax},0,{di},~{memory}"));
        assert!(touches("1: lock xaddl $0, ($1)\n", "=r,r"));
    }

    #[test]
    fn as_gcc_writes_it() {
        let text = "f:\n\tmovl (%rax), %eax\n#APP\n# 3 \"dir/x.c\" 1\n\tpause\n# 0 \"\" 2\n\
                    # 4 \"dir/x.c\" 1\n\tlock; incl x(%rip)\n# 0 \"\" 2\n#NO_APP\n\tret\n\
                    #APP\n# 9 \"dir/x.c\" 1\n\tmov eax, [rdi]\n#NO_APP\n";
        let found = inline_by_gcc(text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].count, &*found[0].file, found[0].line), (2, "dir/x.c", 4));
        assert_eq!(
            inline_by_gcc("#APP\n# 3 \"x.c\" 1\n\trdtsc\n#NO_APP\n\tmovl (%rax), %eax\n"),
            []
        );
    }

    #[test]
    fn directives_are_no_instructions() {
        assert!(!has_instructions(".symver old,new@V1\n.weak x\n"));
        assert!(has_instructions(".globl f\nf:\n  ret\n"));
    }
}
