//! How likely it is that an invariant is none, and has only not been broken by chance.
//!
//! As Daikon does it: the confidence is one minus the probability that samples which know nothing of the invariant
//! would all have agreed with it. Below a limit nothing is reported. A constant, one of a few values that have each
//! come again, and that a variable is left alone are what was seen, and reported as such.

/// Not to be doubted.
pub const CERTAIN: f64 = 1.0;

/// Each sample would have broken it with this probability.
pub fn by_chance(breaks: f64, samples: u64) -> f64 {
    1.0 - (1.0 - breaks).powf(samples as f64)
}

/// One of so many values: each has come again.
pub fn one_of(values: usize, samples: u64) -> f64 {
    if values <= 1 || samples >= 2 * values as u64 { 1.0 } else { 0.0 }
}

/// Two values are in an order, or equal, or never equal.
pub fn comparison(samples: u64) -> f64 {
    by_chance(0.5, samples)
}

/// A value in a range of so many is never a certain one.
pub fn absent(range: f64, samples: u64) -> f64 {
    by_chance(1.0 / range.max(1.0), samples)
}

/// All values leave the same rest when divided by `modulus`: two of them have fixed it, and three others agree.
pub fn modulus(modulus: i64, different: u64, samples: u64) -> f64 {
    if different < 5 { 0.0 } else { by_chance(1.0 - 1.0 / modulus as f64, samples) }
}

/// A relation that two points (of two variables) or three (of three) fix: what counts are the others.
pub fn linear(free: u64, distinct: u64) -> f64 {
    by_chance(0.5, 2 * distinct.saturating_sub(free))
}

/// The end of a range: it is one if it was seen as often as the values before it let one expect, and no less.
pub fn bound(at_end: u64, samples: u64, range: f64) -> f64 {
    let expected = samples as f64 / range.max(1.0);
    if (at_end as f64) < expected / 2.0 { 0.0 } else { by_chance(0.5, at_end) }
}
