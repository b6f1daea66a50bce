//! The value of a term, given values for its unknowns.

use crate::term::{Node, Op, Quick, Sort, Term, Terms, apply, apply_wide, mask};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Truth(bool),
    /// Of at most 128 bits.
    Bits(u128),
    /// Of more.
    Wide(BigUint),
}

impl Value {
    pub fn as_truth(&self) -> Option<bool> {
        match self {
            Value::Truth(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bits(&self) -> Option<u128> {
        match self {
            Value::Bits(value) => Some(*value),
            Value::Wide(value) => u128::try_from(value).ok(),
            Value::Truth(_) => None,
        }
    }

    pub(crate) fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Truth(false),
            Sort::Bits(..=128) => Value::Bits(0),
            Sort::Bits(_) => Value::Wide(BigUint::default()),
        }
    }

    /// Truth values are 0 and 1; none if it is too wide.
    fn number(&self) -> Option<u128> {
        match self {
            Value::Truth(value) => Some(u128::from(*value)),
            Value::Bits(value) => Some(*value),
            Value::Wide(_) => None,
        }
    }

    fn big(&self) -> BigUint {
        match self {
            Value::Truth(value) => u8::from(*value).into(),
            Value::Bits(value) => (*value).into(),
            Value::Wide(value) => value.clone(),
        }
    }

    pub(crate) fn of(sort: Sort, value: BigUint) -> Value {
        match sort {
            Sort::Bool => Value::Truth(value != BigUint::default()),
            Sort::Bits(width @ ..=128) => Value::Bits(low(&value) & mask(width)),
            Sort::Bits(width) => Value::Wide(value & ((BigUint::from(1u8) << width) - 1u8)),
        }
    }
}

fn low(value: &BigUint) -> u128 {
    value
        .iter_u64_digits()
        .take(2)
        .enumerate()
        .map(|(i, digit)| u128::from(digit) << (64 * i))
        .sum()
}

/// Values for unknowns. One that has none is zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: BTreeMap<Term, Value>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    pub fn set(&mut self, unknown: Term, value: Value) {
        self.values.insert(unknown, value);
    }

    pub fn get(&self, unknown: Term) -> Option<&Value> {
        self.values.get(&unknown)
    }

    /// Oldest unknown first.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(&unknown, value)| (unknown, value))
    }

    /// With the other's values for what has none here.
    pub fn completed_by(mut self, other: &Model) -> Model {
        for (unknown, value) in other.iter() {
            self.values.entry(unknown).or_insert_with(|| value.clone());
        }
        self
    }
}

/// A model and what terms came to under it so far: the next one needs only what is new in it.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    model: Model,
    known: HashMap<Term, Value, Quick>,
}

impl Evaluation {
    pub fn new(model: Model) -> Evaluation {
        Evaluation { model, known: HashMap::default() }
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Gives a value to an unknown that nobody has asked about yet.
    pub fn set(&mut self, unknown: Term, value: u128) {
        self.model.set(unknown, Value::Bits(value));
    }

    pub fn value(&mut self, terms: &Terms, term: Term) -> Value {
        for inner in terms.below(&[term], |inner| self.known.contains_key(&inner)) {
            let value = self.step(terms, inner);
            self.known.insert(inner, value);
        }
        self.look_up(terms, term)
    }

    /// Whether the truth value holds.
    pub fn holds(&mut self, terms: &Terms, term: Term) -> bool {
        self.value(terms, term) == Value::Truth(true)
    }

    /// Starts over with what is known where that has become more than this.
    pub(crate) fn forget_beyond(&mut self, limit: usize) {
        if self.known.len() > limit {
            self.known.clear();
        }
    }

    /// Of a term that is known, or of a constant.
    fn look_up(&self, terms: &Terms, term: Term) -> Value {
        match terms.node(term) {
            Node::Truth(value) => Value::Truth(value),
            Node::Bits(value) => Value::Bits(value),
            _ => self.known[&term].clone(),
        }
    }

    fn step(&self, terms: &Terms, term: Term) -> Value {
        let sort = terms.sort(term);
        match terms.node(term) {
            Node::Truth(value) => Value::Truth(value),
            Node::Bits(value) => Value::Bits(value),
            Node::Unknown(_) => match self.model.get(term) {
                Some(value @ Value::Truth(_)) if sort == Sort::Bool => value.clone(),
                Some(value) if sort != Sort::Bool => Value::of(sort, value.big()),
                _ => Value::zero(sort),
            },
            Node::Apply(op, operands) => self.applied(terms, op, sort, operands),
        }
    }

    fn applied(&self, terms: &Terms, op: Op, sort: Sort, operands: &[Term]) -> Value {
        let from = match terms.sort(operands[operands.len() - 1]) {
            Sort::Bool => 0,
            Sort::Bits(width) => width,
        };
        let mut numbers = [0; 3];
        let mut narrow = !matches!(sort, Sort::Bits(129..));
        for (number, &operand) in numbers.iter_mut().zip(operands) {
            match self.look_up(terms, operand).number() {
                Some(value) => *number = value,
                None => narrow = false,
            }
        }
        if narrow {
            let value = apply(op, sort, from, &numbers[..operands.len()]);
            return match sort {
                Sort::Bool => Value::Truth(value != 0),
                Sort::Bits(_) => Value::Bits(value),
            };
        }
        let values: Vec<BigUint> =
            operands.iter().map(|&operand| self.look_up(terms, operand).big()).collect();
        Value::of(sort, apply_wide(op, sort, from, &values))
    }
}

impl Terms {
    /// The term's value under the model; unknowns without a value are zero.
    pub fn eval(&self, term: Term, model: &Model) -> Value {
        Evaluation::new(model.clone()).value(self, term)
    }
}
