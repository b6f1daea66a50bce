//! Which bytes several threads touch, and how they fall apart into locations.

use super::walk::Moment;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use unpick_model::Op;
use unpick_symex::{Machine, ObjectId};

/// By whom some bytes are touched.
#[derive(Clone, Copy, Default)]
struct Touched {
    threads: u64,
    /// After the first thread was made.
    written: bool,
}

/// Locations by address, with their sizes: each access is to all of one, or to all of several. What is written only
/// before there are others has one value, and is none.
pub fn atoms<'a>(runs: impl Iterator<Item = &'a [Moment]>) -> BTreeMap<u64, u64> {
    let mut accesses: Vec<(u64, u64, usize, bool)> = Vec::new();
    for moments in runs {
        add_accesses(moments, &mut accesses);
    }
    let borders: BTreeSet<u64> = accesses.iter().flat_map(|it| [it.0, it.1]).collect();
    let borders: Vec<u64> = borders.into_iter().collect();
    let mut pieces = vec![Touched::default(); borders.len()];
    for (from, to, thread, written) in accesses {
        let first = borders.partition_point(|border| *border < from);
        for (piece, _) in pieces[first..]
            .iter_mut()
            .zip(&borders[first..])
            .take_while(|(_, border)| **border < to)
        {
            piece.threads |= 1 << thread.min(63);
            piece.written |= written;
        }
    }
    let shared = |piece: &Touched| piece.threads.count_ones() > 1 && piece.written;
    borders
        .windows(2)
        .zip(&pieces)
        .filter(|(_, piece)| shared(piece))
        .map(|(border, _)| (border[0], border[1] - border[0]))
        .collect()
}

/// Operations that leave something in the program's memory.
fn writes_result(op: Op) -> bool {
    matches!(op, Op::ThreadCreate { .. } | Op::ThreadJoin { .. } | Op::SemGetValue)
}

fn add_accesses(moments: &[Moment], accesses: &mut Vec<(u64, u64, usize, bool)>) {
    let mut others = false;
    let all = moments.iter().flat_map(|moment| moment.performed.iter().map(move |it| (moment, it)));
    for (moment, one) in all {
        // That a block is gone is told otherwise.
        if moment.ends_block(one.address) {
            continue;
        }
        others |= matches!(one.op, Op::ThreadCreate { .. });
        if one.op.is_access() && one.size > 0 {
            let end = one.address + one.size;
            accesses.push((one.address, end, one.thread, one.op.is_write() && others));
        }
        for touch in one.footprint.touches.iter().filter(|_| writes_result(one.op)) {
            accesses.push((touch.address, touch.address + touch.size as u64, one.thread, true));
        }
    }
}

/// Blocks that are freed and that several threads touch: whether they are still there matters. `used`: who used one too
/// late.
pub fn lives<'a>(
    machine: &Machine,
    runs: impl Iterator<Item = &'a [Moment]> + Clone,
    used: Option<(ObjectId, usize)>,
) -> HashSet<ObjectId> {
    let freed: HashSet<ObjectId> =
        runs.clone().flatten().flat_map(|moment| moment.freed.iter().map(|it| it.0)).collect();
    let mut threads: HashMap<ObjectId, u64> = HashMap::new();
    if let Some((object, thread)) = used {
        threads.insert(object, 1 << thread.min(63));
    }
    for one in runs.flatten().flat_map(|moment| &moment.performed) {
        if let Some(zone) = machine.names.zone(one.address).filter(|_| one.op.is_access()) {
            *threads.entry(zone.object).or_default() |= 1 << one.thread.min(63);
        }
    }
    let several = |id: &ObjectId| threads.get(id).is_some_and(|threads| threads.count_ones() > 1);
    freed.into_iter().filter(several).collect()
}

/// Objects that nobody reads: where exactly somebody writes into them makes no difference.
pub fn unread<'a>(
    machine: &Machine,
    runs: impl Iterator<Item = &'a [Moment]>,
) -> HashSet<ObjectId> {
    let (mut written, mut read) = (HashSet::new(), HashSet::new());
    for moment in runs.flatten() {
        for one in moment.performed.iter().filter(|one| one.op.is_access()) {
            let Some(zone) = machine.names.zone(one.address) else { continue };
            match one.op {
                Op::Write | Op::AtomicStore(_) if !moment.ends_block(one.address) => {
                    written.insert(zone.object)
                }
                _ => read.insert(zone.object),
            };
        }
    }
    written.difference(&read).copied().collect()
}
