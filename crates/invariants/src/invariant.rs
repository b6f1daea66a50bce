//! What is said about the values at a point, and how it is written.

use crate::column::{Column, Sequence};
use crate::pair::is_on;
use crate::variable::{Names, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Order {
    pub fn holds(self, x: i64, y: i64) -> bool {
        match self {
            Order::Equal => x == y,
            Order::NotEqual => x != y,
            Order::Less => x < y,
            Order::AtMost => x <= y,
            Order::Greater => x > y,
            Order::AtLeast => x >= y,
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Order::Equal => "==",
            Order::NotEqual => "!=",
            Order::Less => "<",
            Order::AtMost => "<=",
            Order::Greater => ">",
            Order::AtLeast => ">=",
        }
    }
}

/// Variables are numbers of columns.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// One value, or one of a few.
    OneOf {
        x: usize,
        values: Vec<i64>,
    },
    AtLeast {
        x: usize,
        bound: i64,
    },
    AtMost {
        x: usize,
        bound: i64,
    },
    NotZero {
        x: usize,
    },
    Modulus {
        x: usize,
        modulus: i64,
        rest: i64,
    },
    Compare {
        x: usize,
        order: Order,
        y: usize,
    },
    /// `a * x + b * y + c == 0`
    Line {
        x: usize,
        y: usize,
        a: i64,
        b: i64,
        c: i128,
    },
    Plane {
        columns: [usize; 3],
        factors: [i64; 3],
        rest: i128,
    },
    /// Each element with the next one.
    Sorted {
        sequence: Sequence,
        order: Order,
    },
    /// Each element with a number.
    Elements {
        sequence: Sequence,
        order: Order,
        bound: i64,
    },
    /// Each element is as it was.
    Same {
        sequence: Sequence,
    },
    Member {
        x: usize,
        sequence: Sequence,
    },
    /// Where `x` has the value, the other holds; with `only`, and nowhere else.
    Implies {
        x: usize,
        value: i64,
        only: bool,
        then: Box<Predicate>,
    },
}

impl Predicate {
    /// `None`: a variable makes no sense in this sample.
    pub fn holds(&self, sample: &[Value]) -> Option<bool> {
        let all = |sequence: &Sequence| -> Option<Vec<i64>> {
            sequence.elements.iter().map(|&at| sample[at]).collect()
        };
        Some(match self {
            Predicate::OneOf { x, values } => values.contains(&sample[*x]?),
            Predicate::AtLeast { x, bound } => sample[*x]? >= *bound,
            Predicate::AtMost { x, bound } => sample[*x]? <= *bound,
            Predicate::NotZero { x } => sample[*x]? != 0,
            Predicate::Modulus { x, modulus, rest } => sample[*x]?.rem_euclid(*modulus) == *rest,
            Predicate::Compare { x, order, y } => order.holds(sample[*x]?, sample[*y]?),
            Predicate::Line { x, y, a, b, c } => is_on(*a, *b, *c, sample[*x]?, sample[*y]?),
            Predicate::Plane { columns, factors, rest } => {
                let mut sum = *rest;
                for (column, factor) in columns.iter().zip(factors) {
                    sum += i128::from(*factor) * i128::from(sample[*column]?);
                }
                sum == 0
            }
            Predicate::Sorted { sequence, order } => {
                all(sequence)?.windows(2).all(|pair| order.holds(pair[0], pair[1]))
            }
            Predicate::Elements { sequence, order, bound } => {
                all(sequence)?.iter().all(|element| order.holds(*element, *bound))
            }
            Predicate::Same { sequence } => {
                let then = sequence.original.as_ref()?;
                let mut pairs = sequence.elements.iter().zip(then);
                pairs.all(|(now, then)| sample[*now] == sample[*then])
            }
            Predicate::Member { x, sequence } => all(sequence)?.contains(&sample[*x]?),
            Predicate::Implies { x, value, only, then } => {
                let (here, holds) = (sample[*x]? == *value, then.holds(sample)?);
                if *only { here == holds } else { !here || holds }
            }
        })
    }

    /// The columns that it is about.
    pub fn columns(&self) -> Vec<usize> {
        match self {
            Predicate::OneOf { x, .. }
            | Predicate::AtLeast { x, .. }
            | Predicate::AtMost { x, .. }
            | Predicate::NotZero { x }
            | Predicate::Modulus { x, .. } => vec![*x],
            Predicate::Compare { x, y, .. } | Predicate::Line { x, y, .. } => vec![*x, *y],
            Predicate::Plane { columns, .. } => columns.to_vec(),
            Predicate::Sorted { sequence, .. } | Predicate::Elements { sequence, .. } => {
                sequence.elements.clone()
            }
            Predicate::Same { sequence } => sequence
                .elements
                .iter()
                .chain(sequence.original.iter().flatten())
                .copied()
                .collect(),
            Predicate::Member { x, sequence } => {
                sequence.elements.iter().copied().chain([*x]).collect()
            }
            Predicate::Implies { x, then, .. } => [vec![*x], then.columns()].concat(),
        }
    }

    /// About how the block or function changes what it finds.
    pub fn is_transition(&self, columns: &[Column]) -> bool {
        self.columns().iter().any(|column| columns[*column].is_original())
    }

    /// `x == orig(x)`
    pub fn is_unchanged(&self, columns: &[Column]) -> bool {
        match self {
            Predicate::Compare { x, order: Order::Equal, y } => {
                columns[*y].original_of == Some(*x) || columns[*x].original_of == Some(*y)
            }
            Predicate::Same { .. } => true,
            _ => false,
        }
    }

    pub fn text(&self, columns: &[Column], names: &dyn Names) -> String {
        let name = |x: &usize| columns[*x].name.as_str();
        let value = |x: &usize, value: i64| columns[*x].kind.show(value, names);
        match self {
            Predicate::OneOf { x, values } if values.len() == 1 => {
                format!("{} == {}", name(x), value(x, values[0]))
            }
            Predicate::OneOf { x, values } => {
                let values: Vec<String> = values.iter().map(|one| value(x, *one)).collect();
                format!("{} one of {{ {} }}", name(x), values.join(", "))
            }
            Predicate::AtLeast { x, bound } => format!("{} >= {}", name(x), value(x, *bound)),
            Predicate::AtMost { x, bound } => format!("{} <= {}", name(x), value(x, *bound)),
            Predicate::NotZero { x } => format!("{} != {}", name(x), value(x, 0)),
            Predicate::Modulus { x, modulus, rest } => {
                format!("{} % {modulus} == {rest}", name(x))
            }
            Predicate::Compare { x, order, y } => {
                format!("{} {} {}", name(x), order.sign(), name(y))
            }
            Predicate::Line { x, y, a, b, c } => line(name(x), name(y), *a, *b, *c),
            Predicate::Plane { columns: at, factors, rest } => {
                let terms: Vec<(i128, &str)> =
                    at.iter().zip(factors).map(|(x, factor)| ((*factor).into(), name(x))).collect();
                format!("{} == 0", sum(&terms, *rest))
            }
            Predicate::Sorted { sequence, order } => {
                format!("{} sorted by {}", sequence.name, order.sign())
            }
            Predicate::Elements { sequence, order, bound } => {
                let bound = value(&sequence.elements[0], *bound);
                format!("{} elements {} {bound}", sequence.name, order.sign())
            }
            Predicate::Same { sequence } => format!("{0} == orig({0})", sequence.name),
            Predicate::Member { x, sequence } => format!("{} in {}", name(x), sequence.name),
            Predicate::Implies { x, value: at, only, then } => {
                let arrow = if *only { "<==>" } else { "==>" };
                let then = then.text(columns, names);
                format!("({} == {}) {arrow} ({then})", name(x), value(x, *at))
            }
        }
    }
}

/// One of the two on the left, where its factor is one.
fn line(x: &str, y: &str, a: i64, b: i64, c: i128) -> String {
    match (a, b) {
        (1, _) => format!("{x} == {}", sum(&[(-i128::from(b), y)], -c)),
        (_, -1) => format!("{y} == {}", sum(&[(a.into(), x)], c)),
        _ => format!("{} == 0", sum(&[(a.into(), x), (b.into(), y)], c)),
    }
}

fn sum(terms: &[(i128, &str)], rest: i128) -> String {
    let mut text = String::new();
    for (factor, name) in terms {
        text += match (text.is_empty(), *factor < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        if factor.abs() != 1 {
            text += &format!("{} * ", factor.abs());
        }
        text += name;
    }
    match rest {
        0 => text,
        rest => format!("{text} {} {}", if rest < 0 { '-' } else { '+' }, rest.unsigned_abs()),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    pub predicate: Predicate,
    pub samples: u64,
    pub confidence: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_read_well() {
        assert_eq!(line("balance", "orig(balance)", 1, -1, 100), "balance == orig(balance) - 100");
        assert_eq!(line("x", "y", 2, -1, 3), "y == 2 * x + 3");
        assert_eq!(line("x", "y", 1, 1, -7), "x == -y + 7");
        assert_eq!(line("x", "y", 2, -3, 0), "2 * x - 3 * y == 0");
    }
}
