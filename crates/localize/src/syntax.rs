//! A source file as blocks of statements: as much of clang's syntax tree as edits need.

use serde_json::Value;
use std::ops::Range;

/// A statement that stands in a block.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Bytes of the file, the semicolon included.
    pub text: Range<usize>,
    pub lines: Range<u32>,
    /// The function that it calls, where it is nothing but a call, and the arguments as they are written.
    pub call: Option<(String, Vec<String>)>,
    /// It may leave its function or its loop.
    pub leaves: bool,
    /// An `if` around a wait for a condition variable: where its word stands.
    pub waits_once: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub function: String,
    /// Where the function begins.
    pub function_at: usize,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, Default)]
pub struct Source {
    pub text: String,
    pub blocks: Vec<Block>,
    /// Mutexes that every function of the file can name.
    pub mutexes: Vec<String>,
}

/// From clang's `-ast-dump=json` of this text.
pub fn read(text: &str, tree: &Value) -> Source {
    let mut source = Source { text: text.to_string(), ..Source::default() };
    for node in children(tree) {
        // What a header brings says who included it.
        let included = |at: &Value| {
            at.get("includedFrom").is_some() || at["expansionLoc"].get("includedFrom").is_some()
        };
        if included(&node["loc"]) || included(&node["range"]["begin"]) {
            continue;
        }
        match node["kind"].as_str() {
            Some("VarDecl") if node["type"]["qualType"] == "pthread_mutex_t" => {
                source.mutexes.extend(node["name"].as_str().map(str::to_string));
            }
            Some("FunctionDecl" | "CXXMethodDecl") => {
                let name = node["name"].as_str().unwrap_or_default();
                let Some(at) = begin(node) else { continue };
                let body = children(node).iter().find(|inner| inner["kind"] == "CompoundStmt");
                if let Some(body) = body {
                    blocks(&mut source, name, at, body);
                }
            }
            _ => {}
        }
    }
    source
}

fn children(node: &Value) -> &[Value] {
    node["inner"].as_array().map_or(&[], Vec::as_slice)
}

/// Where the user wrote it, also where a macro made it.
fn offset(at: &Value) -> Option<usize> {
    let place = if at.get("expansionLoc").is_some() { &at["expansionLoc"] } else { at };
    usize::try_from(place["offset"].as_u64()?).ok()
}

fn begin(node: &Value) -> Option<usize> {
    offset(&node["range"]["begin"])
}

fn blocks(source: &mut Source, function: &str, function_at: usize, node: &Value) {
    if node["kind"] == "CompoundStmt" && node["range"]["begin"].get("expansionLoc").is_none() {
        let statements = children(node).iter().filter_map(|inner| statement(&source.text, inner));
        let statements = statements.collect();
        source.blocks.push(Block { function: function.to_string(), function_at, statements });
    }
    for inner in children(node) {
        blocks(source, function, function_at, inner);
    }
}

fn statement(text: &str, node: &Value) -> Option<Statement> {
    let from = begin(node)?;
    let end = offset(&node["range"]["end"])?;
    let at = &node["range"]["end"];
    let at = if at.get("expansionLoc").is_some() { &at["expansionLoc"] } else { at };
    let end = end + usize::try_from(at["tokLen"].as_u64()?).ok()?;
    let ended = text.get(..end)?.ends_with(['}', ';']);
    let end = if ended { end } else { semicolon(text, end)? };
    let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
    Some(Statement {
        text: from..end,
        lines: line(from)..line(end - 1) + 1,
        call: call(text, node),
        leaves: contains(node, &["ReturnStmt", "BreakStmt", "ContinueStmt", "GotoStmt"]),
        waits_once: (node["kind"] == "IfStmt" && calls(node, "pthread_cond_wait")).then_some(from),
    })
}

/// Behind the next semicolon outside parentheses.
fn semicolon(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.get(from..)?.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ';' if depth <= 0 => return Some(from + at + 1),
            _ => {}
        }
    }
    None
}

fn contains(node: &Value, kinds: &[&str]) -> bool {
    node["kind"].as_str().is_some_and(|kind| kinds.contains(&kind))
        || children(node).iter().any(|inner| contains(inner, kinds))
}

fn named(node: &Value) -> Option<&str> {
    match node["kind"].as_str()? {
        "DeclRefExpr" => node["referencedDecl"]["name"].as_str(),
        "ImplicitCastExpr" | "ParenExpr" => named(children(node).first()?),
        _ => None,
    }
}

fn calls(node: &Value, function: &str) -> bool {
    node["kind"] == "CallExpr" && children(node).first().and_then(named) == Some(function)
        || children(node).iter().any(|inner| calls(inner, function))
}

fn call(text: &str, node: &Value) -> Option<(String, Vec<String>)> {
    let (callee, arguments) = match node["kind"].as_str()? {
        "CallExpr" => children(node).split_first()?,
        _ => return None,
    };
    let written = |argument: &Value| {
        let from = begin(argument)?;
        let last = offset(&argument["range"]["end"])?;
        let length =
            usize::try_from(argument["range"]["end"]["tokLen"].as_u64().unwrap_or(0)).ok()?;
        Some(text.get(from..last + length)?.to_string())
    };
    Some((
        named(callee)?.to_string(),
        arguments.iter().map(|argument| written(argument).unwrap_or_default()).collect(),
    ))
}
