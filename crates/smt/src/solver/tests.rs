use super::*;
use crate::eval::{Evaluation, Value};
use crate::random::{Grower, Random};
use crate::term::Sort;

const PATIENCE: Duration = Duration::from_secs(40);

fn solvers() -> Vec<Box<dyn Solver>> {
    vec![Box::new(Z3::new()), Box::new(SmtLib::cvc5())]
}

/// Whether any values of the unknowns satisfy it, by trying all.
fn brute_force(terms: &Terms, unknowns: &[Term], term: Term) -> bool {
    let widths: Vec<u32> = unknowns
        .iter()
        .map(|&unknown| match terms.sort(unknown) {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
        })
        .collect();
    let total: u32 = widths.iter().sum();
    (0..1u64 << total).any(|mut rest| {
        let mut model = Model::new();
        for (&unknown, &width) in unknowns.iter().zip(&widths) {
            let value = u128::from(rest & ((1 << width) - 1));
            rest >>= width;
            let value = match terms.sort(unknown) {
                Sort::Bool => Value::Truth(value == 1),
                Sort::Bits(_) => Value::Bits(value),
            };
            model.set(unknown, value);
        }
        terms.eval(term, &model) == Value::Truth(true)
    })
}

fn satisfies(terms: &Terms, model: &Model, parts: &[Term]) {
    let mut evaluation = Evaluation::new(model.clone());
    for &part in parts {
        assert!(evaluation.holds(terms, part), "{model:?} does not satisfy {}", terms.show(part));
    }
}

#[test]
fn all_agree_with_brute_force() {
    let (mut sat, mut unsat) = (0, 0);
    let mut terms = Terms::new();
    let mut solvers = solvers();
    for seed in 0..120 {
        // Two truth values and two unknowns of each width: 8 bits.
        let mut grower = Grower::new(&mut terms, 500 + seed, &[1, 2], 2);
        // Conjunctions are harder to satisfy. The solvers see what was not simplified.
        let parts: Vec<Term> = (0..4).map(|_| grower.truth(3).raw).collect();
        let unknowns = grower.unknowns.clone();
        let all = parts
            .iter()
            .skip(1)
            .fold(parts[0], |all, &part| terms.raw(crate::term::Op::And, Sort::Bool, &[all, part]));
        let expected = brute_force(&terms, &unknowns, all);
        for solver in &mut solvers {
            let answer = solver.check(&terms, &parts, PATIENCE);
            match &answer {
                Answer::Sat(model) => satisfies(&terms, model, &parts),
                Answer::Unsat => {}
                Answer::Unknown(why) => panic!("seed {seed}, {}: {why}", solver.name()),
            }
            assert_eq!(
                answer != Answer::Unsat,
                expected,
                "seed {seed}, {}: {}",
                solver.name(),
                terms.show(all)
            );
        }
        if expected { sat += 1 } else { unsat += 1 }
    }
    assert!(sat > 20 && unsat > 20, "{sat} satisfiable, {unsat} not");
}

#[test]
fn all_agree_on_wider_terms() {
    let mut terms = Terms::new();
    let mut solvers = solvers();
    let mut kinds = [0, 0];
    for seed in 0..30 {
        let mut grower = Grower::new(&mut terms, 9000 + seed, &[5, 7, 130], 2);
        let parts: Vec<Term> = (0..4).map(|_| grower.truth(2).raw).collect();
        agree(&terms, &mut solvers, &parts, seed, &mut kinds);
    }
    assert!(kinds[0] > 3 && kinds[1] > 3, "{kinds:?}");
}

/// What the solvers say of a conjunction; what one of them does not know is no disagreement.
fn agree(
    terms: &Terms,
    solvers: &mut [Box<dyn Solver>],
    parts: &[Term],
    seed: u64,
    kinds: &mut [u32; 2],
) {
    let mut said = Vec::new();
    for solver in solvers {
        match solver.check(terms, parts, Duration::from_secs(10)) {
            Answer::Sat(model) => {
                satisfies(terms, &model, parts);
                said.push(true);
            }
            Answer::Unsat => said.push(false),
            Answer::Unknown(why) => {
                assert!(
                    why.contains("timeout") || why.contains("canceled"),
                    "{}: {why}",
                    solver.name()
                );
            }
        }
    }
    let shown: Vec<String> = parts.iter().map(|&part| terms.show(part)).collect();
    assert!(said.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}: {said:?} {shown:?}");
    if let Some(&satisfiable) = said.first() {
        kinds[usize::from(!satisfiable)] += 1;
    }
}

/// Each float operator on random patterns: what folding gives is what the solvers give, and nothing else.
#[test]
fn solvers_calculate_as_the_machine() {
    use crate::term::{Op, Rounding};
    let mut random = Random::new(21);
    let mut terms = Terms::new();
    let mut solvers = solvers();
    let mut operators = vec![
        (Op::FAdd, 2),
        (Op::FSub, 2),
        (Op::FMul, 2),
        (Op::FDiv, 2),
        (Op::FSqrt, 1),
        (Op::Fma, 3),
        (Op::FToF, 1),
        (Op::SToF, 1),
        (Op::UToF, 1),
    ];
    for mode in
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero]
    {
        operators.push((Op::FRound(mode), 1));
    }
    for round in 0..4 {
        for &(op, count) in &operators {
            for width in [16, 32, 64] {
                let from = match op {
                    Op::FToF => [32, 64, 16][round % 3],
                    Op::SToF | Op::UToF => [8, 32, 64, 128][round % 4],
                    _ => width,
                };
                if op == Op::FToF && from == width {
                    continue;
                }
                let operands: Vec<Term> = (0..count)
                    .map(|_| {
                        let integer = matches!(op, Op::SToF | Op::UToF);
                        let value = if integer { random.value(from) } else { random.float(from) };
                        terms.bits(from, value)
                    })
                    .collect();
                calculation(&mut terms, &mut solvers, op, width, &operands);
            }
        }
    }
}

#[test]
fn remainders_are_cs() {
    let mut random = Random::new(22);
    let mut terms = Terms::new();
    let mut solvers = solvers();
    for _ in 0..15 {
        let operands = [random.float(16), random.float(16)].map(|value| terms.bits(16, value));
        calculation(&mut terms, &mut solvers, crate::term::Op::FRem, 16, &operands);
    }
}

/// The operands are unknowns that must be these constants: else the solver would not calculate.
fn calculation(
    terms: &mut Terms,
    solvers: &mut [Box<dyn Solver>],
    op: crate::term::Op,
    width: u32,
    operands: &[Term],
) {
    let sort = Sort::Bits(width);
    let expected = terms.make_for_test(op, sort, operands);
    let unknowns: Vec<Term> =
        operands.iter().map(|&operand| terms.unknown("x", terms.sort(operand))).collect();
    let mut path: Vec<Term> =
        operands.iter().zip(&unknowns).map(|(&value, &x)| terms.eq(x, value)).collect();
    let result = terms.raw(op, sort, &unknowns);
    let equal = terms.eq(result, expected);
    let differs = terms.not(equal);
    path.push(differs);
    for solver in solvers {
        let answer = solver.check(terms, &path, PATIENCE);
        let shown: Vec<String> =
            operands.iter().map(|&x| format!("{:#x}", terms.as_bits(x).unwrap())).collect();
        assert_eq!(
            answer,
            Answer::Unsat,
            "{}: {op:?} of {shown:?} is not {:#x}",
            solver.name(),
            terms.as_bits(expected).unwrap()
        );
    }
}

#[test]
fn all_agree_on_floats() {
    let mut terms = Terms::new();
    let mut solvers = solvers();
    let mut kinds = [0, 0];
    for seed in 0..16 {
        let mut grower = Grower::new(&mut terms, 31_000 + seed, &[8, 32], 2);
        grower.floats = true;
        let (a, b) = (grower.bits(32, 2).raw, grower.bits(32, 2).raw);
        let other = grower.truth(2).raw;
        let less = terms.flt(a, b).unwrap();
        let part = terms.float_to_signed(b, 8).unwrap();
        let seven = terms.bits(8, 7);
        let high = terms.slt(seven, part);
        agree(&terms, &mut solvers, &[less, other, high], seed, &mut kinds);
    }
    assert!(kinds[0] > 3 && kinds[1] > 3, "{kinds:?}");
}

#[test]
fn levels_come_and_go() {
    let mut terms = Terms::new();
    let x = terms.unknown("x", Sort::Bits(32));
    let y = terms.unknown("y", Sort::Bits(32));
    let half = terms.bits(32, 0.5f32.to_bits().into());
    let two = terms.bits(32, 2f32.to_bits().into());
    let twice = terms.fmul(x, two).unwrap();
    let ten = terms.bits(32, 10);
    let small = terms.ult(y, ten);
    let one = terms.bits(32, 1f32.to_bits().into());
    let is_one = terms.eq(twice, one);
    let is_half = terms.eq(x, half);
    let not_half = terms.not(is_half);
    for mut solver in solvers() {
        solver.assert(&terms, small);
        for _ in 0..3 {
            solver.push();
            solver.assert(&terms, is_one);
            let Answer::Sat(model) = solver.check(&terms, &[], PATIENCE) else {
                panic!("{}", solver.name())
            };
            assert_eq!(model.get(x), Some(&Value::Bits(0.5f32.to_bits().into())));
            solver.push();
            solver.assert(&terms, not_half);
            assert_eq!(solver.check(&terms, &[], PATIENCE), Answer::Unsat);
            assert_eq!(solver.check(&terms, &[is_one], PATIENCE), Answer::Unsat);
            solver.pop(1);
            assert!(matches!(solver.check(&terms, &[is_half], PATIENCE), Answer::Sat(_)));
            solver.pop(1);
            assert!(matches!(solver.check(&terms, &[not_half], PATIENCE), Answer::Sat(_)));
        }
        let not_small = terms.not(small);
        assert_eq!(solver.check(&terms, &[not_small], PATIENCE), Answer::Unsat);
    }
}

#[test]
fn a_solver_that_is_missing_says_so() {
    let mut terms = Terms::new();
    let x = terms.unknown("x", Sort::Bool);
    let mut solver = SmtLib::new(&["no-such-solver"]);
    let Answer::Unknown(why) = solver.check(&terms, &[x], PATIENCE) else {
        panic!("an answer from nobody")
    };
    assert!(why.contains("no-such-solver could not be started"), "{why}");
    // One that does not understand, and one that never answers.
    let mut solver = SmtLib::new(&["true"]);
    assert!(matches!(solver.check(&terms, &[x], PATIENCE), Answer::Unknown(_)));
    let mut solver = SmtLib::new(&["tail", "-f", "/dev/null"]);
    let Answer::Unknown(why) = solver.check(&terms, &[x], Duration::from_millis(10)) else {
        panic!()
    };
    assert!(why.contains("timeout"), "{why}");
}

/// Hard for everybody: the factors of a product of two primes.
#[test]
fn patience_ends() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.unknown(name, Sort::Bits(64)));
    let product = terms.mul(x, y);
    let limit = terms.bits(64, 1 << 32);
    let prime = terms.bits(64, 2_860_486_313 * 3_267_000_013);
    let one = terms.bits(64, 1);
    let parts =
        [terms.eq(product, prime), terms.ult(x, limit), terms.ult(y, limit), terms.ult(one, x)];
    for mut solver in solvers() {
        let start = std::time::Instant::now();
        let answer = solver.check(&terms, &parts, Duration::from_millis(300));
        assert!(matches!(answer, Answer::Unknown(_)), "{}: {answer:?}", solver.name());
        assert!(start.elapsed() < Duration::from_secs(30));
        // And it goes on with other questions.
        assert!(matches!(solver.check(&terms, &[parts[1]], PATIENCE), Answer::Sat(_)));
    }
}

/// How fast the cheap and the frequent things are: `cargo test --release -p unpick-smt measure -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn measure() {
    let mut terms = Terms::new();
    let start = std::time::Instant::now();
    let (mut sum, step) = (terms.bits(32, 1), terms.bits(32, 0x9e37_79b9));
    for _ in 0..1_000_000 {
        sum = terms.add(sum, step);
        let (high, low) = (terms.extract(sum, 31, 16), terms.extract(sum, 15, 0));
        sum = terms.concat(low, high);
    }
    println!(
        "4,000,000 concrete operations, values all over: {:?}, {} terms",
        start.elapsed(),
        terms.len()
    );
    let mut terms = Terms::new();
    let start = std::time::Instant::now();
    let (mut sum, step, zeros) = (terms.bits(32, 1), terms.bits(32, 3), terms.bits(16, 0));
    for _ in 0..1_000_000 {
        sum = terms.add(sum, step);
        let low = terms.extract(sum, 15, 0);
        sum = terms.concat(zeros, low);
    }
    println!(
        "3,000,000 concrete operations, small values: {:?}, {} terms",
        start.elapsed(),
        terms.len()
    );
    let start = std::time::Instant::now();
    let (x, mut sum) = (terms.unknown("x", Sort::Bits(32)), step);
    for _ in 0..1_000_000 {
        sum = terms.add(sum, step);
        sum = terms.bxor(x, sum);
    }
    println!("2,000,000 operations with an unknown: {:?}, {} terms", start.elapsed(), terms.len());
    for levels in [0, 20, 200] {
        let mut terms = Terms::new();
        let unknowns: Vec<Term> = (0..20).map(|_| terms.unknown("x", Sort::Bits(32))).collect();
        let mut solver = Z3::new();
        for level in 0..levels {
            let (a, b) = (unknowns[level % 20], unknowns[(level * 7 + 3) % 20]);
            let sum = terms.add(a, b);
            let limit = terms.bits(32, 1_000_000 + level as u128);
            let below = terms.ult(sum, limit);
            solver.push();
            solver.assert(&terms, below);
        }
        let start = std::time::Instant::now();
        let mut yes = 0;
        for i in 0..10_000 {
            let (a, b) = (unknowns[i % 20], unknowns[(i / 20) % 20]);
            let product = terms.mul(a, b);
            let sum = terms.add(product, unknowns[i % 7]);
            let value = terms.bits(32, i as u128 * 77);
            let equal = terms.eq(sum, value);
            solver.push();
            solver.assert(&terms, equal);
            let less = terms.ult(a, b);
            yes += u32::from(matches!(solver.check(&terms, &[less], PATIENCE), Answer::Sat(_)));
            solver.pop(1);
            if start.elapsed() > Duration::from_secs(20) {
                println!("only {i} checks");
                break;
            }
        }
        println!(
            "10,000 incremental checks with products under {levels} levels: {:?}, {yes} satisfiable",
            start.elapsed()
        );
        let start = std::time::Instant::now();
        for i in 0..10_000 {
            let (a, b) = (unknowns[i % 20], unknowns[(i / 20) % 20]);
            let sum = terms.add(a, b);
            let value = terms.bits(32, i as u128 * 77);
            let equal = terms.ult(value, sum);
            solver.push();
            solver.assert(&terms, equal);
            let less = terms.ult(a, b);
            let _ = solver.check(&terms, &[less], PATIENCE);
            solver.pop(1);
            if start.elapsed() > Duration::from_secs(20) {
                println!("only {i} checks");
                break;
            }
        }
        println!("10,000 incremental checks under {levels} levels: {:?}", start.elapsed());
    }
}
