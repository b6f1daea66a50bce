//! What is written and what is asked, over what a thread has read.

/// Mathematical integers within 128 bits; truth is 1 and 0, and all but 0 is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    Number(i128),
    /// By its number in the trace.
    Read(usize),
    Apply(Operator, Vec<Term>),
    /// The value kept in so many bits.
    Word {
        bits: u32,
        signed: bool,
        of: Box<Term>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Minus,
    Not,
    Plus,
    Less,
    AtMost,
    Equal,
    Unequal,
    Difference,
    Product,
    /// Rounded towards zero, as is what remains.
    Quotient,
    Remainder,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    Left,
    Right,
}

impl Term {
    /// `None`: it has no value (a division by zero, more than 128 bits, a read that has none).
    pub fn evaluate(&self, reads: &[Option<i128>]) -> Option<i128> {
        match self {
            Term::Number(number) => Some(*number),
            Term::Read(number) => *reads.get(*number)?,
            Term::Word { bits, signed, of } => Some(word(of.evaluate(reads)?, *bits, *signed)),
            Term::Apply(operator, parts) => {
                let values: Option<Vec<i128>> =
                    parts.iter().map(|part| part.evaluate(reads)).collect();
                match values?[..] {
                    [a] => unary(*operator, a),
                    [a, b] => binary(*operator, a, b),
                    _ => None,
                }
            }
        }
    }

    /// It has a value, and that is not 0.
    pub fn holds(&self, reads: &[Option<i128>]) -> bool {
        !matches!(self.evaluate(reads), None | Some(0))
    }
}

fn unary(operator: Operator, a: i128) -> Option<i128> {
    match operator {
        Operator::Minus => 0i128.checked_sub(a),
        Operator::Not => Some(if a == 0 { 1 } else { 0 }),
        _ => None,
    }
}

fn binary(operator: Operator, a: i128, b: i128) -> Option<i128> {
    let truth = |yes| Some(if yes { 1 } else { 0 });
    match operator {
        Operator::Plus => a.checked_add(b),
        Operator::Difference => a.checked_sub(b),
        Operator::Product => a.checked_mul(b),
        Operator::Quotient => (b != 0).then(|| a.checked_div(b)).flatten(),
        Operator::Remainder => (b != 0).then(|| a.checked_rem(b)).flatten(),
        Operator::Less => truth(a < b),
        Operator::AtMost => truth(a <= b),
        Operator::Equal => truth(a == b),
        Operator::Unequal => truth(a != b),
        Operator::And => truth(a != 0 && b != 0),
        Operator::Or => truth(a != 0 || b != 0),
        Operator::BitAnd => Some(a & b),
        Operator::BitOr => Some(a | b),
        Operator::BitXor => Some(a ^ b),
        Operator::Left => match b {
            0..=126 => a.checked_mul(1i128 << b),
            _ => None,
        },
        Operator::Right => match b {
            0..=127 => Some(a >> b),
            _ => None,
        },
        Operator::Minus | Operator::Not => None,
    }
}

/// The number that so many of its lowest bits mean.
fn word(value: i128, bits: u32, signed: bool) -> i128 {
    if bits == 0 || bits > 127 {
        return value;
    }
    let size = 1i128 << bits;
    let rest = value.rem_euclid(size);
    if signed && rest >= size / 2 { rest - size } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(operator: Operator, a: i128, b: i128) -> Option<i128> {
        Term::Apply(operator, vec![Term::Number(a), Term::Number(b)]).evaluate(&[])
    }

    #[test]
    fn values() {
        assert_eq!(apply(Operator::Remainder, -7, 2), Some(-1));
        assert_eq!(apply(Operator::Quotient, -7, 2), Some(-3));
        assert_eq!(apply(Operator::Quotient, 1, 0), None);
        assert_eq!(apply(Operator::Left, 1, 127), None);
        assert_eq!(apply(Operator::Plus, i128::MAX, 1), None);
        let byte = |signed| Term::Word { bits: 8, signed, of: Box::new(Term::Number(-1)) };
        assert_eq!(byte(true).evaluate(&[]), Some(-1));
        assert_eq!(byte(false).evaluate(&[]), Some(255));
        assert!(!Term::Read(0).holds(&[None]));
        assert!(Term::Read(0).holds(&[Some(-1)]));
    }
}
