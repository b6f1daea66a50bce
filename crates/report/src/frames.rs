//! Two moments of a thread as lines of one function: the innermost of the user's that leads to both.
//!
//! Where each of them is done by a function that is right by itself, it is their caller that put them together.

use unpick_model::{Place, StackFrame, StackId, Trace};

/// Where a thread was: a return address, and the calls around it.
pub type Moment = (u64, StackId);

/// And how many calls lie between that function and the moments.
pub fn together(trace: &Trace, first: Moment, last: Moment) -> Option<([&Place; 2], usize)> {
    let calls = |moment: Moment| StackFrame::calls(&trace.stacks, moment.1);
    let (from, to) = (calls(first), calls(last));
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    for depth in (0..=common).rev() {
        let within = |calls: &[StackId], moment: Moment| {
            let pc = calls.get(depth).map_or(moment.0, |at| trace.stacks[at.0 as usize].call_pc);
            trace.places.get(&pc).filter(|place| !unpick_model::is_system(&place.file))
        };
        if let (Some(one), Some(other)) = (within(&from, first), within(&to, last))
            && (&one.file, &one.function) == (&other.file, &other.function)
        {
            return Some(([one, other], from.len().max(to.len()) - depth));
        }
    }
    None
}
