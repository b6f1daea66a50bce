//! Facts about integers, some of which must hold and some of which should: MaxSMT, in Z3.

use std::time::Duration;
use z3::ast::{Ast, Bool, Int};
use z3::{Optimize, Params, SatResult};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    Constant(i128),
    Variable(usize),
    Add(Box<Number>, Box<Number>),
    Subtract(Box<Number>, Box<Number>),
    Multiply(Box<Number>, Box<Number>),
    /// Towards zero; so is the remainder.
    Divide(Box<Number>, Box<Number>),
    Remainder(Box<Number>, Box<Number>),
    /// What is left of a division by this, never negative.
    Modulo(Box<Number>, i128),
    /// The first where the fact holds, else the second.
    Choose(Box<Fact>, Box<Number>, Box<Number>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Less(Number, Number),
    Equal(Number, Number),
    Distinct(Vec<Number>),
    Not(Box<Fact>),
    All(Vec<Fact>),
    Any(Vec<Fact>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    MaxRes,
    WMax,
}

/// What must hold, and what should: of the groups the first counts most.
#[derive(Clone, Debug)]
pub struct Task {
    pub variables: usize,
    pub hard: Vec<Fact>,
    pub soft: Vec<Vec<Fact>>,
    pub engine: Engine,
    /// Of each call of the solver beneath.
    pub conflicts: Option<u64>,
    pub patience: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// A value for each variable, of the best assignment that was found.
    pub values: Option<Vec<i128>>,
    /// At least so many facts of each group cannot hold, as far as is known.
    pub lower: Vec<usize>,
    /// The assignment is the best, or there is none.
    pub proven: bool,
}

impl Optimum {
    /// Of a task without wishes that nothing satisfies.
    pub fn none() -> Optimum {
        Optimum { values: None, lower: Vec::new(), proven: true }
    }
}

fn number(number: &Number, variables: &[Int]) -> Int {
    let of = |inner: &Number| self::number(inner, variables);
    match number {
        Number::Constant(value) => Int::from_i128(*value),
        Number::Variable(variable) => variables[*variable].clone(),
        Number::Add(a, b) => of(a) + of(b),
        Number::Subtract(a, b) => of(a) - of(b),
        Number::Multiply(a, b) => of(a) * of(b),
        Number::Divide(a, b) => quotient(&of(a), &of(b)),
        Number::Remainder(a, b) => {
            let (a, b) = (of(a), of(b));
            a.clone() - b.clone() * quotient(&a, &b)
        }
        Number::Modulo(a, size) => of(a).modulo(Int::from_i128(*size)),
        Number::Choose(fact, a, b) => self::fact(fact, variables).ite(&of(a), &of(b)),
    }
}

/// Z3's own leaves a remainder that is never negative.
fn quotient(a: &Int, b: &Int) -> Int {
    let zero = Int::from_i64(0);
    let positive = a.clone() / b.clone();
    let negative = zero.clone() - (zero.clone() - a.clone()) / b.clone();
    a.ge(&zero).ite(&positive, &negative)
}

fn fact(fact: &Fact, variables: &[Int]) -> Bool {
    let of = |inner: &Number| number(inner, variables);
    let all = |facts: &[Fact]| facts.iter().map(|f| self::fact(f, variables)).collect::<Vec<_>>();
    match fact {
        Fact::Less(a, b) => of(a).lt(of(b)),
        Fact::Equal(a, b) => of(a).eq(of(b)),
        Fact::Distinct(numbers) => Int::distinct(&numbers.iter().map(of).collect::<Vec<_>>()),
        Fact::Not(inner) => self::fact(inner, variables).not(),
        Fact::All(facts) => Bool::and(&all(facts)),
        Fact::Any(facts) => Bool::or(&all(facts)),
    }
}

/// Solves a task; nobody else may use the solver's global settings meanwhile.
pub fn optimise(task: &Task) -> Optimum {
    let limit = task.conflicts.map_or(u32::MAX, |limit| u32::try_from(limit).unwrap_or(u32::MAX));
    z3::set_global_param("smt.max_conflicts", &limit.to_string());
    z3::set_global_param("sat.max_conflicts", &limit.to_string());
    // The older arithmetic: on orders of operations it is several times faster than its successor.
    z3::set_global_param("smt.arith.solver", "2");
    let optimize = Optimize::new();
    let mut params = Params::new();
    params.set_symbol("priority", "lex");
    params.set_symbol(
        "maxsat_engine",
        match task.engine {
            Engine::MaxRes => "maxres",
            Engine::WMax => "wmax",
        },
    );
    if let Some(patience) = task.patience {
        let milliseconds = u32::try_from(patience.as_millis()).unwrap_or(u32::MAX).max(1);
        params.set_u32("timeout", milliseconds);
    }
    optimize.set_params(&params);
    let variables: Vec<Int> =
        (0..task.variables).map(|i| Int::new_const(format!("v{i}"))).collect();
    for hard in &task.hard {
        optimize.assert(fact(hard, &variables));
    }
    for (group, softs) in task.soft.iter().enumerate() {
        for soft in softs {
            optimize.assert_soft(&fact(soft, &variables), 1, Some(format!("group{group}").into()));
        }
    }
    let answer = optimize.check(&[]);
    let mut optimum = Optimum {
        values: None,
        lower: vec![0; task.soft.len()],
        proven: answer != SatResult::Unknown,
    };
    if answer == SatResult::Unsat {
        return optimum;
    }
    // Only groups with something in them are objectives.
    let groups = task.soft.iter().enumerate().filter(|(_, softs)| !softs.is_empty());
    for (objective, (group, softs)) in groups.enumerate() {
        let lower = optimize.get_lower(objective as u32).and_then(|bound| bound.as_int()?.as_i64());
        optimum.lower[group] = lower.unwrap_or(0).clamp(0, softs.len() as i64) as usize;
    }
    optimum.values = values(&optimize, &variables);
    optimum
}

fn values(optimize: &Optimize, variables: &[Int]) -> Option<Vec<i128>> {
    let model = optimize.get_model()?;
    variables.iter().map(|variable| model.eval(variable, true)?.as_i128()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(number: usize) -> Number {
        Number::Variable(number)
    }

    fn at_least(a: Number, b: Number) -> Fact {
        Fact::Not(Box::new(Fact::Less(a, b)))
    }

    /// Example 4.1 of the paper on minimal schedule projections.
    #[test]
    fn one_of_three_wishes_fails() {
        for engine in [Engine::MaxRes, Engine::WMax] {
            let (x, y) = (variable(0), variable(1));
            let constant = |value| Number::Constant(value);
            let task = Task {
                variables: 2,
                hard: vec![at_least(x.clone(), constant(0)), at_least(constant(4), x.clone())],
                soft: vec![vec![
                    at_least(y.clone(), constant(-1)),
                    at_least(constant(0), y.clone()),
                    Fact::Equal(Number::Add(Box::new(x), Box::new(y)), constant(5)),
                ]],
                engine,
                conflicts: None,
                patience: None,
            };
            let optimum = optimise(&task);
            assert!(optimum.proven);
            assert_eq!(optimum.lower, [1]);
            assert!(optimum.values.is_some());
        }
    }

    #[test]
    fn remainders_are_those_of_c() {
        let (a, b) = (Number::Constant(-7), Number::Constant(2));
        let remainder = Number::Remainder(Box::new(a.clone()), Box::new(b.clone()));
        let quotient = Number::Divide(Box::new(a), Box::new(b));
        let task = Task {
            variables: 2,
            hard: vec![Fact::Equal(variable(0), remainder), Fact::Equal(variable(1), quotient)],
            soft: Vec::new(),
            engine: Engine::WMax,
            conflicts: None,
            patience: None,
        };
        assert_eq!(optimise(&task).values, Some(vec![-1, -3]));
    }
}
