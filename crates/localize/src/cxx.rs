//! What C++ writes in its own way, in clang's syntax tree: calls of member functions, guards, threads as variables, lambdas.

use crate::syntax::{begin, children, type_of, written};
use serde_json::Value;
use std::ops::Range;

/// A lock that the end of its block gives back.
#[derive(Clone, Debug)]
pub struct Guard {
    pub name: String,
    /// As they are written: `std::scoped_lock` takes several.
    pub mutexes: Vec<String>,
}

const GUARDS: [&str; 3] = ["lock_guard", "unique_lock", "scoped_lock"];
/// Classes whose functions are known, each under one name for all that are like it.
const CLASSES: [(&str, &str); 8] = [
    ("mutex", "mutex"),
    ("recursive_mutex", "mutex"),
    ("timed_mutex", "mutex"),
    ("unique_lock", "unique_lock"),
    ("condition_variable", "condition_variable"),
    ("condition_variable_any", "condition_variable"),
    ("thread", "thread"),
    ("jthread", "thread"),
];

/// `std::lock_guard<std::mutex>` -> `lock_guard`
fn class(node: &Value) -> &str {
    let name = type_of(node);
    let name = name.strip_prefix("std::").unwrap_or(name);
    name.split_once('<').map_or(name, |(name, _)| name)
}

fn known(node: &Value) -> Option<&'static str> {
    let class = class(node);
    CLASSES.iter().find(|(name, _)| *name == class).map(|(_, family)| *family)
}

/// Without what only says that temporaries end here.
pub fn bare(node: &Value) -> &Value {
    match (node["kind"].as_str(), children(node).first()) {
        (Some("ExprWithCleanups"), Some(inner)) => bare(inner),
        _ => node,
    }
}

/// The function that a member call is of (`std::mutex::lock`; of unknown classes its name alone), its object and arguments.
pub fn member_call(node: &Value) -> Option<(String, Vec<&Value>)> {
    let (callee, arguments) = match node["kind"].as_str()? {
        "CXXMemberCallExpr" => children(node).split_first()?,
        _ => return None,
    };
    let name = callee["name"].as_str()?;
    let object = children(callee).first()?;
    // A derived class, or a constant one, is what it is.
    let object = match (object["kind"].as_str(), children(object).first()) {
        (Some("ImplicitCastExpr"), Some(inner)) => inner,
        _ => object,
    };
    let full = match known(object) {
        Some(class) => format!("std::{class}::{name}"),
        None => name.to_string(),
    };
    let given = arguments.iter().filter(|one| one["kind"] != "CXXDefaultArgExpr");
    Some((full, std::iter::once(object).chain(given).collect()))
}

/// The variables that a statement declares.
fn declared(node: &Value) -> impl Iterator<Item = &Value> {
    let all = if node["kind"] == "DeclStmt" { children(node) } else { &[] };
    all.iter().filter(|one| one["kind"] == "VarDecl")
}

fn name(node: &Value) -> String {
    node["name"].as_str().unwrap_or_default().to_string()
}

/// A guard that takes what it is given at once, and where its first mutex is written.
pub fn guard(text: &str, node: &Value) -> Option<(Guard, Range<usize>)> {
    let variable = declared(node).next().filter(|_| children(node).len() == 1)?;
    let constructed = bare(children(variable).first()?);
    if !GUARDS.contains(&class(variable)) || constructed["kind"] != "CXXConstructExpr" {
        return None;
    }
    let mutexes = children(constructed);
    let is_mutex = |one: &Value| known(one) == Some("mutex");
    if mutexes.is_empty() || !mutexes.iter().all(is_mutex) {
        return None;
    }
    let places: Option<Vec<Range<usize>>> =
        mutexes.iter().map(|mutex| written(text, mutex)).collect();
    let places = places?;
    let mutexes = places.iter().map(|at| text[at.clone()].to_string()).collect();
    Some((Guard { name: name(variable), mutexes }, places.into_iter().next()?))
}

/// Variables that are threads from here on.
pub fn threads(node: &Value) -> Vec<String> {
    let starts = |variable: &&Value| {
        let constructed = children(variable).first().map(bare);
        known(variable) == Some("thread")
            && constructed.is_some_and(|made| !children(made).is_empty())
    };
    declared(node).filter(starts).map(name).collect()
}

/// The lambda's body. (Its class, which comes first, has it a second time.)
pub fn lambda(node: &Value) -> Option<&Value> {
    let is_lambda = node["kind"] == "LambdaExpr";
    children(node).iter().rfind(|inner| is_lambda && inner["kind"] == "CompoundStmt")
}

/// A member of the own object, by its name alone.
pub fn own_member(node: &Value) -> Option<&str> {
    let of_this = children(node).first().is_some_and(|object| object["kind"] == "CXXThisExpr");
    let is_field = begin(node).is_some() && !type_of(node).contains("bound member function");
    node["name"].as_str().filter(|_| node["kind"] == "MemberExpr" && of_this && is_field)
}
