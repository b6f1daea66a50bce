//! `((R-x_51-1-1 + CONST_1) % CONST_2)`: values and conditions as text.

use crate::expression::{Binary, Expression, Unary};
use std::collections::HashMap;

/// Deeper than anybody writes; a stack must not overflow.
const DEEPEST: usize = 500;

/// Words that stand for themselves (texts, references), as numbers that no program counts to.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: HashMap<String, i128>,
}

impl Words {
    fn number(&mut self, word: &str) -> i128 {
        let next = (1i128 << 100) + self.numbers.len() as i128;
        *self.numbers.entry(word.to_string()).or_insert(next)
    }

    pub fn list(self) -> Vec<(i128, String)> {
        let mut list: Vec<_> =
            self.numbers.into_iter().map(|(word, number)| (number, word)).collect();
        list.sort();
        list
    }
}

/// Operators from the loosest to the tightest.
const LEVELS: [&[(&str, Binary)]; 6] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr), ("^", Binary::BitXor), ("&", Binary::BitAnd)],
    &[("==", Binary::Equal), ("!=", Binary::Different)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[
        ("+", Binary::Add),
        ("-", Binary::Subtract),
        ("*", Binary::Multiply),
        ("/", Binary::Divide),
        ("%", Binary::Remainder),
    ],
];

/// Where comparisons by size stand: with equality, in both directions.
const COMPARISONS: [(&str, Binary, bool); 4] = [
    ("<=", Binary::AtMost, false),
    (">=", Binary::AtMost, true),
    ("<", Binary::Less, false),
    (">", Binary::Less, true),
];

pub(super) struct Parser<'a> {
    rest: &'a str,
    depth: usize,
    reads: &'a HashMap<String, usize>,
    words: &'a mut Words,
}

/// The expression that `text` is, with the reads by their numbers.
pub(super) fn parse(
    text: &str,
    reads: &HashMap<String, usize>,
    words: &mut Words,
) -> Result<Expression, String> {
    let mut parser = Parser { rest: text, depth: 0, reads, words };
    let expression = parser.level(0)?;
    parser.blank();
    if parser.rest.is_empty() {
        return Ok(expression);
    }
    Err(format!("`{}` follows the end of the expression", shown(parser.rest)))
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Parser<'_> {
    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn level(&mut self, level: usize) -> Result<Expression, String> {
        let Some(operators) = LEVELS.get(level) else { return self.operand() };
        let mut left = self.level(level + 1)?;
        let mut length = 0;
        while let Some((operator, turned)) = self.operator(operators) {
            // Each operator makes the tree one deeper.
            length += 1;
            if length > DEEPEST {
                return Err("the expression is too long".into());
            }
            let right = self.level(level + 1)?;
            left = match turned {
                true => Expression::binary(operator, right, left),
                false => Expression::binary(operator, left, right),
            };
        }
        Ok(left)
    }

    /// The next operator, if it is of this level; whether its sides change places.
    fn operator(&mut self, operators: &[(&str, Binary)]) -> Option<(Binary, bool)> {
        self.blank();
        // Whoever looks for `|` must not find half of `||`.
        let longer =
            ["||", "&&", "<<", ">>"].into_iter().find(|token| self.rest.starts_with(token));
        if let Some(longer) = longer {
            let found = operators.iter().find(|(token, _)| *token == longer)?;
            self.rest = &self.rest[longer.len()..];
            return Some((found.1, false));
        }
        for (token, operator) in operators {
            if self.take(token) {
                return Some((*operator, false));
            }
        }
        if operators.iter().any(|(_, operator)| *operator == Binary::Equal) {
            for (token, operator, turned) in COMPARISONS {
                if self.take(token) {
                    return Some((operator, turned));
                }
            }
        }
        None
    }

    fn operand(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".into());
        }
        let operand = self.primary();
        self.depth -= 1;
        operand
    }

    fn primary(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.level(0)?;
            if !self.take(")") {
                return Err(format!("`)` is missing before `{}`", shown(self.rest)));
            }
            return Ok(inner);
        }
        self.blank();
        if self.rest.starts_with('!') && !self.rest.starts_with("!=") {
            self.take("!");
            return Ok(!self.operand()?);
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Expression, String> {
        let end = self.rest.find([' ', '\t', '(', ')']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.is_empty() {
            return Err(match rest.is_empty() {
                true => "the expression ends too early".into(),
                false => format!("a value is missing before `{}`", shown(rest)),
            });
        }
        let number = word.strip_prefix("CONST_").unwrap_or(word);
        if let Ok(number) = number.parse::<i64>() {
            return Ok(Expression::Constant(number.into()));
        }
        if word.starts_with("R-") {
            return match self.reads.get(word) {
                Some(read) => Ok(Expression::Read(*read)),
                None => Err(format!("there is no read `{}` before", shown(word))),
            };
        }
        match number {
            "true" => Ok(Expression::Constant(1)),
            "false" | "null" => Ok(Expression::Constant(0)),
            _ if number.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '"') => {
                Ok(Expression::Constant(self.words.number(number)))
            }
            _ => Err(format!("`{}` is not an integer of 64 bits", shown(number))),
        }
    }
}

/// The opposite of a condition; of a comparison simply the other one.
pub(super) fn opposite(condition: Expression) -> Expression {
    match condition {
        Expression::Binary(Binary::Equal, left, right) => {
            Expression::Binary(Binary::Different, left, right)
        }
        Expression::Binary(Binary::Different, left, right) => {
            Expression::Binary(Binary::Equal, left, right)
        }
        Expression::Binary(Binary::Less, left, right) => {
            Expression::Binary(Binary::AtMost, right, left)
        }
        Expression::Binary(Binary::AtMost, left, right) => {
            Expression::Binary(Binary::Less, right, left)
        }
        Expression::Unary(Unary::Not, inner) => *inner,
        other => !other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, reads: &[(&str, i128)]) -> Result<Option<i128>, String> {
        let numbers =
            reads.iter().enumerate().map(|(i, (name, _))| (name.to_string(), i)).collect();
        let expression = parse(text, &numbers, &mut Words::default())?;
        Ok(expression.value(&|i| Some(reads[i].1)))
    }

    #[test]
    fn what_cortex_writes() {
        let reads = [("R-_last_626-2-1", 3), ("R-x_51-1-1", -4)];
        assert_eq!(value("((R-_last_626-2-1 + CONST_1) % CONST_2)", &reads), Ok(Some(0)));
        assert_eq!(value("(R-x_51-1-1 > CONST_-5)", &reads), Ok(Some(1)));
        assert_eq!(value("(R-x_51-1-1 >= CONST_-3)", &reads), Ok(Some(0)));
        assert_eq!(value("609", &[]), Ok(Some(609)));
        assert_eq!(value("(passenger1 == passenger1)", &[]), Ok(Some(1)));
        assert_eq!(value("(passenger1 == passenger2)", &[]), Ok(Some(0)));
        assert_eq!(value("(CONST_1 == CONST_1) && !(CONST_2 < CONST_1)", &[]), Ok(Some(1)));
    }

    #[test]
    fn what_nobody_understands() {
        for text in [
            "",
            "(",
            "(CONST_1",
            "CONST_1)",
            "(R-x-1-1 == CONST_0)",
            "(CONST_1 ==",
            "CONST_1.5",
            "&",
            "!",
        ] {
            assert!(value(text, &[]).is_err(), "{text}");
        }
        assert!(value(&"(".repeat(100_000), &[]).is_err());
        assert!(value(&format!("CONST_1{}", " + CONST_1".repeat(100_000)), &[]).is_err());
        assert!(value(&"!".repeat(100_000), &[]).is_err());
    }
}
