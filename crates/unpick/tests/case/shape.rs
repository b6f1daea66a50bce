//! What remains of a program without its names and constants: two cases of the same shape would test one thing twice.

use std::collections::HashMap;

/// Names that mean something by themselves.
const KEPT: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "return", "short",
    "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while", "assert", "abort", "exit", "malloc", "calloc", "realloc", "free",
    "alloca", "class", "public", "private", "template", "typename", "virtual", "override", "new",
    "delete", "bool",
];
const KEPT_BEGINNINGS: &[&str] = &[
    "_",
    "pthread",
    "PTHREAD",
    "sem_",
    "mtx_",
    "thrd_",
    "cnd_",
    "tss_",
    "atomic_",
    "memory_order",
    "mem",
    "str",
    "print",
    "is",
];

/// The program's words: each name as the number of its first use, each constant as one and the same.
pub fn of(program: &str) -> String {
    let mut names = HashMap::new();
    let mut shape = String::new();
    let mut rest = without_comments(program);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => quoted(&rest),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let word: String = rest.drain(..length).collect();
        if first.is_whitespace() {
            continue;
        }
        let known = KEPT.contains(&word.as_str())
            || KEPT_BEGINNINGS.iter().any(|begin| word.starts_with(begin));
        if first == '"' || first == '\'' || first.is_ascii_digit() {
            shape.push_str("0 ");
        } else if is_word(first) && !known {
            let next = names.len();
            shape.push_str(&format!("n{} ", names.entry(word).or_insert(next)));
        } else {
            shape.push_str(&word);
            shape.push(' ');
        }
    }
    shape
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The length of the literal that the text begins with.
fn quoted(text: &str) -> usize {
    let quote = text.chars().next();
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && Some(c) == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

fn without_comments(program: &str) -> String {
    let mut text = program.to_string();
    for (begin, end) in [("/*", "*/"), ("//", "\n")] {
        while let Some(from) = text.find(begin) {
            let to = text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
            text.replace_range(from..to, "\n");
        }
    }
    text
}
