//! What a plan asks for besides its prefix: accesses next to each other, regions not to be preempted,
//! an order between two operations.
//!
//! A constraint only ever *holds threads back*. When nobody else can run, it is given up and said to be
//! broken: a constraint never makes a deadlock.

use crate::state::*;
use unpick_proto::{ANY_COUNT, ANY_THREAD, Constraint, Layout, Point, constraint};

unsafe fn table() -> &'static [Constraint] {
    let first = SHM.add(Layout::CONSTRAINTS).cast::<Constraint>();
    core::slice::from_raw_parts(first, control().constraints as usize)
}

/// The second half of a pair whose first has just been executed: who has to go on, and which constraint.
static mut PARTNER: Option<(usize, usize)> = None;

unsafe fn is_set(words: &[u64], i: usize) -> bool {
    words[i / 64] >> (i % 64) & 1 == 1
}

unsafe fn matches(point: &Point, id: usize) -> bool {
    let thread = thread(id);
    let count = if id == CURRENT as usize { COUNT } else { thread.count };
    thread.life == Life::Alive
        && (point.thread == ANY_THREAD || point.thread as usize == id)
        && (point.count == ANY_COUNT || point.count == count)
        && (point.pc_to == 0 || (point.pc_from..point.pc_to).contains(&thread.pending.pc))
}

unsafe fn over(i: usize) -> bool {
    is_set(&control().constraints_met, i) || is_set(&control().constraints_broken, i)
}

/// The next count at which thread `id` must come to the scheduler.
pub unsafe fn next_stop(id: usize, count: u64) -> u64 {
    if PARTNER.is_some() {
        return 0;
    }
    let mut stop = u64::MAX;
    for constraint in table() {
        for point in [&constraint.a, &constraint.b] {
            let mine = point.thread == ANY_THREAD || point.thread as usize == id;
            if mine && point.count != ANY_COUNT && point.count >= count {
                stop = stop.min(point.count);
            }
            if mine && point.count == ANY_COUNT {
                stop = 0;
            }
        }
    }
    stop
}

/// The second access of a pair whose first has just been executed.
pub unsafe fn must_run() -> Option<usize> {
    let (next, constraint) = PARTNER?;
    if crate::baton::enabled(next) {
        return Some(next);
    }
    // The first made the second impossible.
    PARTNER = None;
    give_up(constraint);
    None
}

unsafe fn give_up(constraint: usize) {
    control().constraints_broken[constraint / 64] |= 1 << (constraint % 64);
}

unsafe fn meet(constraint: usize) {
    control().constraints_met[constraint / 64] |= 1 << (constraint % 64);
}

/// Takes out of `enabled[..n]` who has to wait; returns how many are left, never 0.
pub unsafe fn filter(enabled: &mut [u16], n: usize) -> usize {
    if control().constraints == 0 {
        return n;
    }
    if me().unbroken.iter().any(|&word| word != 0) {
        if enabled[..n].contains(&CURRENT) {
            enabled[0] = CURRENT;
            return 1;
        }
        // Blocked inside its regions: others must run.
        let thread = me();
        for (word, open) in thread.unbroken.iter_mut().enumerate() {
            control().constraints_broken[word] |= *open;
            *open = 0;
        }
    }
    loop {
        let mut left = 0;
        let mut holder = None;
        for i in 0..n {
            match held_by(enabled[i] as usize, &enabled[..n]) {
                Some(constraint) => holder = holder.or(Some(constraint)),
                None => {
                    enabled.swap(left, i);
                    left += 1;
                }
            }
        }
        if left > 0 {
            enabled[..left].sort_unstable();
            return left;
        }
        let Some(constraint) = holder else { return n };
        give_up(constraint);
    }
}

/// The constraint that keeps `id` from executing its pending operation now.
unsafe fn held_by(id: usize, enabled: &[u16]) -> Option<usize> {
    for (i, entry) in table().iter().enumerate() {
        if over(i) {
            continue;
        }
        match entry.kind {
            constraint::AFTER if matches(&entry.b, id) => return Some(i),
            constraint::ADJACENT => {
                // The first waits for a partner that could follow it; the second for the first.
                let partner = |point: &Point| {
                    enabled
                        .iter()
                        .any(|&other| other as usize != id && matches(point, other as usize))
                };
                if matches(&entry.a, id) && !partner(&entry.b) && !matches_next(&entry.b, id) {
                    return Some(i);
                }
                if matches(&entry.b, id) && !matches(&entry.a, id) {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Both points are events of the same thread, one after the other.
unsafe fn matches_next(point: &Point, id: usize) -> bool {
    point.thread as usize == id && point.count == COUNT + 1
}

/// Thread `id` is about to execute its pending operation.
pub unsafe fn executing(id: usize) {
    if control().constraints == 0 {
        return;
    }
    if let Some((partner, constraint)) = PARTNER.take() {
        if partner == id { meet(constraint) } else { give_up(constraint) }
    }
    // Regions that end here end before others begin.
    for (i, entry) in table().iter().enumerate() {
        let open = &mut me().unbroken[i / 64];
        if entry.kind == constraint::UNBROKEN && *open >> (i % 64) & 1 == 1 && matches(&entry.b, id)
        {
            *open &= !(1 << (i % 64));
            meet(i);
        }
    }
    for (i, entry) in table().iter().enumerate() {
        if !matches(&entry.a, id) {
            continue;
        }
        match entry.kind {
            constraint::AFTER => meet(i),
            constraint::UNBROKEN => me().unbroken[i / 64] |= 1 << (i % 64),
            constraint::ADJACENT if !over(i) => {
                let partner = (0..THREAD_COUNT).find(|&other| {
                    other != id && matches(&entry.b, other) && crate::baton::enabled(other)
                });
                let partner = partner.or_else(|| matches_next(&entry.b, id).then_some(id));
                PARTNER = partner.map(|partner| (partner, i));
            }
            _ => {}
        }
    }
    if PARTNER.is_some() {
        // Not one event more, private or not, before the partner's.
        STOP = 0;
    }
}
