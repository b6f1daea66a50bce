//! A source file as blocks of statements: as much of clang's syntax tree as edits need.
//!
//! C++'s ways of locking, waiting and telling are the same notions as pthread's: a call of a member function is a call whose
//! first argument is its object, and a guard is a lock that its block gives back (`cxx`). A lambda is a function of its own.
//! Templates are left out: what stands there belongs to many functions.

use crate::cxx::{self, Guard};
use crate::words::{CREATES, WAITS, Words};
use serde_json::Value;
use serde_json::value::RawValue;
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
    /// Where the first argument is written, of a call or a guard.
    pub argument_at: Option<Range<usize>>,
    /// It declares a lock that is held from here to the end of the block.
    pub guard: Option<Guard>,
    /// The variables of threads that it starts.
    pub starts: Vec<String>,
    /// It declares something.
    pub declares: bool,
    /// Lines of the lambdas in it, which are functions of their own.
    pub lambdas: Vec<Range<u32>>,
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
    pub looks_at: Vec<Looked>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    pub variable: String,
    /// Either true or false.
    pub is_flag: bool,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub function: String,
    /// Where the function begins.
    pub function_at: usize,
    /// Where the outermost declaration begins that the function stands in.
    pub outermost_at: usize,
    /// Mutexes of the function's class.
    pub members: Vec<String>,
    /// From brace to brace.
    pub text: Range<usize>,
    /// How many blocks it stands in.
    pub depth: u32,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, Default)]
pub struct Source {
    pub text: String,
    pub words: Words,
    pub blocks: Vec<Block>,
    /// Mutexes that every function of the file can name.
    pub mutexes: Vec<String>,
    /// What the file's functions call.
    pub calls: BTreeMap<String, BTreeSet<String>>,
}

impl Source {
    /// Mutexes that a function can name: the file's, and its class's.
    pub fn mutexes_in<'a>(&'a self, block: &'a Block) -> impl Iterator<Item = &'a String> {
        self.mutexes.iter().chain(&block.members)
    }

    /// The blocks of the same function, this one among them.
    pub fn beside(&self, block: &Block) -> impl Iterator<Item = &Block> + Clone + use<'_> {
        let at = block.function_at;
        self.blocks.iter().filter(move |other| other.function_at == at)
    }

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

/// What clang's `-ast-dump=json` has of the file itself. The headers of a C++ program are a hundred megabytes: they are passed
/// over, not read. What is nested too deep is left out.
pub fn own(dump: &[u8]) -> Option<Value> {
    let unit: BTreeMap<&str, &RawValue> = serde_json::from_slice(dump).ok()?;
    let all: Vec<&RawValue> = serde_json::from_str(unit.get("inner")?.get()).ok()?;
    // What a header brings says who included it.
    let included = |at: &Value| {
        at.get("includedFrom").is_some() || at["expansionLoc"].get("includedFrom").is_some()
    };
    let is_own = |node: &&RawValue| {
        let head = node.get().split_once("\"inner\": [").map(|(head, _)| head.trim_end());
        let head = head.map(|head| format!("{}}}", head.trim_end_matches(',')));
        let head = serde_json::from_str(head.as_deref().unwrap_or(node.get()));
        let head: Value = head.unwrap_or_default();
        !included(&head["loc"]) && !included(&head["range"]["begin"])
    };
    let own = all.into_iter().filter(is_own);
    Some(own.filter_map(|node| serde_json::from_str::<Value>(node.get()).ok()).collect())
}

/// From clang's syntax tree of this text: its own declarations. `cxx`: it is C++.
pub fn read(text: &str, own: &Value, cxx: bool) -> Source {
    let source = Source { text: text.to_string(), ..Source::default() };
    let mut reader = Reader { source, ..Reader::default() };
    for node in own.as_array().into_iter().flatten() {
        if let Some(at) = begin(node) {
            reader.declaration(node, at, &[]);
        }
    }
    let Reader { mut source, mutexes, .. } = reader;
    let posix = |name: &String| {
        ["pthread_mutex_", "pthread_cond_", "pthread_create"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
    };
    if cxx && !source.calls.values().flatten().any(posix) {
        source.words = Words::Cxx;
    }
    let fitting = mutexes.into_iter().filter(|(_, words)| *words == source.words);
    source.mutexes = fitting.map(|(name, _)| name).collect();
    name_mutexes(&mut source);
    source
}

/// Who waits with a guard waits with its mutex.
fn name_mutexes(source: &mut Source) {
    let guards: Vec<(usize, Guard)> = source
        .blocks
        .iter()
        .flat_map(|block| block.statements.iter().map(move |one| (block.function_at, one)))
        .filter_map(|(at, one)| Some((at, one.guard.clone()?)))
        .collect();
    for block in &mut source.blocks {
        for wait in block.statements.iter_mut().filter_map(|one| one.wait.as_mut()) {
            let of_wait = |(at, guard): &&(usize, Guard)| {
                *at == block.function_at && guard.name == wait.mutex
            };
            if let Some((_, guard)) = guards.iter().find(of_wait) {
                wait.mutex = guard.mutexes[0].clone();
            }
        }
    }
}

#[derive(Default)]
struct Reader {
    source: Source,
    mutexes: Vec<(String, Words)>,
    /// Mutexes of each class.
    classes: BTreeMap<String, Vec<String>>,
}

/// A function whose blocks are read.
#[derive(Clone, Copy)]
struct Function<'a> {
    name: &'a str,
    at: usize,
    outermost_at: usize,
    members: &'a [String],
}

impl Reader {
    /// Functions, also those of classes and in namespaces, and mutexes that they can name.
    fn declaration(&mut self, node: &Value, outermost_at: usize, members: &[String]) {
        let name = node["name"].as_str().unwrap_or_default();
        match node["kind"].as_str() {
            Some("VarDecl") => {
                let words = Words::of_mutex(type_of(node));
                self.mutexes.extend(words.map(|words| (name.to_string(), words)));
            }
            Some("NamespaceDecl" | "LinkageSpecDecl") => {
                children(node).iter().for_each(|one| self.declaration(one, outermost_at, members));
            }
            Some("CXXRecordDecl") => {
                let is_mutex = |one: &&Value| {
                    matches!(one["kind"].as_str(), Some("FieldDecl" | "VarDecl"))
                        && Words::of_mutex(type_of(one)) == Some(Words::Cxx)
                };
                let fields = children(node).iter().filter(is_mutex);
                let members: Vec<String> =
                    fields.filter_map(|one| one["name"].as_str().map(str::to_string)).collect();
                let id = node["id"].as_str().unwrap_or_default();
                self.classes.insert(id.to_string(), members.clone());
                let inside = children(node).iter().filter(|one| one["kind"] != "VarDecl");
                inside.for_each(|one| self.declaration(one, outermost_at, &members));
            }
            Some("FunctionDecl" | "CXXMethodDecl" | "CXXConstructorDecl" | "CXXDestructorDecl") => {
                let Some(at) = begin(node).filter(|_| node["isImplicit"] != true) else { return };
                let body = children(node).iter().find(|inner| inner["kind"] == "CompoundStmt");
                let class = node["parentDeclContextId"].as_str();
                let elsewhere = class.and_then(|class| self.classes.get(class)).cloned();
                let members = elsewhere.as_deref().unwrap_or(members);
                if let Some(body) = body {
                    let called = self.source.calls.entry(name.to_string()).or_default();
                    callees(body, called);
                    let function = Function { name, at, outermost_at, members };
                    blocks(&mut self.source, function, 0, body);
                }
            }
            _ => {}
        }
    }
}

pub fn children(node: &Value) -> &[Value] {
    node["inner"].as_array().map_or(&[], Vec::as_slice)
}

/// As it is, without the names that it goes by.
pub fn type_of(node: &Value) -> &str {
    let of = &node["type"];
    of["desugaredQualType"].as_str().or(of["qualType"].as_str()).unwrap_or_default()
}

/// Where the user wrote it, also where a macro made it.
fn offset(at: &Value) -> Option<usize> {
    let place = if at.get("expansionLoc").is_some() { &at["expansionLoc"] } else { at };
    usize::try_from(place["offset"].as_u64()?).ok()
}

pub fn begin(node: &Value) -> Option<usize> {
    offset(&node["range"]["begin"])
}

fn blocks(source: &mut Source, function: Function, depth: u32, node: &Value) {
    let is_block =
        node["kind"] == "CompoundStmt" && node["range"]["begin"].get("expansionLoc").is_none();
    if is_block && let Some(text) = written(&source.text, node) {
        let statements = children(node).iter().filter_map(|inner| statement(&source.text, inner));
        source.blocks.push(Block {
            function: function.name.to_string(),
            function_at: function.at,
            outermost_at: function.outermost_at,
            members: function.members.to_vec(),
            depth,
            statements: statements.collect(),
            text,
        });
    }
    // What a wait looks at is done with the lock in hand.
    if is_wait(node) {
        return;
    }
    if let Some(body) = cxx::lambda(node) {
        let Some(at) = begin(node) else { return };
        let name = "operator()";
        callees(body, source.calls.entry(name.to_string()).or_default());
        return blocks(source, Function { name, at, ..function }, 0, body);
    }
    for inner in children(node) {
        blocks(source, function, depth + u32::from(is_block), inner);
    }
}

fn statement(text: &str, node: &Value) -> Option<Statement> {
    let from = begin(node)?;
    let end = written(text, node)?.end;
    let ended = text.get(..end)?.ends_with(['}', ';']);
    let end = if ended { end } else { semicolon(text, end)? };
    let (guard, guarded_at) = cxx::guard(text, node).unzip();
    let (call, called_at) = call(text, node).unzip();
    let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
    Some(Statement {
        text: from..end,
        lines: line(from)..line(end - 1) + 1,
        call,
        argument_at: called_at.flatten().or(guarded_at),
        guard,
        starts: threads(text, node),
        declares: node["kind"] == "DeclStmt",
        lambdas: lambdas(node).into_iter().map(|at| line(at.start)..line(at.end) + 1).collect(),
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
        waits_once: (node["kind"] == "IfStmt" && waits(node)).then_some(from),
        wait: wait(text, node),
        announces: announces(node),
        loops: LOOPS.iter().any(|kind| node["kind"] == *kind),
    })
}

const LOOPS: [&str; 4] = ["WhileStmt", "DoStmt", "ForStmt", "CXXForRangeStmt"];

/// Where something is written, without a semicolon behind it.
pub fn written(text: &str, node: &Value) -> Option<Range<usize>> {
    let last = &node["range"]["end"];
    let last = if last.get("expansionLoc").is_some() { &last["expansionLoc"] } else { last };
    let length = usize::try_from(last["tokLen"].as_u64()?).ok()?;
    let at = begin(node)?..offset(last)? + length;
    text.get(at.clone()).map(|_| at)
}

/// Where the bodies of lambdas are, those of the outermost.
fn lambdas(node: &Value) -> Vec<Range<usize>> {
    match cxx::lambda(node) {
        Some(body) => {
            let end = offset(&body["range"]["end"]);
            begin(body).and_then(|from| Some(from..end?)).into_iter().collect()
        }
        None => children(node).iter().flat_map(lambdas).collect(),
    }
}

/// The variables of threads that a statement starts.
fn threads(text: &str, node: &Value) -> Vec<String> {
    let mut all = cxx::threads(node);
    if let Some(((name, arguments), _)) = call(text, node)
        && name == CREATES[0]
    {
        all.extend(arguments.first().and_then(|one| one.strip_prefix('&')).map(str::to_string));
    }
    all
}

/// Statements of these kinds, the semicolons included, but for those that leave a loop inside of it.
fn exits(text: &str, node: &Value, kinds: &[&str]) -> Vec<Range<usize>> {
    let kind = node["kind"].as_str().unwrap_or_default();
    if kinds.contains(&kind) {
        let end = |from| semicolon(text, from);
        return begin(node).and_then(|from| Some(from..end(from)?)).into_iter().collect();
    }
    let inner: Vec<&str> = match kind {
        "LambdaExpr" => return Vec::new(),
        _ if LOOPS.contains(&kind) => {
            kinds.iter().copied().filter(|kind| *kind == "ReturnStmt").collect()
        }
        "SwitchStmt" => kinds.iter().copied().filter(|kind| *kind != "BreakStmt").collect(),
        _ => kinds.to_vec(),
    };
    children(node).iter().flat_map(|child| exits(text, child, &inner)).collect()
}

/// A wait for a condition variable.
fn is_wait(node: &Value) -> bool {
    called(node).is_some_and(|name| WAITS.contains(&name.as_str()))
}

/// Does it wait for a condition variable without saying for what?
fn waits(node: &Value) -> bool {
    is_wait(node) && cxx::member_call(node).is_none_or(|(_, given)| given.len() == 2)
        || inner(node).iter().any(waits)
}

fn wait(text: &str, node: &Value) -> Option<Wait> {
    let node = cxx::bare(node);
    let loops = matches!(node["kind"].as_str()?, "WhileStmt" | "IfStmt" | "DoStmt");
    if !loops && !is_wait(node) {
        return None;
    }
    let (_, arguments) = find_wait(text, node)?;
    let mut looks_at = Vec::new();
    if loops {
        // The body, where the wait stands, is no condition.
        for inner in children(node).iter().filter(|inner| find_wait(text, inner).is_none()) {
            variables(inner, &mut looks_at);
        }
    } else {
        children(node).iter().skip(2).for_each(|inner| variables(inner, &mut looks_at));
    }
    let mut arguments = arguments.into_iter();
    let (condition, mutex) = (arguments.next()?, arguments.next()?);
    (loops || !looks_at.is_empty()).then_some(Wait { condition, mutex, looks_at })
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

fn find_wait(text: &str, node: &Value) -> Option<(String, Vec<String>)> {
    let own = if is_wait(node) { call(text, node) } else { None };
    let own = own.map(|(call, _)| call);
    own.or_else(|| inner(node).iter().find_map(|inner| find_wait(text, inner)))
}

/// The variables that an expression names, each once.
fn variables(node: &Value, found: &mut Vec<Looked>) {
    let of = &node["referencedDecl"];
    let global = of["name"].as_str().filter(|_| of["kind"] == "VarDecl");
    let named = global.filter(|_| node["kind"] == "DeclRefExpr").or(cxx::own_member(node));
    if let Some(name) = named
        && !found.iter().any(|one| one.variable == name)
    {
        found.push(Looked { variable: name.to_string(), is_flag: type_of(node) == "bool" });
    }
    match cxx::lambda(node) {
        Some(body) => variables(body, found),
        None => children(node).iter().for_each(|inner| variables(inner, found)),
    }
}

fn callees(node: &Value, found: &mut BTreeSet<String>) {
    found.extend(called(node));
    if !cxx::threads(node).is_empty() {
        found.insert(CREATES[1].to_string());
    }
    inner(node).iter().for_each(|inner| callees(inner, found));
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
        || inner(node).iter().any(|inner| contains(inner, kinds))
}

/// What is done there: a lambda is only made.
fn inner(node: &Value) -> &[Value] {
    if node["kind"] == "LambdaExpr" { &[] } else { children(node) }
}

fn named(node: &Value) -> Option<&str> {
    match node["kind"].as_str()? {
        "DeclRefExpr" => node["referencedDecl"]["name"].as_str(),
        "ImplicitCastExpr" | "ParenExpr" => named(children(node).first()?),
        _ => None,
    }
}

/// The function that an expression is a call of.
fn called(node: &Value) -> Option<String> {
    match node["kind"].as_str()? {
        "CallExpr" => named(children(node).first()?).map(str::to_string),
        _ => cxx::member_call(node).map(|(name, _)| name),
    }
}

/// A call, with its arguments as they are written, and where the first one is. The first of a member function is its object.
#[allow(clippy::type_complexity)]
fn call(text: &str, node: &Value) -> Option<((String, Vec<String>), Option<Range<usize>>)> {
    let node = cxx::bare(node);
    let (name, arguments): (String, Vec<&Value>) = match node["kind"].as_str()? {
        "CallExpr" => (called(node)?, children(node).iter().skip(1).collect()),
        _ => cxx::member_call(node)?,
    };
    let places: Vec<Option<Range<usize>>> =
        arguments.iter().map(|argument| written(text, argument)).collect();
    let as_written = |at: &Option<Range<usize>>| at.clone().map_or("", |at| &text[at]).to_string();
    let arguments = places.iter().map(as_written).collect();
    Some(((name, arguments), places.into_iter().next().flatten()))
}
