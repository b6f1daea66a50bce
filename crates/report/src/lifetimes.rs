//! Of memory that is used after it was freed, or freed twice, and of locks that are used after they were destroyed: who ended
//! it too early, who kept it for too long?
//!
//! The end, as a line of the function that also saw the beginning, where there is one: it is that function that says how long
//! it lives. Then where the other thread got hold of the address, and where it uses it.

use crate::frames::together;
use unpick_model::{
    Event, Failure, HeapError, HeapMisuse, HeapSite, Misuse, Op, Outcome, Place, Trace,
};

/// The likeliest first.
pub fn lifetimes(trace: &Trace) -> Vec<&Place> {
    let Outcome::Failed { failure, .. } = &trace.outcome else { return Vec::new() };
    let (ended, obtained) = match failure {
        Failure::Heap(error)
            if matches!(error.misuse, HeapMisuse::UseAfterFree | HeapMisuse::DoubleFree) =>
        {
            (freed(trace, error), obtained(trace, error.block))
        }
        Failure::LockMisuse {
            misuse: Misuse::UseDestroyed | Misuse::DestroyHeld, object, ..
        } => (destroyed(trace, *object), None),
        _ => return Vec::new(),
    };
    [ended, obtained, used(trace)].into_iter().flatten().collect()
}

fn freed<'a>(trace: &'a Trace, error: &HeapError) -> Option<&'a Place> {
    let freed = error.freed?;
    let moment = |site: HeapSite| (site.pc, site.stack);
    let both = error.allocated.filter(|site| site.thread == freed.thread);
    let both = both.and_then(|allocated| together(trace, moment(allocated), moment(freed)));
    both.map(|([_, end], _)| end).or_else(|| trace.user_place(freed.pc, freed.stack))
}

fn destroyed(trace: &Trace, object: u64) -> Option<&Place> {
    let mut about = trace.events.iter().filter(|event| event.address == object);
    let first = about.clone().find(|event| event.op.initialises());
    let end = about.rfind(|event| destroys(event.op))?;
    let moment = |event: &Event| (event.pc, event.stack);
    let both = first.filter(|first| first.thread == end.thread);
    let both = both.and_then(|first| together(trace, moment(first), moment(end)));
    both.map(|([_, end], _)| end).or_else(|| trace.event_place(end))
}

fn destroys(op: Op) -> bool {
    matches!(
        op,
        Op::MutexDestroy | Op::CondDestroy | Op::RwDestroy | Op::BarrierDestroy | Op::SemDestroy
    )
}

/// Where the failing thread last read the block's address.
fn obtained(trace: &Trace, block: u64) -> Option<&Place> {
    let Outcome::Failed { thread, .. } = trace.outcome else { return None };
    let reads = trace.events.iter().rev().filter(|event| {
        let reads = event.op.is_access() && !matches!(event.op, Op::Write | Op::AtomicStore(_));
        event.thread == thread && reads && !event.private && event.before == block
    });
    reads.filter_map(|event| trace.event_place(event)).next()
}

/// The failing thread's own function, where another one of the user's does it for it.
fn used(trace: &Trace) -> Option<&Place> {
    let Outcome::Failed { pc, stack, .. } = trace.outcome else { return None };
    let chain = trace.call_chain(pc, stack);
    let places = chain.iter().filter_map(|pc| trace.places.get(pc));
    let mut own = places.filter(|place| !unpick_model::is_system(&place.file));
    let innermost = own.next()?;
    Some(own.next().unwrap_or(innermost))
}
