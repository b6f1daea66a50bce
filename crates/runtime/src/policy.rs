//! What decides once the forced prefix is used up. Strategies choose among these; see `strategies`.
//!
//! A *weak* thread is enabled but should not be preferred: it could only time out, it asked to yield,
//! or it seems to spin. Policies that know no fairness (reverse priority) ignore that.

use crate::baton;
use crate::native;
use crate::state::*;
use unpick_proto::policy;

const MAX_DEPTH: usize = 64;
/// PCT: the steps at which a priority is lowered.
static mut CHANGES: [u64; MAX_DEPTH] = [0; MAX_DEPTH];
static mut LOWEST: i64 = 0;

pub unsafe fn start() {
    let control = control();
    RNG = control.seed ^ 0x5DEE_CE66_D1CE_4E5B;
    LOWEST = 0;
    if control.policy == policy::PCT {
        let changes = (control.depth.saturating_sub(1) as usize).min(MAX_DEPTH);
        for change in &mut CHANGES[..changes] {
            *change = 1 + random() % control.length.max(1);
        }
    }
}

/// A priority for a new thread (PCT).
pub unsafe fn thread_priority() -> i64 {
    MAX_DEPTH as i64 + (random() >> 2) as i64
}

/// A priority for a new operation (POS).
pub unsafe fn draw() -> u64 {
    if control().policy == policy::POS { random() | 1 } else { 1 }
}

pub unsafe fn choose(enabled: &[u16]) -> usize {
    if enabled.len() == 1 && control().policy != policy::PCT {
        return enabled[0] as usize;
    }
    match control().policy {
        policy::RANDOM => random_walk(enabled),
        policy::PCT => pct(enabled),
        policy::POS => pos(enabled),
        policy::ROUND_ROBIN => round_robin(enabled),
        policy::REVERSE_PRIORITY => reverse_priority(enabled),
        policy::NATIVE => native::choose(enabled).unwrap_or_else(|| stay(enabled)),
        _ => stay(enabled),
    }
}

unsafe fn stay(enabled: &[u16]) -> usize {
    if enabled.contains(&CURRENT) && !baton::weak(CURRENT as usize) {
        return CURRENT as usize;
    }
    after_current(enabled, |id| !baton::weak(id)).unwrap_or_else(|| first_due(enabled))
}

/// Everybody waits: whose time is up first? Others than the running one first, where that is open.
unsafe fn first_due(enabled: &[u16]) -> usize {
    let due = |id: usize| {
        let pending = unsafe { &thread(id).pending };
        (pending.deadline, id <= CURRENT as usize, id == CURRENT as usize, id)
    };
    enabled.iter().map(|&id| id as usize).min_by_key(|&id| due(id)).unwrap_or(CURRENT as usize)
}

/// The next thread by number after the running one, cyclically, that satisfies `wanted`.
unsafe fn after_current(enabled: &[u16], wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let later = enabled.iter().filter(|&&id| id > CURRENT);
    let earlier = enabled.iter().filter(|&&id| id <= CURRENT);
    later.chain(earlier).map(|&id| id as usize).find(|&id| wanted(id))
}

pub unsafe fn round_robin(enabled: &[u16]) -> usize {
    after_current(enabled, |id| id != CURRENT as usize).unwrap_or(CURRENT as usize)
}

/// Paper 002's σ: the smallest eligible thread above the running one, else the largest.
unsafe fn reverse_priority(enabled: &[u16]) -> usize {
    let above = enabled.iter().copied().filter(|&id| id > CURRENT).min();
    above.or(enabled.iter().copied().max()).map_or(CURRENT as usize, |id| id as usize)
}

unsafe fn random_walk(enabled: &[u16]) -> usize {
    let strong = enabled.iter().filter(|&&id| !baton::weak(id as usize)).count();
    // A time-out or a spin may still happen at any moment, only less often.
    if strong == 0 || strong == enabled.len() || random().is_multiple_of(8) {
        let any = enabled[(random() % enabled.len() as u64) as usize] as usize;
        if strong == 0 || !baton::is_impatient(any) {
            return any;
        }
    }
    let nth = (random() % strong as u64) as usize;
    enabled
        .iter()
        .map(|&id| id as usize)
        .filter(|&id| !baton::weak(id))
        .nth(nth)
        .unwrap_or(CURRENT as usize)
}

/// Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs".
/// Deviation: a thread that yields or spins drops below all others, or strict priorities would never end.
unsafe fn pct(enabled: &[u16]) -> usize {
    let depth = (control().depth.saturating_sub(1) as usize).min(MAX_DEPTH);
    if baton::weak(CURRENT as usize) {
        LOWEST -= 1;
        me().priority = LOWEST;
    }
    let best = highest(enabled, |id| thread(id).priority as i128);
    let Some(change) = CHANGES[..depth].iter().position(|&step| step == STEPS) else { return best };
    thread(best).priority = change as i64;
    highest(enabled, |id| thread(id).priority as i128)
}

/// Yuan, Yang, Gu, "Partial order aware concurrency sampling": operations that race with the chosen
/// one draw a new priority.
unsafe fn pos(enabled: &[u16]) -> usize {
    let chosen = highest(enabled, |id| thread(id).pending.priority as i128);
    let now = thread(chosen).pending;
    for id in 0..THREAD_COUNT {
        let other = &mut thread(id).pending;
        let meets = now.addr < other.addr + other.size.max(1) as u64
            && other.addr < now.addr + now.size.max(1) as u64;
        if id != chosen && thread(id).life == Life::Alive && meets && (now.writes || other.writes) {
            other.priority = random() | 1;
        }
    }
    chosen
}

unsafe fn highest(enabled: &[u16], priority: impl Fn(usize) -> i128) -> usize {
    let key = |&id: &u16| (!unsafe { baton::weak(id as usize) }, priority(id as usize));
    enabled.iter().max_by_key(|id| key(id)).map_or(CURRENT as usize, |&id| id as usize)
}

/// What the plan says that the running thread chooses now. Usually the choices are in the order of the run; a
/// changed prefix may have them elsewhere.
unsafe fn planned() -> Option<u64> {
    let table = SHM.add(unpick_proto::Layout::PICKS).cast::<unpick_proto::Pick>();
    let total = control().picks as usize;
    for i in (PICK..total).chain(0..PICK.min(total)) {
        let entry = *table.add(i);
        if entry.thread == CURRENT as u32 && entry.count == COUNT {
            PICK = i + 1;
            return Some(entry.value);
        }
    }
    None
}

/// A number that the program draws by its next event, if the plan has one for it: a schedule may come from
/// somebody who took it for any number at all.
pub unsafe fn drawn() -> Option<u64> {
    let value = planned()?;
    crate::log::pick(0, value);
    Some(value)
}

/// Does the wait that begins now return without a reason? A schedule knows of itself which ones did: only who
/// searches needs leave for more.
pub unsafe fn spurious() -> bool {
    if control().spurious == 0 {
        let before = PICK;
        if planned().is_none() {
            return false;
        }
        PICK = before;
        return pick(2) == 1;
    }
    let chosen = pick(2) == 1;
    control().spurious -= chosen as u32;
    chosen
}

/// Chooses a value: one of `alternatives`, or any if that is 0. What the plan says comes first.
pub unsafe fn pick(alternatives: u64) -> u64 {
    pick_shaped(alternatives, |value| value)
}

/// The same where what is drawn is not yet the value: `shape` makes it one. A plan has values.
pub unsafe fn pick_shaped(alternatives: u64, shape: impl Fn(u64) -> u64) -> u64 {
    let value = match planned() {
        Some(value) if alternatives == 0 || value < alternatives => value,
        _ => match (control().policy, alternatives) {
            (policy::STAY | policy::ROUND_ROBIN | policy::REVERSE_PRIORITY, _)
                if control().seed == 0 =>
            {
                shape(0)
            }
            (_, 0) => shape(sample()),
            (_, n) => random() % n,
        },
    };
    if alternatives == 0 {
        control().notices |= unpick_proto::notice::SAMPLED;
    }
    if alternatives != 1 {
        crate::log::pick(alternatives, value);
    }
    value
}

/// Inputs that break programs are small, large, or near a power of two.
unsafe fn sample() -> u64 {
    match random() % 4 {
        0 => random() % 4,
        1 => (random() % 16).wrapping_sub(8),
        2 => (1u64 << (random() % 64)).wrapping_sub(random() % 2),
        _ => random(),
    }
}
