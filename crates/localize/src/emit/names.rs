//! Names of C: the user's own where they can stand, and no two the same.

use std::collections::BTreeSet;

const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "bool",
    "true",
    "false",
    "nullptr",
    "constexpr",
    "typeof",
    "thread_local",
    "alignas",
    "alignof",
    "static_assert",
    "asm",
    "unix",
    "linux",
    "main",
    "assert",
];

#[derive(Clone, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The name itself, or one like it.
    pub fn unique(&mut self, wanted: &str) -> String {
        let mut name: String = wanted
            .chars()
            .map(|it| if it.is_ascii_alphanumeric() || it == '_' { it } else { '_' })
            .collect();
        let ours = name.starts_with("unpick") || name.starts_with("stop_") || is_register(&name);
        if name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) || ours {
            name.insert_str(0, "the_");
        }
        let reserved = KEYWORDS.contains(&&*name) || name.starts_with("__");
        if reserved {
            name.insert_str(0, "the_");
        }
        let base = name.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// `r12` is what values in between are called.
fn is_register(name: &str) -> bool {
    name.strip_prefix('r')
        .is_some_and(|rest| rest.chars().all(|it| it.is_ascii_digit() || it == '_'))
}
