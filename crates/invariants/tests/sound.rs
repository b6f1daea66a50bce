//! Whatever is concluded holds in every sample, however the samples come.

use unpick_invariants::{
    Column, Inference, Kind, Location, Names, Value, Variable, columns, conclude,
};

struct Nameless;

impl Names for Nameless {
    fn address(&self, _: u64) -> Option<String> {
        None
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % limit) as i64
    }
}

fn variables(count: usize) -> Vec<Variable> {
    let variable = |number: usize| Variable {
        name: format!("v{number}"),
        kind: if number % 7 == 6 { Kind::Pointer } else { Kind::Signed },
        location: Location::Fixed(8 * number as u64),
        size: 8,
        sequence: (number < 3).then(|| "v[]".to_string()),
    };
    (0..count).map(variable).collect()
}

/// Columns that are constant, equal, on a line or on a plane for a while, or make no sense now and then.
fn sample(random: &mut Random, count: usize, at: usize, habits: &[i64]) -> Vec<Value> {
    let mut sample: Vec<Value> = Vec::new();
    for (column, &habit) in habits.iter().enumerate().take(count) {
        let earlier = |back: usize| column.checked_sub(back).and_then(|other| sample[other]);
        let faithful = at < 4 * habit as usize || habit > 40;
        let value = match habit % 6 {
            0 if faithful => Some(3),
            1 if faithful => earlier(1),
            2 if faithful => earlier(1).map(|value| 2 * value - 1),
            3 if faithful => earlier(1).zip(earlier(2)).map(|(a, b)| a - b + 4),
            4 => Some(random.below(2)),
            _ => Some(random.below(6) - 2),
        };
        sample.push(value.filter(|_| habit % 11 != 0 || random.below(4) != 0));
    }
    sample
}

fn inferred(samples: &[Vec<Value>], columns: &[Column]) -> Inference {
    let mut inference = Inference::new(columns.to_vec());
    samples.iter().for_each(|sample| inference.see(sample));
    inference.finish();
    inference
}

#[test]
fn what_is_concluded_holds_in_every_sample() {
    let (mut told, mut relations) = (0, 0);
    for seed in 0..450 {
        let mut random = Random(seed);
        let variables = variables(3 + random.below(6) as usize);
        let columns = columns(&variables, seed % 2 == 0);
        let habits: Vec<i64> = columns.iter().map(|_| random.below(60)).collect();
        let length = [1, 5, 40, 300][seed as usize % 4];
        let samples: Vec<Vec<Value>> =
            (0..length).map(|at| sample(&mut random, columns.len(), at, &habits)).collect();
        let inference = inferred(&samples, &columns);
        for invariant in conclude(&inference, 0.0, &Nameless) {
            let text = invariant.predicate.text(&columns, &Nameless);
            let broken =
                samples.iter().find(|sample| invariant.predicate.holds(sample) == Some(false));
            assert!(broken.is_none(), "seed {seed}: {text} is broken by {broken:?}");
            told += 1;
            relations += usize::from(invariant.predicate.columns().len() > 1);
        }
    }
    assert!(told > 4000 && relations > 1000, "too little to be a test: {told}, {relations}");
}

/// What a sample breaks is gone, whenever it comes.
#[test]
fn a_late_sample_breaks_what_held() {
    let variables = variables(3);
    let columns = columns(&variables, false);
    let steady = |i: i64| vec![Some(i), Some(i + 5), Some(1)];
    let mut samples: Vec<Vec<Value>> = (0..200).map(steady).collect();
    let texts = |samples: &[Vec<Value>]| -> Vec<String> {
        let inference = inferred(samples, &columns);
        let all = conclude(&inference, 0.99, &Nameless);
        all.iter().map(|one| one.predicate.text(&columns, &Nameless)).collect()
    };
    let before = texts(&samples);
    assert!(before.contains(&"v0 == v1 - 5".to_string()), "{before:?}");
    assert!(before.contains(&"v2 == 1".to_string()), "{before:?}");
    samples.push(vec![Some(3), Some(9), Some(2)]);
    let after = texts(&samples);
    assert!(!after.contains(&"v0 == v1 - 5".to_string()), "{after:?}");
    assert!(!after.contains(&"v2 == 1".to_string()), "{after:?}");
    assert!(after.contains(&"v0 < v1".to_string()), "{after:?}");
}
