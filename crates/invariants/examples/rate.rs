//! How many samples a second are inferred from, by the number of variables and of samples.

use std::time::Instant;
use unpick_invariants::{Inference, Kind, Location, Value, Variable, columns};

fn variables(count: usize) -> Vec<Variable> {
    let variable = |number: usize| Variable {
        name: format!("v{number}"),
        kind: Kind::Signed,
        location: Location::Fixed(8 * number as u64),
        size: 8,
        sequence: None,
    };
    (0..count).map(variable).collect()
}

/// Of ten variables two are constant, three tied to others, and five go their own ways.
fn fill(sample: &mut [Value], state: &mut u64) {
    for at in 0..sample.len() {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let random = (*state >> 40) as i64 % 1000;
        sample[at] = match at % 10 {
            0 | 1 => Some(7),
            2 => sample[at.saturating_sub(10)].or(Some(random)),
            3 if at >= 3 => sample[at - 1].map(|value| value + 5),
            4 if at >= 4 => sample[at - 2],
            _ => Some(random),
        };
    }
}

fn rate(count: usize, samples: u64) -> (f64, usize) {
    let mut inference = Inference::new(columns(&variables(count), false));
    let mut sample = vec![None; count];
    let mut state = 1;
    let begun = Instant::now();
    for _ in 0..samples {
        fill(&mut sample, &mut state);
        inference.see(&sample);
    }
    inference.finish();
    (begun.elapsed().as_secs_f64(), inference.live())
}

fn main() {
    println!(
        "{:>10} {:>10} {:>10} {:>14} {:>10}",
        "variables", "samples", "seconds", "a second", "relations"
    );
    let most: u64 = std::env::args().nth(1).and_then(|most| most.parse().ok()).unwrap_or(1_000_000);
    let by_variables = [10, 30, 100, 300, 1000].map(|count| (count, 10_000));
    let by_samples = [1_000, 10_000, 100_000, 1_000_000, 10_000_000].map(|samples| (10, samples));
    for (count, samples) in by_variables.into_iter().chain(by_samples) {
        if samples <= most {
            let (seconds, live) = rate(count, samples);
            let speed = samples as f64 / seconds;
            println!("{count:>10} {samples:>10} {seconds:>10.3} {speed:>14.0} {live:>10}");
        }
    }
}
