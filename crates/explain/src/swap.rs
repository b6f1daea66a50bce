//! SYMBIOSIS's way: one pair of operations changes places, the nearest pairs first.
//!
//! Everything between the two that must move with one of them moves; the rest keeps its order. Two changes at a time
//! are beyond it.

use crate::answer::{Answer, Limits};
use crate::explain::Scene;
use crate::run;
use crate::setting::Setting;
use crate::wishes::Cost;

pub fn solve(scene: &Scene, limits: &Limits) -> Answer {
    let setting = scene.setting;
    let mut base: Vec<usize> = (0..setting.operations.len()).collect();
    base.sort_by_key(|&operation| scene.wishes.base[operation]);
    for distance in 1..base.len() {
        for first in 0..base.len() - distance {
            if limits.spent() {
                return Answer::nothing();
            }
            let second = first + distance;
            if !conflict(setting, base[first], base[second]) {
                continue;
            }
            let Some(order) = swapped(setting, &base, first, second) else { continue };
            if run::passes(setting, &order).is_ok() {
                let cost = scene.wishes.cost(setting, &order);
                let lower = Cost { df: scene.wishes.new_flows, bs: 0, ctx: 0 };
                return Answer {
                    order: Some(order),
                    cost: Some(cost),
                    lower,
                    optimal: false,
                    impossible: false,
                    ended: true,
                };
            }
        }
    }
    Answer::nothing()
}

/// Whether the order of two operations matters: a location, one writes; or a lock.
fn conflict(setting: &Setting, first: usize, second: usize) -> bool {
    let (a, b) = (&setting.operations[first], &setting.operations[second]);
    if a.thread == b.thread {
        return false;
    }
    let written = |operation: &crate::setting::Operation, location: usize| {
        operation.writes.clone().any(|write| setting.writes[write].location == location)
    };
    let touched = |operation: &crate::setting::Operation| -> Vec<usize> {
        let reads = operation.reads.clone().map(|read| setting.reads[read].location);
        reads.chain(operation.writes.clone().map(|write| setting.writes[write].location)).collect()
    };
    let acquires = |operation: usize| {
        setting.sections.iter().find(|s| s.acquire == operation).map(|section| section.object)
    };
    let lock = acquires(first).is_some_and(|object| acquires(second) == Some(object));
    lock || touched(a).iter().any(|&l| written(b, l)) || touched(b).iter().any(|&l| written(a, l))
}

/// The second operation before the first, with what must be before the second; where a lock is held over the
/// changed place, its whole section moves.
fn swapped(setting: &Setting, base: &[usize], first: usize, second: usize) -> Option<Vec<usize>> {
    let target = base[second];
    let mut moved: Vec<bool> = vec![false; setting.operations.len()];
    for &operation in &base[first..=second] {
        moved[operation] = operation == target || setting.always_before(operation, target);
    }
    // What is inside of a section with the moved one comes with it.
    for section in &setting.sections {
        let inside = |operation: usize| {
            setting.operations[operation].thread == section.thread
                && section.acquire <= operation
                && section.release.is_none_or(|release| operation <= release)
        };
        if base.iter().any(|&operation| moved[operation] && inside(operation)) {
            for operation in setting.threads[section.thread].clone().filter(|&o| inside(o)) {
                moved[operation] = true;
                for &before in base {
                    moved[before] |=
                        setting.always_before(before, operation) && base[first..].contains(&before);
                }
            }
        }
    }
    if moved[base[first]] {
        return None;
    }
    let ahead = base[first..].iter().copied().filter(|&operation| moved[operation]);
    let behind = base[first..].iter().copied().filter(|&operation| !moved[operation]);
    Some(base[..first].iter().copied().chain(ahead).chain(behind).collect())
}
