//! A source file as blocks of statements: as much of clang's syntax tree as edits need.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A statement that stands in a block.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Bytes of the file, the semicolon included.
    pub text: Range<usize>,
    pub lines: Range<u32>,
    /// The function that it calls, where it is nothing but a call, and the arguments as they are written.
    pub call: Option<(String, Vec<String>)>,
    /// Every function that it calls somewhere.
    pub calls: BTreeSet<String>,
    /// It may leave its loop, or jump.
    pub jumps: bool,
    /// Where it leaves its function, the semicolons included.
    pub returns: Vec<Range<usize>>,
    /// Where it leaves its function or the loop that it stands in.
    pub exits: Vec<Range<usize>>,
    /// Nobody comes to what stands behind it.
    pub leaves: bool,
    /// An `if` around a wait for a condition variable: where its word stands.
    pub waits_once: Option<usize>,
    /// A loop or an `if` around such a wait.
    pub wait: Option<Wait>,
    /// It writes a constant to an atomic, and does nothing else.
    pub announces: bool,
    /// A loop.
    pub loops: bool,
}

/// A wait for a condition variable, as it is written.
#[derive(Clone, Debug)]
pub struct Wait {
    pub condition: String,
    pub mutex: String,
    /// Variables that its loop looks at.
    pub looks_at: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub function: String,
    /// Where the function begins.
    pub function_at: usize,
    /// How many blocks it stands in.
    pub depth: u32,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, Default)]
pub struct Source {
    pub text: String,
    pub blocks: Vec<Block>,
    /// Mutexes that every function of the file can name.
    pub mutexes: Vec<String>,
    /// What the file's functions call.
    pub calls: BTreeMap<String, BTreeSet<String>>,
}

impl Source {
    /// Does the function call the other one, itself or through others of the file?
    pub fn leads_to(&self, function: &str, called: &str) -> bool {
        let (mut seen, mut open) = (BTreeSet::from([function]), vec![function]);
        while let Some(one) = open.pop() {
            if one == called {
                return true;
            }
            let next = self.calls.get(one).into_iter().flatten().map(String::as_str);
            open.extend(next.filter(|next| seen.insert(next)));
        }
        false
    }
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
                    let called = source.calls.entry(name.to_string()).or_default();
                    callees(body, called);
                    blocks(&mut source, (name, at), 0, body);
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

fn blocks(source: &mut Source, function: (&str, usize), depth: u32, node: &Value) {
    let is_block =
        node["kind"] == "CompoundStmt" && node["range"]["begin"].get("expansionLoc").is_none();
    if is_block {
        let statements = children(node).iter().filter_map(|inner| statement(&source.text, inner));
        let statements = statements.collect();
        let (name, function_at) = (function.0.to_string(), function.1);
        source.blocks.push(Block { function: name, function_at, depth, statements });
    }
    for inner in children(node) {
        blocks(source, function, depth + u32::from(is_block), inner);
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
        calls: {
            let mut called = BTreeSet::new();
            callees(node, &mut called);
            called
        },
        jumps: contains(node, &["BreakStmt", "ContinueStmt", "GotoStmt"]),
        returns: exits(text, node, &["ReturnStmt"]),
        exits: exits(text, node, &["ReturnStmt", "BreakStmt", "ContinueStmt"]),
        leaves: ["ReturnStmt", "BreakStmt", "ContinueStmt", "GotoStmt"]
            .iter()
            .any(|kind| node["kind"] == *kind),
        waits_once: (node["kind"] == "IfStmt" && calls(node, "pthread_cond_wait")).then_some(from),
        wait: wait(text, node),
        announces: announces(node),
        loops: LOOPS.iter().any(|kind| node["kind"] == *kind),
    })
}

const LOOPS: [&str; 4] = ["WhileStmt", "DoStmt", "ForStmt", "CXXForRangeStmt"];

/// Statements of these kinds, the semicolons included, but for those that leave a loop inside of it.
fn exits(text: &str, node: &Value, kinds: &[&str]) -> Vec<Range<usize>> {
    let kind = node["kind"].as_str().unwrap_or_default();
    if kinds.contains(&kind) {
        let end = |from| semicolon(text, from);
        return begin(node).and_then(|from| Some(from..end(from)?)).into_iter().collect();
    }
    let inner: Vec<&str> = match kind {
        _ if LOOPS.contains(&kind) => {
            kinds.iter().copied().filter(|kind| *kind == "ReturnStmt").collect()
        }
        "SwitchStmt" => kinds.iter().copied().filter(|kind| *kind != "BreakStmt").collect(),
        _ => kinds.to_vec(),
    };
    children(node).iter().flat_map(|child| exits(text, child, &inner)).collect()
}

fn wait(text: &str, node: &Value) -> Option<Wait> {
    if !matches!(node["kind"].as_str()?, "WhileStmt" | "IfStmt" | "DoStmt") {
        return None;
    }
    let (_, arguments) = find_call(text, node, "pthread_cond_wait")?;
    let mut looks_at = Vec::new();
    // The body, where the wait stands, is no condition.
    for inner in children(node).iter().filter(|inner| !calls(inner, "pthread_cond_wait")) {
        variables(inner, &mut looks_at);
    }
    let [condition, mutex] = <[String; 2]>::try_from(arguments).ok()?;
    Some(Wait { condition, mutex, looks_at })
}

/// `flag = 1;` or `atomic_store(&flag, 1);`
fn announces(node: &Value) -> bool {
    let is_atomic = |node: &Value| {
        let desugared = node["type"]["desugaredQualType"].as_str();
        let written = desugared.or(node["type"]["qualType"].as_str()).unwrap_or_default();
        written.contains("_Atomic(")
    };
    let stores = match node["kind"].as_str() {
        Some("BinaryOperator") => {
            node["opcode"] == "=" && children(node).first().is_some_and(is_atomic)
        }
        Some("AtomicExpr") => node["type"]["qualType"] == "void",
        _ => false,
    };
    let mut named = Vec::new();
    children(node).iter().skip(1).for_each(|value| variables(value, &mut named));
    stores && named.is_empty() && !contains(node, &["CallExpr"]) && !names_parameter(node)
}

fn names_parameter(node: &Value) -> bool {
    node["kind"] == "DeclRefExpr" && node["referencedDecl"]["kind"] == "ParmVarDecl"
        || children(node).iter().any(names_parameter)
}

fn find_call(text: &str, node: &Value, function: &str) -> Option<(String, Vec<String>)> {
    let own = call(text, node).filter(|(name, _)| name == function);
    own.or_else(|| children(node).iter().find_map(|inner| find_call(text, inner, function)))
}

/// The variables that an expression names, each once.
fn variables(node: &Value, found: &mut Vec<String>) {
    if node["kind"] == "DeclRefExpr" && node["referencedDecl"]["kind"] == "VarDecl" {
        let name = node["referencedDecl"]["name"].as_str().unwrap_or_default();
        if !found.iter().any(|one| one == name) {
            found.push(name.to_string());
        }
    }
    children(node).iter().for_each(|inner| variables(inner, found));
}

fn callees(node: &Value, found: &mut BTreeSet<String>) {
    if node["kind"] == "CallExpr" {
        found.extend(children(node).first().and_then(named).map(str::to_string));
    }
    children(node).iter().for_each(|inner| callees(inner, found));
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
