//! Random terms for tests, each built twice: by the constructors, which simplify, and as it is.

use crate::eval::{Model, Value};
use crate::term::{Op, Rounding, Sort, Term, Terms};

/// A small generator of random numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        ((self.next() >> 32) as u32) % limit
    }

    pub fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// Often one that is at some edge.
    pub fn value(&mut self, width: u32) -> u128 {
        let one = 1u128;
        let value = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => one << (width.min(128) - 1),
            4 => (one << (width.min(128) - 1)) - 1,
            5 => one << self.below(width.min(128)),
            6 => self.below(8).into(),
            _ => self.wide(),
        };
        if width >= 128 { value } else { value & ((1 << width) - 1) }
    }

    /// A float's pattern, often a special one.
    pub fn float(&mut self, width: u32) -> u128 {
        let (exponent, digits) = match width {
            16 => (5, 10),
            32 => (8, 23),
            _ => (11, 52),
        };
        let largest = (1u128 << exponent) - 1;
        let sign = u128::from(self.below(2)) << (width - 1);
        let exponent = match self.below(6) {
            0 => 0,
            1 => largest,
            2 => largest - 1,
            3 => (largest >> 1) + u128::from(self.below(20)),
            4 => (largest >> 1) - u128::from(self.below(10)),
            _ => self.wide() & largest,
        };
        let fraction = match self.below(4) {
            0 => 0,
            1 => (1 << digits) - 1,
            2 => 1 << self.below(digits),
            _ => self.wide() & ((1 << digits) - 1),
        };
        sign | exponent << digits | fraction
    }
}

/// A term as the constructors make it, and as it was meant.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub simple: Term,
    pub raw: Term,
}

pub struct Grower<'a> {
    pub terms: &'a mut Terms,
    pub random: Random,
    /// What was made so far, to be used again.
    pub made: Vec<Pair>,
    pub unknowns: Vec<Term>,
    pub widths: Vec<u32>,
    pub floats: bool,
}

impl<'a> Grower<'a> {
    /// Unknowns of each width, and two truth values.
    pub fn new(terms: &'a mut Terms, seed: u64, widths: &[u32], each: usize) -> Grower<'a> {
        let mut sorts = vec![Sort::Bool, Sort::Bool];
        sorts.extend(widths.iter().flat_map(|&width| vec![Sort::Bits(width); each]));
        let unknowns: Vec<Term> = sorts.into_iter().map(|sort| terms.unknown("x", sort)).collect();
        let made = unknowns.iter().map(|&x| Pair { simple: x, raw: x }).collect();
        Grower {
            terms,
            random: Random::new(seed),
            made,
            unknowns,
            widths: widths.to_vec(),
            floats: false,
        }
    }

    pub fn model(&mut self) -> Model {
        let mut model = Model::new();
        for &unknown in &self.unknowns {
            let value = match self.terms.sort(unknown) {
                Sort::Bool => Value::Truth(self.random.below(2) == 1),
                Sort::Bits(width @ (16 | 32 | 64)) if self.floats => {
                    Value::Bits(self.random.float(width))
                }
                Sort::Bits(width) => Value::Bits(self.random.value(width)),
            };
            model.set(unknown, value);
        }
        model
    }

    pub fn truth(&mut self, depth: u32) -> Pair {
        if depth == 0 || self.random.below(6) == 0 {
            return self.leaf(Sort::Bool);
        }
        let width = self.width();
        let bits = Sort::Bits(width);
        let pair = match self.random.below(14) {
            0 => self.unary(Op::Not, Sort::Bool, Sort::Bool, depth, Terms::not),
            1 | 2 => self.binary(Op::And, Sort::Bool, Sort::Bool, depth, Terms::and),
            3 | 4 => self.binary(Op::Or, Sort::Bool, Sort::Bool, depth, Terms::or),
            5 => self.ite(Sort::Bool, depth),
            6 => self.binary(Op::Eq, Sort::Bool, Sort::Bool, depth, Terms::eq),
            7 | 8 => self.binary(Op::Eq, Sort::Bool, bits, depth, Terms::eq),
            9 => self.binary(Op::ULt, Sort::Bool, bits, depth, Terms::ult),
            10 => self.binary(Op::ULe, Sort::Bool, bits, depth, Terms::ule),
            11 => self.binary(Op::SLt, Sort::Bool, bits, depth, Terms::slt),
            12 => self.binary(Op::SLe, Sort::Bool, bits, depth, Terms::sle),
            _ => self.overflow(width, depth),
        };
        self.made.push(pair);
        pair
    }

    pub fn bits(&mut self, width: u32, depth: u32) -> Pair {
        let sort = Sort::Bits(width);
        if depth == 0 || self.random.below(6) == 0 {
            return self.leaf(sort);
        }
        if self.floats && matches!(width, 16 | 32 | 64) && self.random.below(2) == 0 {
            let pair = self.float(width, depth);
            self.made.push(pair);
            return pair;
        }
        let pair = match self.random.below(21) {
            0 | 1 => self.binary(Op::Add, sort, sort, depth, Terms::add),
            2 => self.binary(Op::Sub, sort, sort, depth, Terms::sub),
            3 => self.unary(Op::Neg, sort, sort, depth, Terms::neg),
            4 => self.binary(Op::Mul, sort, sort, depth, Terms::mul),
            5 => self.binary(Op::UDiv, sort, sort, depth, Terms::udiv),
            6 => self.binary(Op::SDiv, sort, sort, depth, Terms::sdiv),
            7 => self.binary(Op::URem, sort, sort, depth, Terms::urem),
            8 => self.binary(Op::SRem, sort, sort, depth, Terms::srem),
            9 => self.binary(Op::BAnd, sort, sort, depth, Terms::band),
            10 => self.binary(Op::BOr, sort, sort, depth, Terms::bor),
            11 => self.binary(Op::BXor, sort, sort, depth, Terms::bxor),
            12 => self.unary(Op::BNot, sort, sort, depth, Terms::bnot),
            13 => self.binary(Op::Shl, sort, sort, depth, Terms::shl),
            14 => self.binary(Op::LShr, sort, sort, depth, Terms::lshr),
            15 => self.binary(Op::AShr, sort, sort, depth, Terms::ashr),
            16 => self.ite(sort, depth),
            17 if width > 1 => self.concat(width, depth),
            18 => self.extract(width, depth),
            19 if width > 1 => self.extended(Op::ZExt, width, depth, Terms::zext),
            20 if width > 1 => self.extended(Op::SExt, width, depth, Terms::sext),
            _ => self.leaf(sort),
        };
        self.made.push(pair);
        pair
    }

    fn width(&mut self) -> u32 {
        self.widths[self.random.below(self.widths.len() as u32) as usize]
    }

    fn leaf(&mut self, sort: Sort) -> Pair {
        let known: Vec<Pair> =
            self.made.iter().copied().filter(|pair| self.terms.sort(pair.raw) == sort).collect();
        if self.random.below(3) == 0 || known.is_empty() {
            let constant = match sort {
                Sort::Bool => self.terms.truth(self.random.below(2) == 1),
                Sort::Bits(width @ (16 | 32 | 64)) if self.floats => {
                    let value = self.random.float(width);
                    self.terms.bits(width, value)
                }
                Sort::Bits(width) => {
                    let value = self.random.value(width);
                    self.terms.bits(width, value)
                }
            };
            return Pair { simple: constant, raw: constant };
        }
        known[self.random.below(known.len() as u32) as usize]
    }

    fn any(&mut self, sort: Sort, depth: u32) -> Pair {
        match sort {
            Sort::Bool => self.truth(depth),
            Sort::Bits(width) => self.bits(width, depth),
        }
    }

    fn unary(
        &mut self,
        op: Op,
        sort: Sort,
        from: Sort,
        depth: u32,
        make: fn(&mut Terms, Term) -> Term,
    ) -> Pair {
        let a = self.any(from, depth - 1);
        Pair { simple: make(self.terms, a.simple), raw: self.terms.raw(op, sort, &[a.raw]) }
    }

    fn binary(
        &mut self,
        op: Op,
        sort: Sort,
        from: Sort,
        depth: u32,
        make: fn(&mut Terms, Term, Term) -> Term,
    ) -> Pair {
        let (a, b) = (self.any(from, depth - 1), self.any(from, depth - 1));
        Pair {
            simple: make(self.terms, a.simple, b.simple),
            raw: self.terms.raw(op, sort, &[a.raw, b.raw]),
        }
    }

    fn ite(&mut self, sort: Sort, depth: u32) -> Pair {
        let condition = self.truth(depth - 1);
        let (then, other) = (self.any(sort, depth - 1), self.any(sort, depth - 1));
        Pair {
            simple: self.terms.ite(condition.simple, then.simple, other.simple),
            raw: self.terms.raw(Op::Ite, sort, &[condition.raw, then.raw, other.raw]),
        }
    }

    fn concat(&mut self, width: u32, depth: u32) -> Pair {
        let low = 1 + self.random.below(width - 1);
        let (a, b) = (self.bits(width - low, depth - 1), self.bits(low, depth - 1));
        Pair {
            simple: self.terms.concat(a.simple, b.simple),
            raw: self.terms.raw(Op::Concat, Sort::Bits(width), &[a.raw, b.raw]),
        }
    }

    fn extract(&mut self, width: u32, depth: u32) -> Pair {
        let low = self.random.below(6);
        let from = width + low + self.random.below(4);
        let a = self.bits(from, depth - 1);
        let high = low + width - 1;
        Pair {
            simple: self.terms.extract(a.simple, high, low),
            raw: self.terms.raw(Op::Extract { high, low }, Sort::Bits(width), &[a.raw]),
        }
    }

    fn extended(
        &mut self,
        op: Op,
        width: u32,
        depth: u32,
        make: fn(&mut Terms, Term, u32) -> Term,
    ) -> Pair {
        let from = 1 + self.random.below(width - 1);
        let a = self.bits(from, depth - 1);
        Pair {
            simple: make(self.terms, a.simple, width),
            raw: self.terms.raw(op, Sort::Bits(width), &[a.raw]),
        }
    }

    /// Whether the operation in twice the width, and a bit, gives something else.
    fn overflow(&mut self, width: u32, depth: u32) -> Pair {
        let (a, b) = (self.bits(width, depth - 1), self.bits(width, depth - 1));
        let (op, simple, extend) = match self.random.below(6) {
            0 => (Op::Add, self.terms.add_overflows_signed(a.simple, b.simple), Op::SExt),
            1 => (Op::Add, self.terms.add_overflows_unsigned(a.simple, b.simple), Op::ZExt),
            2 => (Op::Sub, self.terms.sub_overflows_signed(a.simple, b.simple), Op::SExt),
            3 => (Op::Sub, self.terms.sub_overflows_unsigned(a.simple, b.simple), Op::ZExt),
            4 => (Op::Mul, self.terms.mul_overflows_signed(a.simple, b.simple), Op::SExt),
            _ => (Op::Mul, self.terms.mul_overflows_unsigned(a.simple, b.simple), Op::ZExt),
        };
        let (narrow, wide) = (Sort::Bits(width), Sort::Bits(2 * width + 1));
        let (x, y) =
            (self.terms.raw(extend, wide, &[a.raw]), self.terms.raw(extend, wide, &[b.raw]));
        let exact = self.terms.raw(op, wide, &[x, y]);
        let cut = self.terms.raw(op, narrow, &[a.raw, b.raw]);
        let back = self.terms.raw(extend, wide, &[cut]);
        let fits = self.terms.raw(Op::Eq, Sort::Bool, &[exact, back]);
        Pair { simple, raw: self.terms.raw(Op::Not, Sort::Bool, &[fits]) }
    }

    fn float(&mut self, width: u32, depth: u32) -> Pair {
        let sort = Sort::Bits(width);
        let others: Vec<u32> = [16, 32, 64]
            .into_iter()
            .filter(|&other| other != width && self.widths.contains(&other))
            .collect();
        match self.random.below(9) {
            0 => self.binary(Op::FAdd, sort, sort, depth, |t, a, b| t.fadd(a, b).unwrap()),
            1 => self.binary(Op::FSub, sort, sort, depth, |t, a, b| t.fsub(a, b).unwrap()),
            2 => self.binary(Op::FMul, sort, sort, depth, |t, a, b| t.fmul(a, b).unwrap()),
            3 => self.binary(Op::FDiv, sort, sort, depth, |t, a, b| t.fdiv(a, b).unwrap()),
            4 => self.unary(Op::FSqrt, sort, sort, depth, |t, a| t.fsqrt(a).unwrap()),
            5 => {
                let modes = [
                    Rounding::NearestEven,
                    Rounding::NearestAway,
                    Rounding::Up,
                    Rounding::Down,
                    Rounding::Zero,
                ];
                let mode = modes[self.random.below(5) as usize];
                let a = self.bits(width, depth - 1);
                Pair {
                    simple: self.terms.round_to_integral(mode, a.simple).unwrap(),
                    raw: self.terms.raw(Op::FRound(mode), sort, &[a.raw]),
                }
            }
            6 if !others.is_empty() => {
                let from = others[self.random.below(others.len() as u32) as usize];
                let a = self.bits(from, depth - 1);
                Pair {
                    simple: self.terms.float_to_float(a.simple, width).unwrap(),
                    raw: self.terms.raw(Op::FToF, sort, &[a.raw]),
                }
            }
            op => {
                let from = self.width();
                let a = self.bits(from, depth - 1);
                let (op, simple) = if op == 7 {
                    (Op::SToF, self.terms.signed_to_float(a.simple, width).unwrap())
                } else {
                    (Op::UToF, self.terms.unsigned_to_float(a.simple, width).unwrap())
                };
                Pair { simple, raw: self.terms.raw(op, sort, &[a.raw]) }
            }
        }
    }
}
