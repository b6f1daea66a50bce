//! What the user says of points: does a run break it?

use super::runs::Kept;
use crate::common::Problem;
use std::collections::{BTreeMap, BTreeSet};
use unpick_invariants::{Checked, Claim, Observer, Point, Variable};
use unpick_model::Run;

pub struct Claims {
    pub checked: Checked,
    /// The points that runs have come to.
    pub met: BTreeSet<Point>,
    pub runs: usize,
    /// Those that broke a claim which none had broken before.
    pub breaking: BTreeMap<usize, Kept>,
}

/// All that are written well.
pub fn read(texts: &[String]) -> Result<Vec<Claim>, Problem> {
    let read =
        |text: &String| text.parse().map_err(|why| Problem::Input(format!("--claim: {why}")));
    texts.iter().map(read).collect()
}

impl Claims {
    pub fn new(texts: &[String], variables: &[Variable]) -> Claims {
        let mut points: BTreeMap<Point, Vec<_>> = BTreeMap::new();
        for claim in texts.iter().filter_map(|text| text.parse::<Claim>().ok()) {
            let Some(invariant) = claim.invariant(variables) else { continue };
            for is_block in [false, true] {
                points.entry(claim.point(is_block)).or_default().push(invariant.clone());
            }
        }
        Claims {
            checked: Checked::new(variables, &points),
            met: BTreeSet::new(),
            runs: 0,
            breaking: BTreeMap::new(),
        }
    }

    pub fn ask(&mut self, observer: &Observer, run: &Run, kept: &dyn Fn() -> Kept) {
        if self.checked.is_empty() {
            return;
        }
        let number = self.runs;
        self.runs += 1;
        observer.observe(run, &mut |sample| {
            if self.checked.has(&sample.point) && !self.met.contains(&sample.point) {
                self.met.insert(sample.point.clone());
            }
            self.checked.see(&sample, number);
        });
        if self.checked.is_broken_by(number) {
            self.breaking.insert(number, kept());
        }
    }
}

/// Each is about a variable that threads share.
pub fn known(claims: &[Claim], variables: &[Variable]) -> Result<(), Problem> {
    let Some(claim) = claims.iter().find(|claim| claim.invariant(variables).is_none()) else {
        return Ok(());
    };
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let all = names.join(", ");
    Err(Problem::Input(format!("--claim: `{}` cannot be asked; threads share {all}", claim.text)))
}
