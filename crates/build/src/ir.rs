//! A unit's code as text, as far as one has to read it to follow its control flow.
//!
//! What cannot be read is left out: a function with a quoted label has no blocks here.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(crate) struct Unit<'t> {
    pub lines: Vec<&'t str>,
    pub functions: Vec<Function<'t>>,
}

pub(crate) struct Function<'t> {
    pub name: &'t str,
    /// Asked for ThreadSanitizer's hooks.
    pub is_hooked: bool,
    /// This body is what a call of the name executes.
    pub is_final: bool,
    pub blocks: Vec<Block<'t>>,
}

pub(crate) struct Block<'t> {
    pub code: Vec<Instruction<'t>>,
    pub successors: Vec<usize>,
}

/// The last one of a block is its terminator.
pub(crate) struct Instruction<'t> {
    /// Without indentation and without its result.
    pub code: &'t str,
    /// `%name`, or empty.
    pub result: &'t str,
    /// Where it stands in the unit.
    pub lines: Range<usize>,
}

impl<'t> Unit<'t> {
    pub fn read(text: &'t str) -> Unit<'t> {
        let lines: Vec<&str> = text.lines().collect();
        let hooked = hooked_attributes(&lines);
        let mut functions = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            if !lines[at].starts_with("define ") {
                at += 1;
                continue;
            }
            let end = (at..lines.len()).find(|&line| lines[line] == "}").unwrap_or(lines.len());
            let definition = lines[at];
            functions.push(Function {
                name: called(definition).unwrap_or_default(),
                is_hooked: attribute_of(definition).is_some_and(|number| hooked.contains(number)),
                is_final: !["weak", "linkonce", "available_externally", "extern_weak"]
                    .iter()
                    .any(|linkage| definition.split(' ').any(|word| word == *linkage)),
                blocks: blocks(&lines, at + 1..end).unwrap_or_default(),
            });
            at = end;
        }
        Unit { lines, functions }
    }
}

impl<'t> Instruction<'t> {
    pub fn opcode(&self) -> &'t str {
        let code = self.code.strip_prefix("tail ").unwrap_or(self.code);
        code.split([' ', ',']).next().unwrap_or(code)
    }

    pub fn is_call(&self) -> bool {
        matches!(self.opcode(), "call" | "invoke")
    }

    /// The function that it calls by name.
    pub fn callee(&self) -> Option<&'t str> {
        self.is_call().then(|| called(self.code)).flatten()
    }

    /// Where a load or a store goes to.
    pub fn address(&self) -> Option<&'t str> {
        let behind = self.code.rsplit_once(", ptr ")?.1;
        Some(behind.split([',', ' ']).next().unwrap_or(behind))
    }

    /// What a store writes, with its type in front.
    pub fn stored(&self) -> &'t str {
        self.code.rsplit_once(", ptr ").map_or("", |(before, _)| before)
    }

    /// Only tells a debugger something, or where the block of a variable is entered or left.
    pub fn is_marker(&self) -> bool {
        self.code.starts_with("#dbg_") || self.code.starts_with("call void @llvm.lifetime.")
    }

    /// The block of this local variable is entered: it has no value now.
    pub fn enters_scope_of(&self, name: &str) -> bool {
        self.code.starts_with("call void @llvm.lifetime.start")
            && names(self.code).any(|variable| variable == name)
    }
}

/// The first `@name(` of a call or a definition.
fn called(code: &str) -> Option<&str> {
    let head = &code[..code.find('(')?];
    match head.rfind('@') {
        Some(at) if !head[at..].contains([' ', '"']) => Some(&head[at..]),
        Some(_) => None,
        // Brackets in front of the name belong to attributes or types.
        None => {
            let at = code.find(" @")? + 1;
            let name = &code[at..at + code[at..].find('(')?];
            let is_callee = !code[..at].contains("(ptr ") && !name.contains([' ', ',', ')', '"']);
            is_callee.then_some(name)
        }
    }
}

/// The `%name`s of an instruction.
pub(crate) fn names(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices('%').map(|(at, _)| {
        let rest = &code[at..];
        let end = rest[1..].find(|c: char| !c.is_ascii_alphanumeric() && !"._$-".contains(c));
        &rest[..end.map_or(rest.len(), |end| end + 1)]
    })
}

fn blocks<'t>(lines: &[&'t str], body: Range<usize>) -> Option<Vec<Block<'t>>> {
    let mut labels = HashMap::new();
    let mut blocks = vec![Block { code: Vec::new(), successors: Vec::new() }];
    for at in body {
        let line = lines[at];
        if line.is_empty() {
            continue;
        }
        if !line.starts_with(' ') {
            let (label, _) = line.split_once(':').filter(|(label, _)| !label.contains('"'))?;
            labels.insert(label, blocks.len());
            blocks.push(Block { code: Vec::new(), successors: Vec::new() });
            continue;
        }
        let code = line.trim_start();
        let block = blocks.last_mut()?;
        let indented = line.len() - code.len();
        if !code.starts_with("#dbg_") && (indented > 2 || code.starts_with(']')) {
            block.code.last_mut()?.lines.end = at + 1;
            continue;
        }
        let (result, code) = match code.split_once(" = ") {
            Some((result, code)) if result.starts_with('%') => (result, code),
            _ => ("", code),
        };
        block.code.push(Instruction { code, result, lines: at..at + 1 });
    }
    for block in &mut blocks {
        let terminator = block.code.last()?.lines.clone();
        for line in &lines[terminator] {
            for target in targets(line) {
                block.successors.push(*labels.get(target)?);
            }
        }
    }
    Some(blocks)
}

fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("label %").map(|(at, _)| {
        let rest = &line[at + 7..];
        rest.split([',', ' ', ']']).next().unwrap_or(rest)
    })
}

/// The line with another target in place of the block `from`.
pub(crate) fn retarget(line: &str, from: &str, to: &str) -> String {
    let mut changed = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("label %") {
        let (before, behind) = rest.split_at(at + 7);
        let target = behind.split([',', ' ', ']']).next().unwrap_or(behind);
        changed.push_str(before);
        changed.push_str(if target == from { to } else { target });
        rest = &behind[target.len()..];
    }
    changed + rest
}

fn hooked_attributes<'t>(lines: &[&'t str]) -> HashSet<&'t str> {
    let lists =
        lines.iter().filter_map(|line| line.strip_prefix("attributes #")?.split_once(" = "));
    lists.filter(|(_, list)| list.contains(" sanitize_thread ")).map(|(number, _)| number).collect()
}

fn attribute_of(definition: &str) -> Option<&str> {
    let (_, behind) = definition.rsplit_once(") ")?;
    behind.split_once('#').map(|(_, number)| number.split(' ').next().unwrap_or(number))
}
