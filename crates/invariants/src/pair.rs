//! What two variables have to do with each other: their order, and the line that all their values lie on.

use crate::summary::greatest_common;

pub const LESS: u8 = 1;
pub const EQUAL: u8 = 2;
pub const GREATER: u8 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing was seen.
    None,
    /// All were this one.
    Point(i64, i64),
    /// `a * x + b * y + c == 0`; the two values of `x` that have fixed it, and how many samples lie elsewhere on it.
    Through { a: i64, b: i64, c: i128, fixed_by: (i64, i64), others: u32 },
    /// There is none.
    Broken,
}

#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub x: u32,
    pub y: u32,
    /// Which orders were seen.
    pub orders: u8,
    pub line: Line,
    pub samples: u64,
}

/// Larger factors are no relation that anybody meant.
const LARGEST: i64 = 100;

impl Pair {
    pub fn new(x: usize, y: usize, lines: bool) -> Pair {
        let line = if lines { Line::None } else { Line::Broken };
        Pair { x: x as u32, y: y as u32, orders: 0, line, samples: 0 }
    }

    /// False once nothing is left to be broken.
    #[inline]
    pub fn see(&mut self, x: i64, y: i64, times: u64) -> bool {
        self.samples += times;
        self.orders |= match x.cmp(&y) {
            std::cmp::Ordering::Less => LESS,
            std::cmp::Ordering::Equal => EQUAL,
            std::cmp::Ordering::Greater => GREATER,
        };
        match self.line {
            Line::Broken => {}
            Line::None => self.line = Line::Point(x, y),
            Line::Point(x0, y0) => self.line = through((x0, y0), (x, y)),
            Line::Through { a, b, c, fixed_by, ref mut others } => {
                if !is_on(a, b, c, x, y) {
                    self.line = Line::Broken;
                } else if x != fixed_by.0 && x != fixed_by.1 {
                    *others = others.saturating_add(1);
                }
            }
        }
        self.orders != LESS | EQUAL | GREATER || self.line != Line::Broken
    }
}

pub fn is_on(a: i64, b: i64, c: i128, x: i64, y: i64) -> bool {
    i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y) + c == 0
}

/// The line through two points, if it says something about both variables.
fn through((x0, y0): (i64, i64), (x1, y1): (i64, i64)) -> Line {
    let (dx, dy) = (i128::from(x1) - i128::from(x0), i128::from(y1) - i128::from(y0));
    match (dx, dy) {
        (0, 0) => return Line::Point(x0, y0),
        (0, _) | (_, 0) => return Line::Broken,
        _ => {}
    }
    let (Ok(width), Ok(height)) = (u64::try_from(dx.abs()), u64::try_from(dy.abs())) else {
        return Line::Broken;
    };
    let common = i128::from(greatest_common(width, height));
    // The first factor is positive.
    let sign = if dy < 0 { -1 } else { 1 };
    let (a, b) = (sign * dy / common, -sign * dx / common);
    if a.abs() > i128::from(LARGEST) || b.abs() > i128::from(LARGEST) {
        return Line::Broken;
    }
    let c = -(a * i128::from(x0) + b * i128::from(y0));
    Line::Through { a: a as i64, b: b as i64, c, fixed_by: (x0, x1), others: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_points_make_a_line_and_a_third_breaks_it() {
        let mut pair = Pair::new(0, 1, true);
        assert!(pair.see(1, 5, 1) && pair.see(2, 7, 1) && pair.see(10, 23, 1));
        // y == 2 * x + 3
        assert_eq!(pair.line, Line::Through { a: 2, b: -1, c: 3, fixed_by: (1, 2), others: 1 });
        assert!(pair.see(2, 2, 1), "it is still never greater");
        assert_eq!((pair.line, pair.orders), (Line::Broken, LESS | EQUAL));
        assert!(!pair.see(3, 2, 1));
    }

    #[test]
    fn a_line_says_something_about_both() {
        let mut pair = Pair::new(0, 1, true);
        pair.see(1, 5, 1);
        pair.see(2, 5, 1);
        assert_eq!(pair.line, Line::Broken);
        let mut far = Pair::new(0, 1, true);
        far.see(i64::MIN, i64::MAX, 1);
        far.see(i64::MAX, i64::MIN, 1);
        assert!(matches!(far.line, Line::Through { a: 1, b: 1, c: 1, .. }));
    }
}
