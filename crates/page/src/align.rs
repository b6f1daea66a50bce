//! Two runs side by side: what both have, in the same order, stands in one row.

use std::collections::HashMap;
use std::hash::Hash;

/// No event of this run in the row.
pub const NONE: i64 = -1;

/// Rows of places in `left` and `right`. Each event is in exactly one row of its run.
pub fn aligned<K: Eq + Hash>(left: &[K], right: &[K]) -> Vec<(i64, i64)> {
    let place = |run: &'_ [K]| -> HashMap<usize, usize> {
        // From a place in the other run to the one here.
        let other = if std::ptr::eq(run, left) { right } else { left };
        let here: HashMap<&K, usize> = run.iter().enumerate().map(|(at, key)| (key, at)).collect();
        let both = other.iter().enumerate();
        both.filter_map(|(at, key)| Some((at, *here.get(key)?))).collect()
    };
    let (of_right, of_left) = (place(left), place(right));
    let mut rows = Vec::with_capacity(left.len().max(right.len()));
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        if i < left.len() && j < right.len() && left[i] == right[j] {
            rows.push((i as i64, j as i64));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // How far is it, in the other run, to what comes next here? What it has behind it stands alone.
        let down = of_left.get(&i).filter(|_| i < left.len()).and_then(|at| at.checked_sub(j));
        let up = of_right.get(&j).filter(|_| j < right.len()).and_then(|at| at.checked_sub(i));
        let from_left = match (i < left.len(), j < right.len()) {
            (true, false) => true,
            (false, _) => false,
            _ => match (down, up) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(down), Some(up)) => up < down,
            },
        };
        if from_left {
            rows.push((i as i64, NONE));
            i += 1;
        } else {
            rows.push((NONE, j as i64));
            j += 1;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::aligned;

    fn shown(left: &str, right: &str) -> String {
        let (left, right): (Vec<char>, Vec<char>) =
            (left.chars().collect(), right.chars().collect());
        let side = |run: &[char], at: i64| usize::try_from(at).map_or('.', |at| run[at]);
        let rows = aligned(&left, &right);
        rows.iter().map(|&(i, j)| format!("{}{} ", side(&left, i), side(&right, j))).collect()
    }

    #[test]
    fn a_step_that_moved_is_in_two_rows() {
        assert_eq!(shown("abcd", "abcd"), "aa bb cc dd ");
        assert_eq!(shown("axbcd", "abcxd"), "aa x. bb cc .x dd ");
        assert_eq!(shown("abcxd", "axbcd"), "aa .x bb cc x. dd ");
        assert_eq!(shown("ab", "cd"), "a. b. .c .d ");
        assert_eq!(shown("", "cd"), ".c .d ");
    }
}
