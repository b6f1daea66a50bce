//! What somebody says about a point, to be asked of runs: `withdraw():::EXIT balance == orig(balance) - 100`.

use crate::column::{Column, columns};
use crate::confidence::CERTAIN;
use crate::invariant::{Invariant, Order, Predicate};
use crate::points::{At, Point};
use crate::variable::{Kind, Variable};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// `withdraw`, or `main.c_6_12`.
    pub name: String,
    pub at: At,
    pub text: String,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", self.point(false), self.text)
    }
}

impl std::str::FromStr for Claim {
    type Err = String;

    fn from_str(claim: &str) -> Result<Claim, String> {
        let wrong = || format!("`{claim}` is not like `function():::EXIT x == orig(x) + 1`");
        let (point, text) = claim.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
        let (name, at) = point.split_once("():::").ok_or_else(wrong)?;
        let at = match at {
            "ENTER" => At::Enter,
            "LAST" => At::Last,
            "EXIT" => At::Exit,
            _ => return Err(wrong()),
        };
        let text = text.trim().to_string();
        comparison(&text).ok_or_else(wrong)?;
        Ok(Claim { name: name.into(), at, text })
    }
}

impl Claim {
    /// Of the function of that name, or of the block.
    pub fn point(&self, is_block: bool) -> Point {
        Point { is_block, name: self.name.as_str().into(), at: self.at }
    }

    /// `None`: it is about something that is not observed.
    pub fn invariant(&self, variables: &[Variable]) -> Option<Invariant> {
        let predicate = predicate(&self.text, &columns(variables, self.at != At::Enter))?;
        Some(Invariant { predicate, samples: 0, confidence: CERTAIN })
    }
}

/// What is on both sides of the sign.
fn comparison(text: &str) -> Option<(&str, Order, &str)> {
    use Order::*;
    [Equal, NotEqual, AtMost, AtLeast, Less, Greater].into_iter().find_map(|order| {
        let (left, right) = text.split_once(&format!(" {} ", order.sign()))?;
        Some((left.trim(), order, right.trim()))
    })
}

fn predicate(text: &str, columns: &[Column]) -> Option<Predicate> {
    let (left, order, right) = comparison(text)?;
    let column = |name: &str| columns.iter().position(|column| column.name == name);
    let x = column(left)?;
    if let Some(y) = column(right) {
        return Some(Predicate::Compare { x, order, y });
    }
    if let Some(value) = value(right, &columns[x].kind) {
        return with_value(x, order, value);
    }
    let (name, sign, number) = match (right.rsplit_once(" + "), right.rsplit_once(" - ")) {
        (Some((name, number)), _) => (name, -1, number),
        (_, Some((name, number))) => (name, 1, number),
        _ => return None,
    };
    let (y, number) = (column(name.trim())?, number.trim().parse::<i128>().ok()?);
    (order == Order::Equal).then_some(Predicate::Line { x, y, a: 1, b: -1, c: sign * number })
}

fn value(text: &str, kind: &Kind) -> Option<i64> {
    match kind {
        Kind::Pointer => ["null", "NULL"].contains(&text).then_some(0),
        Kind::Float => None,
        Kind::Enumeration(names) => {
            let named = names.iter().find(|(_, name)| name == text).map(|(value, _)| *value);
            named.or_else(|| text.parse().ok())
        }
        _ => text.parse().ok(),
    }
}

fn with_value(x: usize, order: Order, value: i64) -> Option<Predicate> {
    Some(match order {
        Order::Equal => Predicate::OneOf { x, values: vec![value] },
        Order::AtLeast => Predicate::AtLeast { x, bound: value },
        Order::AtMost => Predicate::AtMost { x, bound: value },
        Order::Greater => Predicate::AtLeast { x, bound: value.checked_add(1)? },
        Order::Less => Predicate::AtMost { x, bound: value.checked_sub(1)? },
        Order::NotEqual if value == 0 => Predicate::NotZero { x },
        Order::NotEqual => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variable::Location;

    fn read(text: &str) -> Option<Predicate> {
        let variable = |name: &str, kind| Variable {
            name: name.into(),
            kind,
            location: Location::Fixed(0),
            size: 8,
            sequence: None,
        };
        let variables = [variable("balance", Kind::Signed), variable("p", Kind::Pointer)];
        let claim: Claim = format!("withdraw():::EXIT {text}").parse().unwrap();
        claim.invariant(&variables).map(|invariant| invariant.predicate)
    }

    #[test]
    fn claims_are_read_as_they_are_written() {
        let line = |c| Some(Predicate::Line { x: 0, y: 2, a: 1, b: -1, c });
        assert_eq!(read("balance == orig(balance) - 100"), line(100));
        assert_eq!(read("balance == orig(balance) + 1"), line(-1));
        let below = Some(Predicate::Compare { x: 0, order: Order::Less, y: 2 });
        assert_eq!(read("balance < orig(balance)"), below);
        assert_eq!(read("balance > 3"), Some(Predicate::AtLeast { x: 0, bound: 4 }));
        assert_eq!(read("p != null"), Some(Predicate::NotZero { x: 1 }));
        assert_eq!(read("q == 3"), None);
    }

    #[test]
    fn what_is_no_claim_is_told() {
        for text in ["", "balance", "f() x == 3", "f():::NEVER x == 3", "f():::EXIT x"] {
            assert!(text.parse::<Claim>().is_err(), "{text}");
        }
    }
}
