//! Invariants of functions as C: two macros a function, for its begin and its end.

use crate::column::{Column, columns};
use crate::invariant::{Invariant, Order, Predicate};
use crate::points::{At, Point};
use crate::variable::{Kind, Location, Names, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const HEAD: &str = "/* Likely invariants, as unpick found them. In a function f that may see these variables, put\n \
* INVARIANT_ENTER_f at its begin and INVARIANT_EXIT_f before it returns. */\n#include <assert.h>\n\
#include <stddef.h>\n\n";

pub fn header(
    variables: &[Variable],
    invariants: &BTreeMap<Point, Vec<Invariant>>,
    names: &dyn Names,
) -> String {
    let exit = columns(variables, true);
    let functions: BTreeSet<_> =
        invariants.keys().filter(|point| !point.is_block).map(|point| &point.name).collect();
    let mut text = HEAD.to_string();
    for function in functions {
        let at = |at| Point { is_block: false, name: function.clone(), at };
        let of = |point: &Point| invariants.get(point).map_or(&[][..], Vec::as_slice);
        let (before, after) = (of(&at(At::Enter)), of(&at(At::Exit)));
        let kept: BTreeSet<usize> = after
            .iter()
            .filter(|invariant| expression(&invariant.predicate, &exit, names).is_some())
            .flat_map(|invariant| invariant.predicate.columns())
            .flat_map(|column| pointers(column, variables).into_iter().chain([column]))
            .filter(|column| exit[*column].is_original())
            .collect();
        let keep = kept.iter().filter_map(|column| {
            let number = exit[*column].original_of?;
            let (now, then) = (&exit[number].name, word(&exit[*column].name));
            let there = pointers(number, variables).into_iter().map(|x| exit[x].name.as_str());
            let there: Vec<&str> = there.collect();
            let value = match there.is_empty() {
                true => now.clone(),
                false => format!("{} ? {now} : 0", there.join(" && ")),
            };
            Some(format!("__typeof__({now}) {then} = {value};"))
        });
        let asserted = |all: &[Invariant]| -> Vec<String> {
            let told = all.iter().filter_map(|one| {
                let said = expression(&one.predicate, &exit, names)?;
                let behind: BTreeSet<usize> = one
                    .predicate
                    .columns()
                    .into_iter()
                    .flat_map(|column| pointers(column, variables))
                    .collect();
                // Where a pointer is null, what is behind it makes no sense.
                let nowhere: String =
                    behind.iter().map(|x| format!("!{} || ", name(*x, &exit))).collect();
                let said = if nowhere.is_empty() { said } else { format!("{nowhere}({said})") };
                Some(format!("assert({said});"))
            });
            told.collect()
        };
        let enter: Vec<String> = keep.chain(asserted(before)).collect();
        let function = word(function);
        let _ = writeln!(text, "#define INVARIANT_ENTER_{function} {}", enter.join(" \\\n    "));
        let exit = asserted(after).join(" \\\n    ");
        let _ = writeln!(text, "#define INVARIANT_EXIT_{function} {exit}\n");
    }
    text
}

/// The pointers that a column lies behind, the first one first; of what was at the entry, as they were there.
fn pointers(column: usize, variables: &[Variable]) -> Vec<usize> {
    let (mut number, shift) = (column % variables.len(), column / variables.len());
    let mut found = Vec::new();
    while let Location::Behind { pointer, .. } = variables[number].location {
        found.insert(0, pointer + shift * variables.len());
        number = pointer;
    }
    found
}

/// What a macro calls it.
fn name(x: usize, columns: &[Column]) -> String {
    match columns[x].is_original() {
        true => word(&columns[x].name),
        false => columns[x].name.clone(),
    }
}

/// An identifier for something that has a longer name.
fn word(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// `None`: C cannot say it in one expression.
fn expression(predicate: &Predicate, columns: &[Column], names: &dyn Names) -> Option<String> {
    let name = |x: usize| name(x, columns);
    let value = |x: usize, value: i64| match columns[x].kind {
        Kind::Pointer if value == 0 => "NULL".to_string(),
        Kind::Pointer => format!("(void *){}", columns[x].kind.show(value, names)),
        _ => columns[x].kind.show(value, names),
    };
    let compare = |x: usize, order: Order, y: String| format!("{} {} {y}", name(x), order.sign());
    Some(match predicate {
        Predicate::OneOf { x, values } => {
            let each = values.iter().map(|one| compare(*x, Order::Equal, value(*x, *one)));
            each.collect::<Vec<_>>().join(" || ")
        }
        Predicate::AtLeast { x, bound } => compare(*x, Order::AtLeast, value(*x, *bound)),
        Predicate::AtMost { x, bound } => compare(*x, Order::AtMost, value(*x, *bound)),
        Predicate::NotZero { x } => compare(*x, Order::NotEqual, value(*x, 0)),
        Predicate::Modulus { x, modulus, rest } => {
            // The rest of a negative number is negative in C.
            format!("({} % {modulus} + {modulus}) % {modulus} == {rest}", name(*x))
        }
        Predicate::Compare { x, order, y } => compare(*x, *order, name(*y)),
        Predicate::Line { x, y, a, b, c } => {
            format!("{a}LL * {} + {b}LL * {} + {c}LL == 0", name(*x), name(*y))
        }
        Predicate::Plane { columns, factors, rest } => {
            let terms =
                columns.iter().zip(factors).map(|(x, factor)| format!("{factor}LL * {}", name(*x)));
            format!("{} + {rest}LL == 0", terms.collect::<Vec<_>>().join(" + "))
        }
        Predicate::Sorted { sequence, order } => {
            let pairs = sequence.elements.windows(2);
            pairs
                .map(|pair| compare(pair[0], *order, name(pair[1])))
                .collect::<Vec<_>>()
                .join(" && ")
        }
        Predicate::Elements { sequence, order, bound } => {
            let each = sequence.elements.iter().map(|x| compare(*x, *order, value(*x, *bound)));
            each.collect::<Vec<_>>().join(" && ")
        }
        Predicate::Same { sequence } => {
            let then = sequence.original.as_ref()?;
            let pairs = sequence.elements.iter().zip(then);
            let each = pairs.map(|(now, then)| compare(*now, Order::Equal, name(*then)));
            each.collect::<Vec<_>>().join(" && ")
        }
        Predicate::Member { x, sequence } => {
            let each = sequence.elements.iter().map(|y| compare(*x, Order::Equal, name(*y)));
            each.collect::<Vec<_>>().join(" || ")
        }
        Predicate::Implies { x, value: at, only, then } => {
            let here = compare(*x, Order::Equal, value(*x, *at));
            let then = expression(then, columns, names)?;
            match only {
                true => format!("({here}) == ({then})"),
                false => format!("!({here}) || ({then})"),
            }
        }
    })
}
