//! What orders accesses: memory that one thread hands over to another is not contested.
//!
//! A real program passes its data from thread to thread, a million bytes at a time, under locks. In a run in
//! which two accesses are ordered by the operations between them, no other order of the two is possible
//! without another order of those operations; so only these need be scheduling points. Where a plan asks for
//! it (`plan_flag::CONTESTED`), a location therefore counts as shared only when two threads touch it without
//! such an order (or atomically), and from then on: also in later runs, which are told.
//!
//! Each thread has a vector clock, and each object that operations publish to has one (Lamport's
//! happens-before, as race detectors use it). An edge that is missed makes a location shared that need not be,
//! which costs time; so reads publish nothing, and what exceeds our tables is left out.
//!
//! The shadow of a byte is then the name of its *history*: who wrote it last and who has read it since. A
//! name is an epoch, which stands for a thread and the value of its clock, and a variant: 0, written in this
//! epoch; others, read in it, with the history before that. So the fast path knows its own by one comparison.
//!
//! Signal handlers are together one more thread, which nothing orders with the code that they interrupt.

use crate::baton;
use crate::memory;
use crate::recycle;
use crate::state::*;
use crate::strict;
use crate::sys;
use unpick_proto::{Kind, plan_flag};

/// Threads that have a clock; nothing orders the others.
pub const THREADS_MOST: usize = 64;
/// The clock of the signal handlers.
const HANDLERS: usize = THREADS_MOST - 1;
const VARIANT_BITS: u32 = 2;
pub const VARIANTS: usize = 1 << VARIANT_BITS;
/// Who reads does not mind which of its own names a byte has: what it compares of four shadow cells.
pub static mut READ_MASK4: u64 = u64::MAX;
/// A name has fourteen bits, and the last one is the shadow's mark for what is shared.
pub const EPOCHS_MOST: usize = (1 << (14 - VARIANT_BITS)) - 2;
/// The epoch of a thread that has touched nothing since it last published: no byte has it.
const NONE: usize = EPOCHS_MOST;
/// Longer histories are not kept.
const HISTORY_MOST: usize = 16;
const OBJECTS: usize = 1 << 14;

pub type Clock = [u32; THREADS_MOST];

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Epoch {
    pub time: u32,
    pub thread: u16,
    pub variants: u16,
    /// The epoch of the same thread and time whose variants were used up before this one's; 0: none.
    pub earlier: u16,
    /// For each variant, the history before the read.
    pub before: [u16; VARIANTS],
}

static mut ON: bool = false;
/// Only what C11 promises is an order (`strict`).
static mut STRICT: bool = false;
static mut CLOCKS: *mut Clock = core::ptr::null_mut();
static mut EPOCHS: *mut Epoch = core::ptr::null_mut();
static mut EPOCH_COUNT: usize = 1;
/// Where the epochs go that are still needed when there are too many.
static mut SPARE: *mut Epoch = core::ptr::null_mut();
/// So many epochs are worth a walk over the shadow; where it does not bring that many, there is no other.
const WORTH: usize = EPOCHS_MOST / 4;
static mut EXHAUSTED: bool = false;
/// Each thread's epoch, or [`NONE`].
static mut MINE: [u16; THREADS_MOST] = [NONE as u16; THREADS_MOST];
static mut KEYS: *mut u64 = core::ptr::null_mut();
static mut PUBLISHED: *mut Clock = core::ptr::null_mut();
static mut PUBLISHED_COUNT: usize = 0;

/// The latest answer of [`after`]: neighbours mostly have the same history.
struct Answer {
    before: u16,
    write: bool,
    mark: u16,
    after: u16,
}
static mut LATEST: Answer = Answer { before: 0, write: false, mark: 0, after: 0 };

pub unsafe fn map() -> bool {
    CLOCKS = sys::reserve(0, THREADS_MOST * size_of::<Clock>()).cast();
    EPOCHS = sys::reserve(0, EPOCHS_MOST * size_of::<Epoch>()).cast();
    SPARE = sys::reserve(0, EPOCHS_MOST * size_of::<Epoch>()).cast();
    KEYS = sys::reserve(0, OBJECTS * size_of::<u64>()).cast();
    PUBLISHED = sys::reserve(0, OBJECTS * size_of::<Clock>()).cast();
    let mapped =
        [CLOCKS as usize, EPOCHS as usize, SPARE as usize, KEYS as usize, PUBLISHED as usize];
    mapped.iter().all(|&at| at != 0) && recycle::map()
}

/// Main is there, and the plan is known.
pub unsafe fn start() {
    ON = flag(plan_flag::CONTESTED);
    STRICT = ON && flag(plan_flag::RACES);
    if ON {
        READ_MASK4 = !((VARIANTS as u64 - 1) * 0x0001_0001_0001_0001);
        clock(0)[0] = 1;
        clock(HANDLERS)[HANDLERS] = 1;
    }
}

#[inline]
pub unsafe fn on() -> bool {
    ON
}

/// Is it on, and only what C11 promises an order?
pub unsafe fn strict() -> bool {
    STRICT
}

pub unsafe fn clock(id: usize) -> &'static mut Clock {
    &mut *CLOCKS.add(id)
}

pub fn name(epoch: usize, variant: usize) -> u16 {
    (epoch << VARIANT_BITS | variant) as u16
}

/// Epoch and variant of a name.
pub fn parts(name: u16) -> (usize, usize) {
    ((name >> VARIANT_BITS) as usize, name as usize % VARIANTS)
}

/// The clock by which the running thread goes; `None`: there are too many threads.
unsafe fn my_place() -> Option<usize> {
    let id = CURRENT as usize;
    if thread(id).handlers > 0 {
        return Some(HANDLERS);
    }
    (id < HANDLERS).then_some(id)
}

/// The running thread's mark for what it writes, and for what it alone touches.
pub unsafe fn mark() -> u16 {
    name(my_place().map_or(NONE, |place| MINE[place] as usize), 0)
}

/// The child begins with all that its creator knows.
pub unsafe fn created(child: usize) {
    if !ON || child >= HANDLERS {
        return;
    }
    if let Some(creator) = my_clock() {
        *clock(child) = *creator;
    }
    clock(child)[child] = 1;
    advance();
}

/// The running thread has its turn: what it may know from here on, and what others may know of it.
pub unsafe fn executing(pending: &Pending) {
    if !ON {
        return;
    }
    KNOWN_IS_OLD = true;
    if pending.kind == Kind::ThreadJoin {
        // One that was cancelled learns nothing.
        let child = pending.other as usize;
        if child < HANDLERS && thread(child).life == Life::Finished {
            learn(clock(pending.other as usize));
        }
        return;
    }
    if STRICT {
        return strict::executing(pending);
    }
    meet(pending.addr);
    if has_mutex(pending.kind) {
        meet(pending.other);
    }
    if !publishes(pending) {
        return;
    }
    publish(pending.addr);
    if has_mutex(pending.kind) {
        publish(pending.other);
    }
    advance();
}

fn has_mutex(kind: Kind) -> bool {
    matches!(kind, Kind::CondWait | Kind::CondReacquire | Kind::CondTimeout)
}

/// Who acquires publishes nothing: it will when it releases.
fn publishes(pending: &Pending) -> bool {
    let acquires = matches!(
        pending.kind,
        Kind::MutexLock
            | Kind::MutexTimedLock
            | Kind::MutexTryLock
            | Kind::CondReacquire
            | Kind::ReadLock
            | Kind::WriteLock
            | Kind::TryReadLock
            | Kind::TryWriteLock
            | Kind::SemWait
            | Kind::BarrierLeave
            | Kind::Yield
            | Kind::Sleep
    );
    pending.writes && pending.addr != 0 && !acquires
}

unsafe fn my_clock() -> Option<&'static mut Clock> {
    my_place().map(|place| clock(place))
}

pub unsafe fn learn(from: &Clock) {
    if let Some(mine) = my_clock() {
        add(mine, from);
    }
}

pub fn add(clock: &mut Clock, from: &Clock) {
    for (time, theirs) in clock.iter_mut().zip(from) {
        *time = (*time).max(*theirs);
    }
}

unsafe fn slot(address: u64) -> usize {
    let mut at = mix(address) as usize % OBJECTS;
    while *KEYS.add(at) != 0 && *KEYS.add(at) != address {
        at = (at + 1) % OBJECTS;
    }
    at
}

pub unsafe fn published(address: u64) -> Option<&'static Clock> {
    let at = slot(address);
    (address != 0 && *KEYS.add(at) == address).then(|| &*PUBLISHED.add(at))
}

pub unsafe fn meet(address: u64) {
    if let Some(clock) = published(address) {
        learn(clock);
    }
}

/// `None`: there are too many objects.
unsafe fn place_for(address: u64) -> Option<&'static mut Clock> {
    let at = slot(address);
    if *KEYS.add(at) == 0 {
        if PUBLISHED_COUNT >= OBJECTS / 2 {
            return None;
        }
        PUBLISHED_COUNT += 1;
        *KEYS.add(at) = address;
    }
    Some(&mut *PUBLISHED.add(at))
}

unsafe fn publish(address: u64) {
    if let (Some(place), Some(mine)) = (place_for(address), my_clock()) {
        *place = *mine;
    }
}

/// Adds to what is there.
pub unsafe fn publish_more(address: u64) {
    if let (Some(place), Some(mine)) = (place_for(address), my_clock()) {
        add(place, mine);
    }
}

pub unsafe fn unpublish(address: u64) {
    let at = slot(address);
    if *KEYS.add(at) == address {
        *PUBLISHED.add(at) = [0; THREADS_MOST];
    }
}

/// The memory of a block will be that of another one.
pub unsafe fn forget(address: u64, size: usize) {
    if STRICT {
        strict::forget(address, size);
    }
}

/// What the thread does from here on is after what it published.
pub unsafe fn advance() {
    let Some(place) = my_place() else { return };
    clock(place)[place] += 1;
    set_epoch(place, NONE);
}

unsafe fn set_epoch(place: usize, epoch: usize) {
    MINE[place] = epoch as u16;
    baton::set_owner();
}

/// Sees to it that an access finds a name, before it looks at any.
#[inline]
pub unsafe fn make_room() {
    // Accesses that read many histories at once take several.
    const RESERVE: usize = 64;
    if EPOCH_COUNT > EPOCHS_MOST - RESERVE && !EXHAUSTED {
        recycle_names();
    }
}

#[cold]
unsafe fn recycle_names() {
    find_what_all_know();
    EPOCH_COUNT = recycle::recycle(EPOCHS, SPARE, KNOWN);
    (EPOCHS, SPARE) = (SPARE, EPOCHS);
    EXHAUSTED = EPOCH_COUNT > EPOCHS_MOST - WORTH;
    LATEST = Answer { before: 0, write: false, mark: 0, after: 0 };
    MINE = [NONE as u16; THREADS_MOST];
    baton::set_owner();
}

unsafe fn new_epoch(place: usize) {
    if EPOCH_COUNT >= EPOCHS_MOST {
        return;
    }
    let epoch = &mut *EPOCHS.add(EPOCH_COUNT);
    epoch.thread = place as u16;
    epoch.time = clock(place)[place];
    epoch.variants = 1;
    epoch.earlier = if MINE[place] as usize == NONE { 0 } else { MINE[place] };
    set_epoch(place, EPOCH_COUNT);
    EPOCH_COUNT += 1;
}

/// One access in a byte's history.
struct Access {
    name: u16,
    thread: usize,
    time: u32,
    write: bool,
}

/// The latest access of a history, and the history before it.
unsafe fn latest(history: u16) -> (Access, u16) {
    let (epoch, variant) = parts(history);
    let epoch = &*EPOCHS.add(epoch);
    let access = Access {
        name: history,
        thread: epoch.thread as usize,
        time: epoch.time,
        write: variant == 0,
    };
    (access, if variant == 0 { 0 } else { epoch.before[variant] })
}

unsafe fn is_before_me(access: &Access) -> bool {
    my_place() == Some(access.thread)
        || my_clock().is_some_and(|mine| mine[access.thread] >= access.time)
}

/// What every thread knows, each by its time.
static mut KNOWN: Clock = [0; THREADS_MOST];
static mut KNOWN_IS_OLD: bool = true;

/// Will every thread find that it comes later? Then nobody need remember it.
unsafe fn is_known_to_all(access: &Access) -> bool {
    find_what_all_know();
    KNOWN[access.thread] >= access.time
}

unsafe fn find_what_all_know() {
    if KNOWN_IS_OLD {
        let mut all = [u32::MAX; THREADS_MOST];
        for id in (0..THREAD_COUNT.min(HANDLERS)).filter(|&id| thread(id).life == Life::Alive) {
            for (known, time) in all.iter_mut().zip(knowledge(id)) {
                *known = (*known).min(time);
            }
        }
        KNOWN = all;
        KNOWN_IS_OLD = false;
    }
}

/// What a thread will know when it next touches memory: who is about to take a lock will have learned what
/// was published with it.
unsafe fn knowledge(id: usize) -> Clock {
    let mut clock = *clock(id);
    let pending = &thread(id).pending;
    if id != CURRENT as usize {
        let mutex = if has_mutex(pending.kind) { pending.other } else { 0 };
        let met = if STRICT { strict::will_meet(pending) } else { [pending.addr, mutex] };
        for address in met {
            if let Some(published) = published(address) {
                add(&mut clock, published);
            }
        }
    }
    clock
}

/// The name of a read in `epoch` after `before`; `None` if there are too many of them.
unsafe fn read_after(epoch: usize, before: u16) -> Option<u16> {
    // Whoever reads so many histories at one time may name one of them twice.
    const EARLIER_MOST: usize = 64;
    let mut at = epoch;
    for _ in 0..EARLIER_MOST {
        let entry = &*EPOCHS.add(at);
        let used = entry.variants as usize;
        if let Some(known) = (1..used).find(|&variant| entry.before[variant] == before) {
            return Some(name(at, known));
        }
        if entry.earlier == 0 {
            break;
        }
        at = entry.earlier as usize;
    }
    let entry = &mut *EPOCHS.add(epoch);
    let used = entry.variants as usize;
    if used == VARIANTS {
        return None;
    }
    entry.before[used] = before;
    entry.variants += 1;
    Some(name(epoch, used))
}

/// The history of a byte after an access of the running thread; `None` if something in it is not ordered
/// with the access.
pub unsafe fn after(history: u16, write: bool) -> Option<u16> {
    let place = my_place()?;
    if MINE[place] as usize == NONE {
        new_epoch(place);
    }
    if MINE[place] as usize == NONE {
        // No epoch is left.
        return None;
    }
    let mark = mark();
    if LATEST.before == history && LATEST.write == write && LATEST.mark == mark {
        return Some(LATEST.after);
    }
    let after = if write { after_write(history)? } else { after_read(history, place)? };
    LATEST = Answer { before: history, write, mark, after };
    Some(after)
}

unsafe fn after_write(history: u16) -> Option<u16> {
    let mut rest = history;
    while rest != 0 {
        let (access, before) = latest(rest);
        if !is_before_me(&access) {
            return None;
        }
        rest = before;
    }
    Some(mark())
}

/// Is there a write in it that somebody might not know of?
unsafe fn is_written(history: u16) -> bool {
    let mut rest = history;
    while rest != 0 {
        let (access, before) = latest(rest);
        if access.write {
            return !is_known_to_all(&access);
        }
        rest = before;
    }
    false
}

/// Keeps the last write unless everybody knows of it, and the reads that are not ordered with this one.
unsafe fn after_read(history: u16, place: usize) -> Option<u16> {
    let my_epoch = MINE[place];
    if history != 0 {
        let (access, _) = latest(history);
        if access.thread == place && access.time == clock(place)[place] {
            return Some(history);
        }
    }
    // Each pair of times at which a thread wrote and read what is its own would need a name. When they get
    // scarce, such a read counts as a write.
    if EPOCH_COUNT > EPOCHS_MOST / 2 && is_written(history) && !by_another(history) {
        return Some(mark());
    }
    let mut kept = [0; HISTORY_MOST];
    let mut count = 0;
    let mut rest = history;
    while rest != 0 {
        let (access, before) = latest(rest);
        let ordered = is_before_me(&access);
        if access.write && !ordered {
            return None;
        }
        let matters = if access.write { !is_known_to_all(&access) } else { !ordered };
        if matters {
            if count == HISTORY_MOST {
                return None;
            }
            kept[count] = access.name;
            count += 1;
        }
        rest = before;
    }
    let mut before = 0;
    for &access in kept[..count].iter().rev() {
        let is_write = (access as usize).is_multiple_of(VARIANTS);
        let again = || read_after((access >> VARIANT_BITS) as usize, before);
        // Without room for the shorter history the whole one will do.
        before = if is_write { access } else { again().unwrap_or(history) };
    }
    match read_after(my_epoch as usize, before) {
        Some(name) => Some(name),
        None => {
            new_epoch(place);
            read_after(MINE[place] as usize, before)
        }
    }
}

/// The history of a byte that the running thread alone has touched.
pub unsafe fn alone() -> u16 {
    if ON { after(0, true).unwrap_or(0) } else { memory::owner() }
}

/// Was the byte touched by another thread than the running one?
pub unsafe fn by_another(history: u16) -> bool {
    if !ON {
        return history != 0 && history != memory::owner();
    }
    let mut rest = history;
    while rest != 0 {
        let (access, before) = latest(rest);
        if my_place() != Some(access.thread) {
            return true;
        }
        rest = before;
    }
    false
}
