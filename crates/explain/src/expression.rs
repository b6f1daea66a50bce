//! Values as expressions over what was read.
//!
//! Numbers are mathematical integers within 128 bits. Who has machine words says where they wrap ([`Expression::Wrap`]).
//! What has no value (a division by zero, a result beyond 128 bits) lets the condition that needs it fail.

/// Of truth values and integers alike: a truth value is 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    Constant(i128),
    /// The value of a read, by its number.
    Read(usize),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// The lowest bits, as a signed or unsigned number.
    Wrap {
        bits: u8,
        signed: bool,
        value: Box<Expression>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Negate,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    /// Towards zero, as in C and Java; so is the remainder.
    Divide,
    Remainder,
    Equal,
    Different,
    Less,
    AtMost,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

impl Expression {
    pub fn binary(operator: Binary, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `None`: it has no value.
    pub fn value(&self, read: &impl Fn(usize) -> Option<i128>) -> Option<i128> {
        match self {
            Expression::Constant(value) => Some(*value),
            Expression::Read(number) => read(*number),
            Expression::Unary(operator, inner) => {
                let value = inner.value(read)?;
                match operator {
                    Unary::Negate => value.checked_neg(),
                    Unary::Not => Some(i128::from(value == 0)),
                }
            }
            Expression::Binary(operator, left, right) => {
                apply(*operator, left.value(read)?, right.value(read)?)
            }
            Expression::Wrap { bits, signed, value } => {
                Some(wrap(value.value(read)?, *bits, *signed))
            }
        }
    }

    /// Adds the numbers of the reads that it mentions, each once.
    pub fn reads(&self, into: &mut Vec<usize>) {
        match self {
            Expression::Constant(_) => {}
            Expression::Read(number) => {
                if !into.contains(number) {
                    into.push(*number);
                }
            }
            Expression::Unary(_, inner) | Expression::Wrap { value: inner, .. } => {
                inner.reads(into)
            }
            Expression::Binary(_, left, right) => {
                left.reads(into);
                right.reads(into);
            }
        }
    }

    /// The same with other numbers for the reads.
    pub fn renumbered(&self, number: &impl Fn(usize) -> usize) -> Expression {
        match self {
            Expression::Constant(value) => Expression::Constant(*value),
            Expression::Read(read) => Expression::Read(number(*read)),
            Expression::Unary(operator, inner) => {
                Expression::Unary(*operator, Box::new(inner.renumbered(number)))
            }
            Expression::Binary(operator, left, right) => {
                Expression::binary(*operator, left.renumbered(number), right.renumbered(number))
            }
            Expression::Wrap { bits, signed, value } => Expression::Wrap {
                bits: *bits,
                signed: *signed,
                value: Box::new(value.renumbered(number)),
            },
        }
    }
}

impl std::ops::Not for Expression {
    type Output = Expression;
    fn not(self) -> Expression {
        Expression::Unary(Unary::Not, Box::new(self))
    }
}

fn apply(operator: Binary, left: i128, right: i128) -> Option<i128> {
    let truth = |holds: bool| Some(i128::from(holds));
    match operator {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide => left.checked_div(right),
        Binary::Remainder => left.checked_rem(right),
        Binary::Equal => truth(left == right),
        Binary::Different => truth(left != right),
        Binary::Less => truth(left < right),
        Binary::AtMost => truth(left <= right),
        Binary::And => truth(left != 0 && right != 0),
        Binary::Or => truth(left != 0 || right != 0),
        Binary::BitAnd => Some(left & right),
        Binary::BitOr => Some(left | right),
        Binary::BitXor => Some(left ^ right),
        Binary::ShiftLeft => {
            let by = u32::try_from(right).ok()?;
            left.checked_mul(1i128.checked_shl(by).filter(|factor| *factor > 0)?)
        }
        Binary::ShiftRight => left.checked_shr(u32::try_from(right).ok()?),
    }
}

fn wrap(value: i128, bits: u8, signed: bool) -> i128 {
    if bits == 0 || bits >= 128 {
        return value;
    }
    let kept = value & ((1i128 << bits) - 1);
    let negative = signed && kept >> (bits - 1) & 1 == 1;
    if negative { kept - (1i128 << bits) } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(operator: Binary, left: i128, right: i128) -> Option<i128> {
        Expression::binary(operator, Expression::Constant(left), Expression::Constant(right))
            .value(&|_| None)
    }

    #[test]
    fn remainders_are_those_of_c() {
        assert_eq!(of(Binary::Remainder, -3, 2), Some(-1));
        assert_eq!(of(Binary::Divide, -3, 2), Some(-1));
        assert_eq!(of(Binary::Remainder, 3, 0), None);
    }

    #[test]
    fn words_wrap() {
        let byte = |signed| Expression::Wrap {
            bits: 8,
            signed,
            value: Box::new(Expression::Constant(255)),
        };
        assert_eq!(byte(true).value(&|_| None), Some(-1));
        assert_eq!(byte(false).value(&|_| None), Some(255));
    }

    #[test]
    fn what_is_too_large_has_no_value() {
        assert_eq!(of(Binary::Multiply, i128::MAX, 2), None);
        assert_eq!(of(Binary::ShiftLeft, 1, 200), None);
        assert_eq!(of(Binary::ShiftLeft, 1, 127), None);
    }
}
