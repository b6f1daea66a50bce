//! A plain ranking for comparison: lines by how much more often failing runs come there than passing ones (Ochiai).

use std::collections::{BTreeMap, BTreeSet};

/// How often a line was come by.
#[derive(Clone, Copy, Debug, Default)]
struct Visits {
    failing: u32,
    passing: u32,
}

/// Runs by the lines that they came by.
#[derive(Clone, Debug)]
pub struct Spectrum<L> {
    lines: BTreeMap<L, Visits>,
    failing: u32,
}

impl<L: Ord + Clone> Default for Spectrum<L> {
    fn default() -> Spectrum<L> {
        Spectrum { lines: BTreeMap::new(), failing: 0 }
    }
}

impl<L: Ord + Clone> Spectrum<L> {
    pub fn add(&mut self, lines: BTreeSet<L>, failed: bool) {
        self.failing += u32::from(failed);
        for line in lines {
            let visits = self.lines.entry(line).or_default();
            *(if failed { &mut visits.failing } else { &mut visits.passing }) += 1;
        }
    }

    /// The most suspicious first; lines that are as suspicious in their own order.
    pub fn ranking(&self) -> Vec<(L, f64)> {
        let score = |visits: &Visits| {
            let (failing, all) = (f64::from(visits.failing), f64::from(self.failing));
            let visited = failing + f64::from(visits.passing);
            if failing == 0.0 { 0.0 } else { failing / (all * visited).sqrt() }
        };
        let mut ranking: Vec<(L, f64)> =
            self.lines.iter().map(|(line, visits)| (line.clone(), score(visits))).collect();
        ranking.sort_by(|one, two| two.1.total_cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_failing_runs_come_by_is_first() {
        let mut spectrum = Spectrum::default();
        spectrum.add(BTreeSet::from([1, 2, 3]), true);
        spectrum.add(BTreeSet::from([1, 3]), false);
        spectrum.add(BTreeSet::from([1]), false);
        let ranking = spectrum.ranking();
        let order: Vec<i32> = ranking.iter().map(|(line, _)| *line).collect();
        assert_eq!(order, [2, 3, 1]);
        assert_eq!(ranking[0].1, 1.0);
        assert!((ranking[1].1 - 0.5_f64.sqrt()).abs() < 1e-9, "{ranking:?}");
    }
}
