//! The plane that all values of three variables lie on.

use crate::summary::greatest_common;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple {
    pub columns: [u32; 3],
    /// `factors * columns + rest == 0`.
    pub factors: [i64; 3],
    pub rest: i128,
    /// How many different points it holds at.
    pub points: u64,
}

/// Larger factors are no relation that anybody meant.
const LARGEST: i128 = 10;
/// So many points must lie on a plane that three have fixed.
const LEAST: usize = 6;

impl Triple {
    /// The plane that all these points lie on, if there is just one and it is about all three variables.
    pub fn through(columns: [u32; 3], points: &[[i64; 3]]) -> Option<Triple> {
        if points.len() < LEAST {
            return None;
        }
        let first = points[0];
        let from_first = |point: &[i64; 3]| -> [i128; 3] {
            std::array::from_fn(|i| i128::from(point[i]) - i128::from(first[i]))
        };
        // Nothing is gained by differences that overflow their products.
        let small = |d: &[i128; 3]| d.iter().all(|d| d.abs() < 1 << 40);
        let differences: Vec<[i128; 3]> = points[1..].iter().map(from_first).collect();
        if !differences.iter().all(small) {
            return None;
        }
        let one = differences.iter().find(|d| **d != [0; 3])?;
        let normal = differences.iter().map(|d| cross(one, d)).find(|normal| *normal != [0; 3])?;
        if normal.contains(&0) {
            return None;
        }
        let common = normal.iter().try_fold(0u64, |common, part| {
            Some(greatest_common(common, u64::try_from(part.abs()).ok()?))
        })?;
        let sign = if normal[0] < 0 { -1 } else { 1 };
        let factors = normal.map(|part| sign * part / i128::from(common));
        if factors.iter().any(|factor| factor.abs() > LARGEST) {
            return None;
        }
        let rest = -(0..3).map(|i| factors[i] * i128::from(first[i])).sum::<i128>();
        let factors = factors.map(|factor| factor as i64);
        let triple = Triple { columns, factors, rest, points: points.len() as u64 };
        points.iter().all(|point| triple.has(*point)).then_some(triple)
    }

    pub fn has(&self, point: [i64; 3]) -> bool {
        let sum: i128 = (0..3).map(|i| i128::from(self.factors[i]) * i128::from(point[i])).sum();
        sum + self.rest == 0
    }
}

fn cross(a: &[i128; 3], b: &[i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_plane() {
        let on = |x: i64, y: i64| [x, y, 2 * x - y + 3];
        let mut points = vec![on(0, 0), on(1, 0), on(0, 1), on(5, 7), on(-3, 2), on(9, 9)];
        let triple = Triple::through([0, 1, 2], &points).unwrap();
        assert_eq!((triple.factors, triple.rest), ([2, -1, -1], 3));
        points.push([0, 0, 0]);
        assert_eq!(Triple::through([0, 1, 2], &points), None);
    }

    #[test]
    fn points_on_a_line_fix_no_plane() {
        let points: Vec<[i64; 3]> = (0..9).map(|i| [i, 2 * i, 3 * i]).collect();
        assert_eq!(Triple::through([0, 1, 2], &points), None);
    }
}
