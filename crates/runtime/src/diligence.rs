//! Loops that work are only looked at now and then.
//!
//! To see whether an iteration only waits, `waiting` must see each of its accesses, also those to memory of the
//! thread's own, for which the hooks' fast path is there. That costs some fifty times as much. But a loop whose last
//! thousand iterations all left a trace will hardly begin to wait now, and an iteration that nobody looks at is just an
//! ordinary one: left alone is never wrong. So the longer a loop has worked without a pause, the more iterations go
//! by unseen, but never more than a small part of those that it has worked; then a loop that does begin to wait
//! is soon found out, and after that each iteration is looked at again.
//!
//! Whether an iteration is looked at decides whether the thread may sleep at its end, and with that what a schedule
//! means. So it depends on nothing but what the thread's own iterations have done: neither on the plan, nor on who else
//! did what in between.

/// More loops than this, or those that find no place here, are always looked at.
const LOOPS: usize = 256;
const PROBES: usize = 8;
/// Unseen are less than this part of the iterations that a loop has worked; so the first ones are all seen.
const PART: u32 = 64;
const MOST_UNSEEN: u32 = 1024;

#[derive(Clone, Copy)]
#[repr(C)]
struct Work {
    /// Where the loop is in the program, in short; 0: nobody's place.
    id: u32,
    /// Iterations that it has begun since one left no trace.
    iterations: u32,
}

/// How long each loop of a thread has worked without a pause. All zero at the thread's beginning.
#[repr(C)]
pub struct Diligence {
    loops: [Work; LOOPS],
}

impl Diligence {
    fn of(&mut self, id: u64) -> Option<&mut Work> {
        let id = (id as u32).max(1);
        let first = id.wrapping_mul(0x9E37_79B1) as usize >> 24;
        let place = (first..first + PROBES).map(|at| at % LOOPS).find(|&at| {
            let holder = self.loops[at].id;
            holder == id || holder == 0
        })?;
        self.loops[place].id = id;
        Some(&mut self.loops[place])
    }

    /// The loop begins another iteration: is it to be looked at?
    pub fn is_worth_a_look(&mut self, id: u64) -> bool {
        let Some(work) = self.of(id) else { return true };
        work.iterations = work.iterations.saturating_add(1);
        let longest = (work.iterations / PART).clamp(1, MOST_UNSEEN);
        let step = 1 << longest.ilog2();
        work.iterations.is_multiple_of(step)
    }

    /// An iteration of the loop has left no trace.
    pub fn pauses(&mut self, id: u64) {
        if let Some(work) = self.of(id) {
            work.iterations = 0;
        }
    }
}
