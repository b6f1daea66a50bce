//! Terms as definitions in SMT-LIB.

use crate::term::{Format, Node, Op, Quick, Rounding, Sort, Term, Terms};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What was defined so far.
#[derive(Default)]
pub(super) struct Printer {
    defined: HashSet<Term, Quick>,
    floats: HashMap<Term, Rc<[Term]>, Quick>,
}

/// Whether the operator's result is a float, of which the pattern is not at hand.
fn is_float(op: Op) -> bool {
    matches!(
        op,
        Op::FAdd
            | Op::FSub
            | Op::FMul
            | Op::FDiv
            | Op::FRem
            | Op::FSqrt
            | Op::Fma
            | Op::FRound(_)
            | Op::FToF
            | Op::SToF
            | Op::UToF
    )
}

fn makes_float(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::Apply(op, _) if is_float(op))
}

fn format(width: u32) -> Format {
    Format::of(width).expect("a float's width")
}

fn to_float(width: u32) -> String {
    let format = format(width);
    format!("(_ to_fp {} {})", format.exponent, format.digits)
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_string(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
    }
}

impl Printer {
    pub(super) fn name(&self, terms: &Terms, term: Term) -> String {
        match terms.node(term) {
            Node::Truth(value) => value.to_string(),
            Node::Bits(value) => format!("(_ bv{value} {})", terms.width(term)),
            Node::Unknown(_) => format!("u{}", term.number()),
            Node::Apply(..) => format!("t{}", term.number()),
        }
    }

    /// Definitions of all that is new in a term.
    pub(super) fn define(&mut self, terms: &Terms, term: Term, text: &mut String) {
        for inner in terms.below(&[term], |inner| self.defined.contains(&inner)) {
            self.defined.insert(inner);
            let (name, sort) = (self.name(terms, inner), sort(terms.sort(inner)));
            match terms.node(inner) {
                Node::Unknown(_) => text.push_str(&format!("(declare-const {name} {sort})\n")),
                Node::Apply(op, operands) if is_float(op) => {
                    let format = format(terms.width(inner));
                    let float = self.float_operation(terms, inner, op, operands);
                    text.push_str(&format!(
                        "(define-fun f{} () (_ FloatingPoint {} {}) {float})\n(declare-const {name} {sort})\n",
                        inner.number(),
                        format.exponent,
                        format.digits,
                    ));
                }
                Node::Apply(op, operands) => {
                    let body = self.operation(terms, inner, op, operands);
                    text.push_str(&format!("(define-fun {name} () {sort} {body})\n"));
                }
                Node::Truth(_) | Node::Bits(_) => {}
            }
        }
    }

    /// The floats in a term of which the patterns have to be asserted.
    pub(super) fn floats_below(&mut self, terms: &Terms, term: Term) -> Vec<Term> {
        let floats = self.floats.entry(term).or_insert_with(|| {
            terms
                .below(&[term], |_| false)
                .into_iter()
                .filter(|&inner| makes_float(terms, inner))
                .collect()
        });
        floats.to_vec()
    }

    /// What the pattern of a float is.
    pub(super) fn pattern(&self, terms: &Terms, term: Term) -> String {
        let (number, width) = (term.number(), terms.width(term));
        format!(
            "(assert (ite (fp.isNaN f{number}) (= t{number} (_ bv{} {width})) (= ({} t{number}) f{number})))\n",
            format(width).nan(),
            to_float(width)
        )
    }

    /// An operand as a float.
    fn float(&self, terms: &Terms, term: Term) -> String {
        if makes_float(terms, term) {
            return format!("f{}", term.number());
        }
        format!("({} {})", to_float(terms.width(term)), self.name(terms, term))
    }

    fn float_operation(&self, terms: &Terms, term: Term, op: Op, operands: &[Term]) -> String {
        let a = || self.float(terms, operands[0]);
        let b = || self.float(terms, operands[1]);
        let width = terms.width(term);
        match op {
            Op::FAdd => format!("(fp.add RNE {} {})", a(), b()),
            Op::FSub => format!("(fp.sub RNE {} {})", a(), b()),
            Op::FMul => format!("(fp.mul RNE {} {})", a(), b()),
            Op::FDiv => format!("(fp.div RNE {} {})", a(), b()),
            Op::FSqrt => format!("(fp.sqrt RNE {})", a()),
            Op::Fma => format!("(fp.fma RNE {} {} {})", a(), b(), self.float(terms, operands[2])),
            Op::FRound(mode) => format!("(fp.roundToIntegral {} {})", rounding(mode), a()),
            Op::FToF => format!("({} RNE {})", to_float(width), a()),
            Op::SToF => format!("({} RNE {})", to_float(width), self.name(terms, operands[0])),
            Op::UToF => {
                let format = format(width);
                let integer = self.name(terms, operands[0]);
                format!("((_ to_fp_unsigned {} {}) RNE {integer})", format.exponent, format.digits)
            }
            Op::FRem => remainder(&a(), &b()),
            _ => unreachable!("{op:?} gives no float"),
        }
    }

    fn operation(&self, terms: &Terms, term: Term, op: Op, operands: &[Term]) -> String {
        let names: Vec<String> =
            operands.iter().map(|&operand| self.name(terms, operand)).collect();
        let wider = || terms.width(term) - terms.width(operands[0]);
        let from = || terms.width(operands[0]);
        let operator = match op {
            Op::Not => "not".to_string(),
            Op::And => "and".to_string(),
            Op::Or => "or".to_string(),
            Op::Ite => "ite".to_string(),
            Op::Eq => "=".to_string(),
            Op::Add => "bvadd".to_string(),
            Op::Sub => "bvsub".to_string(),
            Op::Neg => "bvneg".to_string(),
            Op::Mul => "bvmul".to_string(),
            Op::UDiv => "bvudiv".to_string(),
            Op::SDiv => "bvsdiv".to_string(),
            Op::URem => "bvurem".to_string(),
            Op::SRem => "bvsrem".to_string(),
            Op::BAnd => "bvand".to_string(),
            Op::BOr => "bvor".to_string(),
            Op::BXor => "bvxor".to_string(),
            Op::BNot => "bvnot".to_string(),
            Op::Shl => "bvshl".to_string(),
            Op::LShr => "bvlshr".to_string(),
            Op::AShr => "bvashr".to_string(),
            Op::ULt => "bvult".to_string(),
            Op::ULe => "bvule".to_string(),
            Op::SLt => "bvslt".to_string(),
            Op::SLe => "bvsle".to_string(),
            Op::Concat => "concat".to_string(),
            Op::Extract { high, low } => format!("(_ extract {high} {low})"),
            Op::ZExt => format!("(_ zero_extend {})", wider()),
            Op::SExt => format!("(_ sign_extend {})", wider()),
            Op::MulOverflowsSigned => return product_differs("sign_extend", from(), &names),
            Op::MulOverflowsUnsigned => return product_differs("zero_extend", from(), &names),
            Op::FToS | Op::FToU => {
                let conversion = if op == Op::FToS { "fp.to_sbv" } else { "fp.to_ubv" };
                let float = self.float(terms, operands[0]);
                return format!("((_ {conversion} {}) RTZ {float})", terms.width(term));
            }
            _ => unreachable!("{op:?} gives a float"),
        };
        format!("({operator} {})", names.join(" "))
    }
}

fn rounding(mode: Rounding) -> &'static str {
    match mode {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}

/// C's remainder by that of IEEE 754: where that went past the number, one divisor too many was taken away.
fn remainder(a: &str, b: &str) -> String {
    let past = "(and (not (fp.isZero r)) (not (fp.isNaN r)) (not (= (fp.isNegative r) (fp.isNegative a))))";
    let divisor = "(ite (fp.isNegative a) (fp.neg (fp.abs b)) (fp.abs b))";
    format!(
        "(let ((a {a}) (b {b})) (let ((r (fp.rem a b))) (ite {past} (fp.add RNE r {divisor}) r)))"
    )
}

/// Whether the product in twice the width is another one.
fn product_differs(extend: &str, width: u32, names: &[String]) -> String {
    let (a, b) = (&names[0], &names[1]);
    let wide = |name: &str| format!("((_ {extend} {width}) {name})");
    format!("(not (= (bvmul {} {}) {}))", wide(a), wide(b), wide(&format!("(bvmul {a} {b})")))
}
