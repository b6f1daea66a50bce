use super::*;
use crate::random::{Grower, Random};
use crate::solver::SmtLib;
use crate::term::Sort;

/// A solver that lies.
struct Liar(Answer);

impl Solver for Liar {
    fn push(&mut self) {}
    fn pop(&mut self, _: usize) {}
    fn assert(&mut self, _: &Terms, _: Term) {}
    fn check(&mut self, _: &Terms, _: &[Term], _: Duration) -> Answer {
        self.0.clone()
    }
    fn statistics(&self) -> crate::solver::Statistics {
        crate::solver::Statistics::default()
    }
    fn name(&self) -> &str {
        "the liar"
    }
}

#[test]
fn a_lie_is_noticed() {
    let mut terms = Terms::new();
    let x = terms.unknown("x", Sort::Bits(8));
    let zero = terms.bits(8, 0);
    let nonzero = terms.ult(zero, x);
    // Its own model does not hold.
    let mut decider = Decider::with(Box::new(Liar(Answer::Sat(Model::new()))));
    assert_eq!(decider.may(&terms, &[], nonzero), Decision::Unknown);
    assert_eq!(decider.contradictions().len(), 1);
    // The second opinion is another one.
    let mut decider = Decider::new();
    decider.cross_check(Box::new(Liar(Answer::Unsat)));
    assert_eq!(decider.may(&terms, &[], nonzero), Decision::Unknown);
    assert!(
        decider.why_unknown().contains("the liar says unsatisfiable"),
        "{}",
        decider.why_unknown()
    );
    // One that does not know contradicts nobody.
    let mut decider = Decider::new();
    decider.cross_check(Box::new(Liar(Answer::Unknown("tired".to_string()))));
    assert!(matches!(decider.may(&terms, &[], nonzero), Decision::Yes(_)));
    assert_eq!(decider.contradictions(), &[] as &[String]);
}

#[test]
fn cheap_ways_need_no_solver() {
    let mut terms = Terms::new();
    let x = terms.unknown("x", Sort::Bits(8));
    let five = terms.bits(8, 5);
    let below = terms.ult(x, five);
    let not_below = terms.not(below);
    let mut decider = Decider::with(Box::new(Liar(Answer::Unknown("nobody asked".to_string()))));
    assert_eq!(decider.may(&terms, &[below], not_below), Decision::No);
    assert_eq!(decider.must(&mut terms, &[below], below), Necessity::Yes);
    let yes = terms.truth(true);
    assert_eq!(decider.may(&terms, &[], yes), Decision::Yes(Model::new()));
    assert_eq!(decider.counts().solver_calls, 0);
}

#[test]
fn values_are_counted() {
    let mut terms = Terms::new();
    let x = terms.unknown("x", Sort::Bits(32));
    let (low, high) = (terms.bits(32, 3), terms.bits(32, 8));
    let path = [terms.ult(low, x), terms.ult(x, high)];
    let mut decider = Decider::new();
    let found = decider.values(&mut terms, &path, x, 10);
    assert_eq!(found, Values { values: vec![4, 5, 6, 7], complete: true });
    let found = decider.values(&mut terms, &path, x, 2);
    assert_eq!((found.values.len(), found.complete), (2, false));
    let exact = decider.values(&mut terms, &path, x, 4);
    assert!(exact.complete);
    // Nothing is said about it: that needs no solver.
    let (free, asked) = (terms.unknown("free", Sort::Bits(32)), decider.counts().solver_calls);
    let found = decider.values(&mut terms, &path, free, 10);
    assert_eq!(found, Values { values: Vec::new(), complete: false });
    assert_eq!(decider.counts().solver_calls, asked);
    let flag = terms.unknown("flag", Sort::Bits(1));
    assert_eq!(decider.values(&mut terms, &path, flag, 2).values, [0, 1]);
}

#[test]
fn what_is_independent_is_left_aside_and_in_the_model() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.unknown(name, Sort::Bits(32)));
    let (seven, nine) = (terms.bits(32, 7), terms.bits(32, 9));
    let path = [terms.eq(x, seven)];
    let asked = terms.eq(y, nine);
    let mut decider = Decider::new();
    let Decision::Yes(model) = decider.may(&terms, &path, asked) else { panic!("it may") };
    assert_eq!(model.get(x), Some(&Value::Bits(7)));
    assert_eq!(model.get(y), Some(&Value::Bits(9)));
}

/// Random walks: paths that share beginnings, asked about in turn, against a solver that gets each question whole.
#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let mut terms = Terms::new();
    let mut grower = Grower::new(&mut terms, 4711, &[4, 8], 3);
    let conditions: Vec<Term> = (0..400).map(|_| grower.truth(3).simple).collect();
    let mut random = Random::new(3);
    let (mut decider, mut plain) = (Decider::new(), Z3::new());
    let mut path: Vec<Term> = Vec::new();
    let (mut yes, mut no) = (0, 0);
    for _ in 0..800 {
        let condition = conditions[random.below(400) as usize];
        let decision = decider.may(&terms, &path, condition);
        let whole = [&path[..], &[condition]].concat();
        match (&decision, plain.check(&terms, &whole, Duration::from_secs(60))) {
            (Decision::Yes(model), Answer::Sat(_)) => {
                yes += 1;
                for &part in path.iter().chain([&condition]) {
                    assert_eq!(terms.eval(part, model), Value::Truth(true));
                }
                path.push(condition);
            }
            (Decision::No, Answer::Unsat) => no += 1,
            other => panic!("{other:?}"),
        }
        if random.below(4) == 0 {
            path.truncate(random.below(path.len() as u32 + 1) as usize);
        }
    }
    let counts = decider.counts();
    assert!(yes > 50 && no > 50, "{yes} times yes, {no} times no");
    assert!(counts.solver_calls < counts.queries, "{counts:?}");
    assert_eq!(decider.contradictions(), &[] as &[String]);
}

#[test]
fn two_solvers_agree_along_a_path() {
    let mut terms = Terms::new();
    let mut grower = Grower::new(&mut terms, 99, &[4, 8], 2);
    let conditions: Vec<Term> = (0..60).map(|_| grower.truth(3).simple).collect();
    let mut decider = Decider::new();
    decider.cross_check(Box::new(SmtLib::cvc5()));
    let mut path = Vec::new();
    for condition in conditions {
        if let Decision::Yes(_) = decider.may(&terms, &path, condition) {
            path.push(condition);
        }
    }
    assert!(decider.counts().cross_checks > 10);
    assert_eq!(decider.contradictions(), &[] as &[String]);
    assert_eq!(decider.counts().unknown, 0, "{}", decider.why_unknown());
}
