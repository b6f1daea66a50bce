use super::*;
use crate::eval::{Model, Value};
use crate::random::{Grower, Random};
use crate::solver::{Answer, Solver, Z3};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn what_is_simplified_keeps_its_value() {
    for seed in 0..2000 {
        let mut terms = Terms::new();
        let widths: &[u32] = match seed % 4 {
            0 => &[1, 2, 3],
            1 => &[4, 8],
            2 => &[8, 32, 64],
            _ => &[128, 160],
        };
        let mut grower = Grower::new(&mut terms, seed, widths, 2);
        for _ in 0..8 {
            grower.truth(4);
        }
        agree(grower, seed, 30);
    }
}

#[test]
fn floats_that_are_simplified_keep_their_value() {
    for seed in 0..500 {
        let mut terms = Terms::new();
        let mut grower = Grower::new(&mut terms, seed, &[16, 32, 64], 2);
        grower.floats = true;
        for width in [16, 32, 64] {
            grower.bits(width, 4);
        }
        agree(grower, seed, 30);
    }
}

/// Everything that was grown, under random values.
fn agree(mut grower: Grower, seed: u64, models: usize) {
    for _ in 0..models {
        let model = grower.model();
        let mut evaluation = crate::eval::Evaluation::new(model);
        for &pair in &grower.made {
            let raw = evaluation.value(grower.terms, pair.raw);
            let simple = evaluation.value(grower.terms, pair.simple);
            assert_eq!(
                raw,
                simple,
                "seed {seed}: {} became {}",
                grower.terms.show(pair.raw),
                grower.terms.show(pair.simple)
            );
        }
    }
}

#[test]
fn what_is_simplified_is_the_same_to_the_solver() {
    for seed in 0..100 {
        let mut terms = Terms::new();
        let mut grower = Grower::new(&mut terms, 77_000 + seed, &[1, 3, 4, 6], 2);
        for _ in 0..4 {
            grower.truth(3);
        }
        let made = std::mem::take(&mut grower.made);
        let mut solver = Z3::new();
        for pair in made.iter().filter(|pair| pair.raw != pair.simple) {
            let sort = terms.same_sort(pair.raw, pair.simple);
            let equal = terms.raw(Op::Eq, Sort::Bool, &[pair.raw, pair.simple]);
            let differ = terms.raw(Op::Not, Sort::Bool, &[equal]);
            let answer = solver.check(&terms, &[differ], PATIENCE);
            assert_eq!(
                answer,
                Answer::Unsat,
                "seed {seed}, {sort:?}: {} became {}",
                terms.show(pair.raw),
                terms.show(pair.simple)
            );
        }
    }
}

fn x(terms: &mut Terms, width: u32) -> Term {
    terms.unknown("x", Sort::Bits(width))
}

#[test]
fn stored_by_bytes_and_loaded_whole_is_the_same() {
    let mut terms = Terms::new();
    for signed in [false, true] {
        let x = x(&mut terms, 12);
        let whole = if signed { terms.sext(x, 32) } else { terms.zext(x, 32) };
        let bytes: Vec<Term> = (0..4).map(|i| terms.extract(whole, 8 * i + 7, 8 * i)).collect();
        let backwards: Vec<Term> = bytes.iter().rev().copied().collect();
        assert_eq!(terms.concat_all(&backwards), whole);
        let from_high =
            backwards.iter().skip(1).fold(backwards[0], |high, &low| terms.concat(high, low));
        assert_eq!(from_high, whole);
    }
}

#[test]
fn merged_bytes_are_a_merged_word() {
    let mut terms = Terms::new();
    let (a, b) = (x(&mut terms, 32), terms.bits(32, 77));
    let condition = terms.unknown("c", Sort::Bool);
    let bytes: Vec<Term> = (0..4)
        .rev()
        .map(|i| {
            let (a, b) = (terms.extract(a, 8 * i + 7, 8 * i), terms.extract(b, 8 * i + 7, 8 * i));
            terms.ite(condition, a, b)
        })
        .collect();
    let whole = terms.ite(condition, a, b);
    assert_eq!(terms.concat_all(&bytes), whole);
}

#[test]
fn a_bit_field_is_a_piece() {
    let mut terms = Terms::new();
    let (word, field) = (x(&mut terms, 32), x(&mut terms, 4));
    // word = word & ~0xf0 | field << 4, and then word >> 4 & 0xf.
    let mask = terms.bits(32, !0xf0);
    let kept = terms.band(word, mask);
    let wide = terms.zext(field, 32);
    let four = terms.bits(32, 4);
    let placed = terms.shl(wide, four);
    let new = terms.bor(kept, placed);
    let moved = terms.lshr(new, four);
    let low = terms.bits(32, 0xf);
    assert_eq!(terms.band(moved, low), wide);
}

#[test]
fn the_compilers_detours_through_integers_are_cut() {
    let mut terms = Terms::new();
    let (a, five) = (x(&mut terms, 32), terms.bits(32, 5));
    let less = terms.slt(a, five);
    // zext i1 to i8, trunc to i1, zext to i32, compare with 0.
    let bit = terms.from_bool(less);
    let byte = terms.zext(bit, 8);
    let bit = terms.extract(byte, 0, 0);
    let word = terms.zext(bit, 32);
    let zero = terms.bits(32, 0);
    let equal = terms.eq(word, zero);
    assert_eq!(terms.not(equal), less);
    let one = terms.bits(32, 1);
    assert_eq!(terms.eq(word, one), less);
}

#[test]
fn constants_are_collected() {
    let mut terms = Terms::new();
    let a = x(&mut terms, 32);
    let [three, four, seven, nine, two] = [3, 4, 7, 9, 2].map(|value| terms.bits(32, value));
    let sum = terms.add(a, three);
    let sum = terms.add(sum, four);
    assert_eq!(sum, terms.add(a, seven));
    assert_eq!(terms.eq(sum, nine), terms.eq(a, two));
    assert_eq!(terms.sub(sum, a), seven);
    let small = terms.extract(a, 7, 0);
    let small = terms.zext(small, 32);
    let thousand = terms.bits(32, 1000);
    assert_eq!(terms.ult(small, thousand), terms.truth(true));
}

#[test]
fn long_chains_need_no_deep_stack() {
    let mut terms = Terms::new();
    let (first, second) = (x(&mut terms, 32), x(&mut terms, 32));
    let mut sum = first;
    let mut all = terms.truth(true);
    let mut array = second;
    for i in 0..100_000 {
        let index = terms.bits(32, i);
        let factor = terms.bits(32, i | 1);
        let product = terms.mul(second, factor);
        sum = terms.bxor(sum, product);
        sum = terms.add(sum, second);
        let differs = terms.eq(sum, index);
        let differs = terms.not(differs);
        all = terms.and(all, differs);
        let here = terms.eq(first, index);
        array = terms.ite(here, product, array);
    }
    let read = terms.eq(array, sum);
    let all = terms.and(all, read);
    assert_eq!(terms.unknowns_of(all).collect::<Vec<_>>(), [first, second]);
    let mut model = Model::new();
    model.set(second, Value::Bits(3));
    let _ = terms.eval(all, &model);
    let low = terms.extract(array, 7, 0);
    let _ = terms.eq(low, low);
    let ones = terms.bits(32, 1);
    let _ = terms.eq(array, ones);
    // Translating it, and dropping it again, is the solver's part of this.
    let mut solver = Z3::new();
    solver.push();
    solver.assert(&terms, all);
    solver.pop(1);
    let _ = solver.check(&terms, &[], PATIENCE);
}

#[test]
fn bytes_in_thousands_come_back_whole() {
    let mut terms = Terms::new();
    let whole = x(&mut terms, 1 << 16);
    let bytes: Vec<Term> =
        (0..1 << 13).rev().map(|i| terms.extract(whole, 8 * i + 7, 8 * i)).collect();
    assert_eq!(terms.concat_all(&bytes), whole);
    let others: Vec<Term> = (0..1 << 13).map(|_| x(&mut terms, 8)).collect();
    let chain = terms.concat_all(&others);
    assert_eq!(terms.extract(chain, 15, 8), others[(1 << 13) - 2]);
    let _ = terms.extract(chain, 60_000, 4);
}

/// Folding against the machine's own floats.
#[test]
fn float_comparisons_are_the_machines() {
    let mut random = Random::new(5);
    let mut terms = Terms::new();
    let (x, y) = (x(&mut terms, 64), x(&mut terms, 64));
    let eq = terms.feq(x, y).unwrap();
    let lt = terms.flt(x, y).unwrap();
    let le = terms.fle(x, y).unwrap();
    let unordered = terms.funordered(x, y).unwrap();
    let (min, max) = (terms.fmin(x, y).unwrap(), terms.fmax(x, y).unwrap());
    let (neg, abs) = (terms.fneg(x).unwrap(), terms.fabs(x).unwrap());
    for i in 0..20_000 {
        let a = random.float(64);
        let b = if i % 3 == 0 { a ^ u128::from(random.below(2)) << 63 } else { random.float(64) };
        let mut model = Model::new();
        model.set(x, Value::Bits(a));
        model.set(y, Value::Bits(b));
        let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
        assert_eq!(terms.eval(eq, &model), Value::Truth(a == b));
        assert_eq!(terms.eval(lt, &model), Value::Truth(a < b));
        assert_eq!(terms.eval(le, &model), Value::Truth(a <= b));
        assert_eq!(terms.eval(unordered, &model), Value::Truth(a.is_nan() || b.is_nan()));
        assert_eq!(terms.eval(neg, &model), Value::Bits((-a).to_bits().into()));
        assert_eq!(terms.eval(abs, &model), Value::Bits(a.abs().to_bits().into()));
        let float = |term| f64::from_bits(terms.eval(term, &model).as_bits().unwrap() as u64);
        let (least, greatest) = (float(min), float(max));
        if a.is_nan() && b.is_nan() {
            assert_eq!(least.to_bits(), 0x7ff8 << 48);
        } else {
            assert_eq!(least, a.min(b));
            assert_eq!(greatest, a.max(b));
        }
    }
}

#[test]
fn floats_become_integers_as_the_machine_makes_them() {
    let mut random = Random::new(9);
    let mut terms = Terms::new();
    for _ in 0..20_000 {
        let pattern = random.float(64);
        let value = f64::from_bits(pattern as u64);
        let a = terms.bits(64, pattern);
        let single = f32::from_bits(random.float(32) as u32);
        let b = terms.bits(32, single.to_bits().into());
        for width in [1, 8, 16, 31, 32, 53, 54, 64] {
            let cut = value.trunc();
            let limit = 2f64.powi(width as i32 - 1);
            let fits = cut >= -limit && cut < limit;
            let said = terms.float_fits_signed(a, width).unwrap();
            assert_eq!(terms.as_truth(said), Some(fits), "{value} in {width} bits");
            let expected = if fits { value as i64 } else { -1i64 << (width - 1) };
            let expected = terms.bits(width, expected as u128);
            assert_eq!(terms.float_to_signed(a, width), Some(expected));
            let fits = cut >= 0.0 && cut < 2.0 * limit;
            let said = terms.float_fits_unsigned(a, width).unwrap();
            assert_eq!(terms.as_truth(said), Some(fits), "{value} in {width} bits");
            let fits = f64::from(single).trunc() >= -limit && f64::from(single).trunc() < limit;
            let said = terms.float_fits_signed(b, width).unwrap();
            assert_eq!(terms.as_truth(said), Some(fits), "{single} in {width} bits");
        }
        let integer = random.value(64) as u64;
        let a = terms.bits(64, integer.into());
        let expected = terms.bits(32, (integer as i64 as f32).to_bits().into());
        assert_eq!(terms.signed_to_float(a, 32), Some(expected));
        let expected = terms.bits(64, (integer as f64).to_bits().into());
        assert_eq!(terms.unsigned_to_float(a, 64), Some(expected));
    }
}

#[test]
fn what_is_not_supported_gives_nothing() {
    let mut terms = Terms::new();
    let long_double = x(&mut terms, 80);
    assert_eq!(terms.fadd(long_double, long_double), None);
    assert_eq!(terms.float_to_signed(long_double, 32), None);
    assert_eq!(terms.signed_to_float(long_double, 80), None);
}
