//! Z3, through its library.
//!
//! Two of its solvers share the work. Bit-vectors alone go to the incremental one; where floats are in play, another
//! one has to. Each is made, and brought up to date, only
//! when it is asked: most questions never come to it.

use super::simple::Simple;
use super::{Answer, Solver, Statistics};
use crate::eval::{Model, Value};
use crate::term::{Format, Node, Op, Quick, Rounding, Sort, Term, Terms};
use ::z3::ast::{Ast, BV, Bool, Dynamic, Float, RoundingMode};
use ::z3::{Params, SatResult};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::time::{Duration, Instant};

#[derive(Clone)]
enum Translated {
    Truth(Bool),
    Bits(BV),
}

impl Translated {
    fn truth(self) -> Bool {
        match self {
            Translated::Truth(truth) => truth,
            Translated::Bits(_) => unreachable!("a truth value was meant"),
        }
    }

    fn bits(self) -> BV {
        match self {
            Translated::Bits(bits) => bits,
            Translated::Truth(_) => unreachable!("bits were meant"),
        }
    }
}

/// Which of Z3's solvers.
enum Kind {
    /// Keeps what it learned from question to question. Of those that do, it alone bears many levels: those for
    /// bit-vectors alone (QF_BV, QF_FD) took twenty to a hundred times as long with 200 of them.
    Plain(Simple),
    /// Begins anew with each question, but simplifies before it makes clauses of floats. Z3's incremental solver of
    /// floats takes a thousand times as long.
    Floating(::z3::Solver),
}

impl Kind {
    fn push(&self) {
        match self {
            Kind::Plain(solver) => solver.push(),
            Kind::Floating(solver) => solver.push(),
        }
    }

    fn pop(&self, levels: u32) {
        match self {
            Kind::Plain(solver) => solver.pop(levels),
            Kind::Floating(solver) => solver.pop(levels),
        }
    }

    fn assert(&self, assertion: &Bool) {
        match self {
            Kind::Plain(solver) => solver.assert(assertion),
            Kind::Floating(solver) => solver.assert(assertion),
        }
    }

    fn check(&self, assumed: &[Bool]) -> SatResult {
        match self {
            Kind::Plain(solver) => solver.check(assumed),
            // It takes no assumptions as such.
            Kind::Floating(solver) => {
                assumed.iter().for_each(|assumption| solver.assert(assumption));
                solver.check()
            }
        }
    }

    fn why_unknown(&self) -> String {
        match self {
            Kind::Plain(solver) => solver.why_unknown(),
            Kind::Floating(solver) => solver.get_reason_unknown().unwrap_or_default(),
        }
    }

    /// The constants that the model names, with their values.
    fn values(&self) -> Option<Vec<(String, Dynamic)>> {
        let model = match self {
            Kind::Plain(solver) => return solver.values(),
            Kind::Floating(solver) => solver.get_model()?,
        };
        let value = |declaration: ::z3::FuncDecl| {
            let value = model.eval(&declaration.apply(&[]), true)?;
            Some((declaration.name(), value))
        };
        model.iter().filter(|declaration| declaration.arity() == 0).map(value).collect()
    }

    fn set_patience(&self, milliseconds: u32) {
        match self {
            Kind::Plain(solver) => solver.set(c"timeout", milliseconds),
            Kind::Floating(solver) => {
                let mut params = Params::new();
                params.set_u32("timeout", milliseconds);
                solver.set_params(&params);
            }
        }
    }
}

/// One of Z3's solvers, and how much of the stack it knows.
struct Lane {
    solver: Kind,
    /// How many of each level's assertions it has.
    known: Vec<usize>,
    patience: Option<u32>,
}

impl Lane {
    fn plain() -> Lane {
        let solver = Simple::new();
        // Which literals matter is for quantifiers, and a third of the time.
        solver.set(c"relevancy", 0);
        Lane { solver: Kind::Plain(solver), known: vec![0], patience: None }
    }

    fn floating() -> Lane {
        let solver = Kind::Floating(::z3::Tactic::new("qffp").solver());
        Lane { solver, known: vec![0], patience: None }
    }

    fn pop_to(&mut self, levels: usize) {
        if self.known.len() > levels {
            self.solver.pop((self.known.len() - levels) as u32);
            self.known.truncate(levels);
        }
    }

    fn ask(&mut self, terms: &Terms, assumed: &[Bool]) -> Answer {
        let for_a_while = matches!(self.solver, Kind::Floating(_));
        if for_a_while {
            self.solver.push();
        }
        let result = self.solver.check(assumed);
        let answer = self.answer(terms, result);
        if for_a_while {
            self.solver.pop(1);
        }
        answer
    }

    fn answer(&self, terms: &Terms, result: SatResult) -> Answer {
        match result {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => Answer::Unknown(format!("Z3: {}", self.solver.why_unknown())),
            SatResult::Sat => match self.solver.values() {
                Some(values) => read(terms, &values),
                None => Answer::Unknown("Z3 gave no model".to_string()),
            },
        }
    }

    fn set_patience(&mut self, patience: Duration) {
        let wanted = u32::try_from(patience.as_millis()).unwrap_or(u32::MAX).max(1);
        if self.patience != Some(wanted) {
            self.solver.set_patience(wanted);
            self.patience = Some(wanted);
        }
    }
}

#[derive(Default)]
struct Level {
    assertions: Vec<Bool>,
    floats: bool,
}

/// Z3 as a solver.
pub struct Z3 {
    translated: HashMap<Term, Translated, Quick>,
    /// Results of float operators as Z3's floats, so that a chain of them does not go through bits.
    floats: HashMap<Term, Float, Quick>,
    /// Whether there are floats in a term.
    has_floats: HashMap<Term, bool, Quick>,
    levels: Vec<Level>,
    plain: Option<Lane>,
    floating: Option<Lane>,
    statistics: Statistics,
}

impl Default for Z3 {
    fn default() -> Self {
        Self::new()
    }
}

impl Z3 {
    pub fn new() -> Z3 {
        Z3 {
            translated: HashMap::default(),
            floats: HashMap::default(),
            has_floats: HashMap::default(),
            levels: vec![Level::default()],
            plain: None,
            floating: None,
            statistics: Statistics::default(),
        }
    }

    /// All terms below, each once.
    fn translate(&mut self, terms: &Terms, term: Term) -> Bool {
        for inner in terms.below(&[term], |inner| self.translated.contains_key(&inner)) {
            let translated = self.step(terms, inner);
            self.translated.insert(inner, translated);
            let floats = self.involves_floats(terms, inner);
            self.has_floats.insert(inner, floats);
        }
        self.get(terms, term).truth()
    }

    fn involves_floats(&self, terms: &Terms, term: Term) -> bool {
        let Node::Apply(_, operands) = terms.node(term) else { return false };
        self.floats.contains_key(&term)
            || operands
                .iter()
                .any(|operand| self.has_floats.get(operand).is_some_and(|&floats| floats))
    }

    fn get(&self, terms: &Terms, term: Term) -> Translated {
        match terms.node(term) {
            Node::Truth(value) => Translated::Truth(Bool::from_bool(value)),
            Node::Bits(value) => Translated::Bits(constant(terms.width(term), value)),
            _ => self.translated[&term].clone(),
        }
    }

    fn step(&mut self, terms: &Terms, term: Term) -> Translated {
        let (op, operands) = match terms.node(term) {
            Node::Apply(op, operands) => (op, operands),
            Node::Unknown(_) => {
                let name = unknown_name(term);
                return match terms.sort(term) {
                    Sort::Bool => Translated::Truth(Bool::new_const(name)),
                    Sort::Bits(width) => Translated::Bits(BV::new_const(name, width)),
                };
            }
            _ => return self.get(terms, term),
        };
        let truth = |i: usize| self.get(terms, operands[i]).truth();
        let bits = |i: usize| self.get(terms, operands[i]).bits();
        let wider = |i: usize| terms.width(term) - terms.width(operands[i]);
        match op {
            Op::Not => Translated::Truth(truth(0).not()),
            Op::And => Translated::Truth(Bool::and(&[truth(0), truth(1)])),
            Op::Or => Translated::Truth(Bool::or(&[truth(0), truth(1)])),
            Op::Ite => match (self.get(terms, operands[1]), self.get(terms, operands[2])) {
                (Translated::Bits(then), Translated::Bits(other)) => {
                    Translated::Bits(truth(0).ite(&then, &other))
                }
                (then, other) => Translated::Truth(truth(0).ite(&then.truth(), &other.truth())),
            },
            Op::Eq => match (self.get(terms, operands[0]), self.get(terms, operands[1])) {
                (Translated::Bits(a), Translated::Bits(b)) => Translated::Truth(a.eq(&b)),
                (a, b) => Translated::Truth(a.truth().iff(b.truth())),
            },
            Op::Add => Translated::Bits(bits(0).bvadd(bits(1))),
            Op::Sub => Translated::Bits(bits(0).bvsub(bits(1))),
            Op::Neg => Translated::Bits(bits(0).bvneg()),
            Op::Mul => Translated::Bits(bits(0).bvmul(bits(1))),
            Op::UDiv => Translated::Bits(bits(0).bvudiv(bits(1))),
            Op::SDiv => Translated::Bits(bits(0).bvsdiv(bits(1))),
            Op::URem => Translated::Bits(bits(0).bvurem(bits(1))),
            Op::SRem => Translated::Bits(bits(0).bvsrem(bits(1))),
            Op::BAnd => Translated::Bits(bits(0).bvand(bits(1))),
            Op::BOr => Translated::Bits(bits(0).bvor(bits(1))),
            Op::BXor => Translated::Bits(bits(0).bvxor(bits(1))),
            Op::BNot => Translated::Bits(bits(0).bvnot()),
            Op::Shl => Translated::Bits(bits(0).bvshl(bits(1))),
            Op::LShr => Translated::Bits(bits(0).bvlshr(bits(1))),
            Op::AShr => Translated::Bits(bits(0).bvashr(bits(1))),
            Op::ULt => Translated::Truth(bits(0).bvult(bits(1))),
            Op::ULe => Translated::Truth(bits(0).bvule(bits(1))),
            Op::SLt => Translated::Truth(bits(0).bvslt(bits(1))),
            Op::SLe => Translated::Truth(bits(0).bvsle(bits(1))),
            Op::Concat => Translated::Bits(bits(0).concat(bits(1))),
            Op::Extract { high, low } => Translated::Bits(bits(0).extract(high, low)),
            Op::ZExt => Translated::Bits(bits(0).zero_ext(wider(0))),
            Op::SExt => Translated::Bits(bits(0).sign_ext(wider(0))),
            Op::MulOverflowsSigned => {
                let (a, b) = (bits(0), bits(1));
                let fits = Bool::and(&[a.bvmul_no_overflow(&b, true), a.bvmul_no_underflow(&b)]);
                Translated::Truth(fits.not())
            }
            Op::MulOverflowsUnsigned => {
                Translated::Truth(bits(0).bvmul_no_overflow(&bits(1), false).not())
            }
            Op::FToS | Op::FToU => {
                let (float, zero) =
                    (self.float(terms, operands[0]), RoundingMode::round_towards_zero());
                let width = terms.width(term);
                // Marks the term as one with floats.
                self.floats.insert(term, float.clone());
                Translated::Bits(match op {
                    Op::FToS => float.to_sbv_with_rounding_mode(&zero, width),
                    _ => float.to_ubv_with_rounding_mode(&zero, width),
                })
            }
            _ => {
                let float = self.calculate(terms, op, terms.width(term), operands);
                self.floats.insert(term, float.clone());
                Translated::Bits(pattern(&float, terms.width(term)))
            }
        }
    }

    fn calculate(&self, terms: &Terms, op: Op, width: u32, operands: &[Term]) -> Float {
        let even = RoundingMode::round_nearest_ties_to_even();
        let float = |i: usize| self.float(terms, operands[i]);
        match op {
            Op::FAdd => float(0).add_with_rounding_mode(float(1), &even),
            Op::FSub => float(0).sub_with_rounding_mode(float(1), &even),
            Op::FMul => float(0).mul_with_rounding_mode(float(1), &even),
            Op::FDiv => float(0).div_with_rounding_mode(float(1), &even),
            Op::FRem => remainder(&float(0), &float(1), width),
            Op::FSqrt => float(0).sqrt(),
            Op::Fma => float(0).fma(float(1), float(2)),
            Op::FRound(mode) => float(0).round_to_integral_with_rounding_mode(&rounding(mode)),
            Op::FToF => float(0).to_fp_with_rounding_mode(&even, &sort(width)),
            Op::SToF => number(&self.get(terms, operands[0]).bits(), width, true),
            Op::UToF => number(&self.get(terms, operands[0]).bits(), width, false),
            _ => unreachable!("{op:?} gives no float"),
        }
    }

    fn float(&self, terms: &Terms, term: Term) -> Float {
        let made = !matches!(terms.node(term), Node::Apply(Op::FToS | Op::FToU, _));
        match self.floats.get(&term) {
            Some(float) if made => float.clone(),
            _ => from_pattern(&self.get(terms, term).bits(), terms.width(term)),
        }
    }

    /// The lane for what is asserted and assumed, brought up to date.
    fn lane(&mut self, floats: bool) -> &mut Lane {
        let lane = if floats || self.levels.iter().any(|level| level.floats) {
            self.floating.get_or_insert_with(Lane::floating)
        } else {
            self.plain.get_or_insert_with(Lane::plain)
        };
        for (i, level) in self.levels.iter().enumerate() {
            if i == lane.known.len() {
                lane.solver.push();
                lane.known.push(0);
            }
            for assertion in &level.assertions[lane.known[i]..] {
                lane.solver.assert(assertion);
            }
            lane.known[i] = level.assertions.len();
        }
        lane
    }

    fn ask(&mut self, terms: &Terms, assumptions: &[Term], patience: Duration) -> Answer {
        let assumed: Vec<Bool> =
            assumptions.iter().map(|&term| self.translate(terms, term)).collect();
        let floats = assumptions.iter().any(|term| self.has_floats.get(term) == Some(&true));
        let lane = self.lane(floats);
        lane.set_patience(patience);
        lane.ask(terms, &assumed)
    }
}

impl Solver for Z3 {
    fn push(&mut self) {
        self.levels.push(Level::default());
    }

    fn pop(&mut self, levels: usize) {
        let left = self.levels.len().saturating_sub(levels).max(1);
        self.levels.truncate(left);
        for lane in self.plain.iter_mut().chain(&mut self.floating) {
            lane.pop_to(left);
        }
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        let assertion = self.translate(terms, term);
        let floats = self.has_floats.get(&term) == Some(&true);
        let level = self.levels.last_mut().expect("the lowest level is never taken back");
        level.assertions.push(assertion);
        level.floats |= floats;
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], patience: Duration) -> Answer {
        let start = Instant::now();
        let answer = self.ask(terms, assumptions, patience);
        self.statistics.checks += 1;
        self.statistics.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn name(&self) -> &str {
        "Z3"
    }
}

/// Z3's names of unknowns are their numbers: those that the program's have need not differ.
fn unknown_name(term: Term) -> String {
    format!("u{}", term.number())
}

fn constant(width: u32, value: u128) -> BV {
    if width <= 64 {
        return BV::from_u64(value as u64, width);
    }
    BV::from_u64((value >> 64) as u64, width - 64).concat(BV::from_u64(value as u64, 64))
}

fn sort(width: u32) -> ::z3::Sort {
    let format = Format::of(width).expect("a float's width");
    ::z3::Sort::float(format.exponent, format.digits)
}

fn rounding(mode: Rounding) -> RoundingMode {
    match mode {
        Rounding::NearestEven => RoundingMode::round_nearest_ties_to_even(),
        Rounding::NearestAway => RoundingMode::round_nearest_ties_to_away(),
        Rounding::Up => RoundingMode::round_towards_positive(),
        Rounding::Down => RoundingMode::round_towards_negative(),
        Rounding::Zero => RoundingMode::round_towards_zero(),
    }
}

fn from_pattern(bits: &BV, width: u32) -> Float {
    let (context, sort) = (bits.get_ctx(), sort(width));
    // Safe: bits and sort are alive and of one context, and their widths agree.
    unsafe {
        let float = z3_sys::Z3_mk_fpa_to_fp_bv(
            context.get_z3_context(),
            bits.get_z3_ast(),
            sort.get_z3_sort(),
        );
        Float::wrap(context, float.expect("a float of its pattern"))
    }
}

/// The pattern of a float; Z3 leaves open which one it is where it is not a number.
fn pattern(float: &Float, width: u32) -> BV {
    let nan = constant(width, Format::of(width).expect("a float's width").nan());
    float.is_nan().ite(&nan, &float.to_ieee_bv())
}

/// The float nearest to an integer.
fn number(bits: &BV, width: u32, signed: bool) -> Float {
    let (context, sort) = (bits.get_ctx(), sort(width));
    let mode = RoundingMode::round_nearest_ties_to_even();
    let make =
        if signed { z3_sys::Z3_mk_fpa_to_fp_signed } else { z3_sys::Z3_mk_fpa_to_fp_unsigned };
    // Safe: all are alive and of one context.
    unsafe {
        let (mode, bits) = (mode.get_z3_ast(), bits.get_z3_ast());
        let float = make(context.get_z3_context(), mode, bits, sort.get_z3_sort());
        Float::wrap(context, float.expect("a float of an integer"))
    }
}

/// C's remainder by that of IEEE 754, whose quotient is rounded to nearest: where it went past the number, it
/// has the other sign, and one divisor too many was taken away.
fn remainder(a: &Float, b: &Float, width: u32) -> Float {
    let nearest = a.rem(b.clone());
    let zero = from_pattern(&constant(width, 0), width);
    let past = Bool::and(&[
        nearest.eq_fpa(zero).not(),
        Ast::ne(&nearest.is_negative(), a.is_negative()),
        nearest.is_nan().not(),
    ]);
    let divisor = a.is_negative().ite(&b.unary_abs().unary_neg(), &b.unary_abs());
    let back = nearest.add_with_rounding_mode(divisor, &RoundingMode::round_nearest_ties_to_even());
    past.ite(&back, &nearest)
}

/// The values of our unknowns in Z3's model. What it does not name may be anything, so also zero.
fn read(terms: &Terms, model: &[(String, Dynamic)]) -> Answer {
    let mut values = Model::new();
    for (name, value) in model {
        let Some(unknown) = name.strip_prefix('u').and_then(|number| number.parse().ok()) else {
            continue;
        };
        let Some(unknown) = terms.unknown_by_number(unknown) else { continue };
        let value = match terms.sort(unknown) {
            Sort::Bool => value.as_bool().and_then(|truth| truth.as_bool()).map(Value::Truth),
            Sort::Bits(width) => value.as_bv().and_then(|bits| bits_value(width, &bits)),
        };
        match value {
            Some(value) => values.set(unknown, value),
            None => return Answer::Unknown(format!("Z3 gave no value for {name}")),
        }
    }
    Answer::Sat(values)
}

fn bits_value(width: u32, bits: &BV) -> Option<Value> {
    if width <= 64 {
        return bits.as_u64().map(|value| Value::Bits(value.into()));
    }
    // Printed as #x… or #b….
    let text = bits.to_string();
    let (digits, radix) = match text.strip_prefix("#x") {
        Some(digits) => (digits, 16),
        None => (text.strip_prefix("#b")?, 2),
    };
    let value = BigUint::parse_bytes(digits.as_bytes(), radix)?;
    Some(Value::of(Sort::Bits(width), value))
}
