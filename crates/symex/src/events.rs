//! What a native run counts: each thread's instrumented events. A schedule speaks of these counts, so they must be
//! the same here, or what was found could not be repeated on the program.
//!
//! The code that is executed is the instrumented one, and the runtime's own rules are these:
//!
//! | what | events |
//! |---|---|
//! | a hook of the compiler (`__tsan_read4`, …) | 1, whoever else touches the bytes; the access itself follows at once |
//! | a hook for a range; an empty one | 1; none |
//! | `memcpy`, `memmove` and what copies like them (`strcpy`, `mempcpy`, …) | 2: a read, a write |
//! | other functions of the C library | 1 for each text or block that they read or write, also in `%s`; a literal is not counted, except by what copies |
//! | an atomic operation | 1 |
//! | an operation on a lock or the like | 1, also where it fails; a condition wait 2, 3 where it gives up; a barrier 2; `pthread_once` 2 where the routine runs, else 1 |
//! | setting the signal mask; only asking for it | 1; none |
//! | initialising, detaching, allocating, looking at the clock | none |
//! | `free` of a block | 1, a write of it; `realloc` 1, and 1 more where the block moves |
//! | an operation on a stream, printing too | 2: its lock; none where the thread holds that already |
//! | a number that the plan chooses (`__VERIFIER_nondet_*`, `unpick_choose`), a random one | 1 |
//! | a thread's beginning, its end, the end of the process | 1 each |
//! | begin and end of an atomic section, or of a function named `__VERIFIER_atomic_…` | 1 each |
//! | a loop that may wait starts over (`__unpick_again`) | 1 |
//! | before `main`, and what ends a run (a failed assertion, a crash) | none |
//!
//! Where a thread stops for another one is always before an event at which a native run can stop, too.
//!
//! What has no hook (see `unpick_build::scan`) is no event: where others could notice it, it is an operation here all
//! the same, and a schedule that stops there cannot be repeated. Whether `realloc` moves a block is libc's decision,
//! which is guessed from the sizes: wrong where a chunk came out larger than it had to be. `qsort` calls the comparison
//! in another order here, and so do not count what libc frees for itself (`qsort` of a kilobyte, `fclose`).

use crate::access::{How, Target};
use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::Byte;
use crate::models::bytes::Span;
use crate::models::{Call, Effect, Row};
use crate::operation::{Footprint, Performed};
use crate::state::{Stage, State};
use crate::sync::{give_nothing, waiting};
use crate::value::Value;
use crate::visible::Reach;
use std::rc::Rc;
use unpick_dependence::Touch;
use unpick_ir::Place;
use unpick_model::{Op, Pick, Schedule, Segment, ThreadId};
use unpick_smt::Model as Values;

/// What happened, as the native log has it.
#[derive(Clone, Copy, Debug)]
pub struct Went {
    pub op: Op,
    pub address: u64,
    pub size: u64,
    pub after: u64,
}

impl Went {
    pub fn new(op: Op, address: u64) -> Went {
        Went { op, address, size: 1, after: 0 }
    }
}

/// The thread has performed an operation: an event, which others could notice.
#[allow(clippy::too_many_arguments)]
pub fn performed(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    place: Place,
    op: Op,
    address: u64,
    size: u64,
    footprint: Footprint,
) {
    went(machine, state, thread, place, Went { op, address, size, after: 0 }, footprint);
}

pub fn went(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    place: Place,
    went: Went,
    footprint: Footprint,
) {
    taken_down(machine, state, thread, place, went, footprint, true);
    count(state, thread);
}

/// Before `main` nothing is counted.
fn count(state: &mut State, thread: usize) {
    if !state.early {
        state.thread_mut(thread).events += 1;
    }
}

/// The same for what natively is no event.
pub fn noticed(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    place: Place,
    went: Went,
    footprint: Footprint,
) {
    taken_down(machine, state, thread, place, went, footprint, false);
}

fn taken_down(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    place: Place,
    Went { op, address, size, after }: Went,
    footprint: Footprint,
    counted: bool,
) {
    if state.early {
        return;
    }
    let event = state.thread(thread).events;
    let one = Performed { thread, event, counted, op, address, size, after, footprint, place };
    log(machine, state, &one, false);
    if machine.options.races {
        state.sync.clocks.get_or_insert_default().take(&one);
    }
    state.sync.performed.push(one);
    waiting::operation(state, thread, op, address);
}

/// Bookkeeping that is no event: a lock is initialised, a thread detached. Others would notice the former.
pub fn note(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    place: Place,
    op: Op,
    address: u64,
    value: u64,
) {
    let footprint =
        if op.initialises() { Footprint::changes(address, true) } else { Footprint::nothing() };
    let went = Went { op, address, size: 1, after: value };
    noticed(machine, state, thread, place, went, footprint);
}

/// An event that nobody else could notice.
pub fn private(
    machine: &Machine,
    state: &mut State,
    thread: usize,
    place: Place,
    op: Op,
    address: u64,
    size: u64,
) {
    if machine.options.log && !state.early {
        let (event, footprint) = (state.thread(thread).events, Footprint::nothing());
        let (counted, after) = (true, 0);
        let one = Performed { thread, event, counted, op, address, size, after, footprint, place };
        log(machine, state, &one, true);
    }
    count(state, thread);
}

fn log(machine: &Machine, state: &mut State, one: &Performed, private: bool) {
    if machine.options.log {
        state.sync.log.push((one.clone(), private));
    }
}

/// The latest operation turns out to touch more.
pub fn touches_also(state: &mut State, touch: Touch) {
    if let Some(mut last) = state.sync.performed.last().cloned() {
        state.sync.performed.pop();
        last.footprint.touches.push(touch);
        state.sync.performed.push(last);
    }
}

/// How the access of a hook, or of the C library, is logged.
fn plain(write: bool) -> Op {
    if write { Op::Write } else { Op::Read }
}

impl Machine {
    /// An access event: an operation of its own where others could notice it.
    pub(crate) fn access_event(
        &mut self,
        state: &mut State,
        thread: usize,
        place: Place,
        (target, size): (Target, u64),
        op: Op,
        reach: Reach,
    ) -> Result<(), Stop> {
        let write = op.is_write();
        let range = self.range_of(state, target, size, write);
        let visible = self.is_visible(state, thread, target.object);
        if visible {
            self.in_one_go(state, thread, |machine, state| {
                machine.take_turn(state, thread, (target, size), op, reach)
            })?;
        }
        self.note_touch(state, thread, target.object, write);
        let footprint = Footprint::ranges(std::slice::from_ref(&range));
        match visible {
            true => performed(self, state, thread, place, op, range.address, size, footprint),
            false => private(self, state, thread, place, op, range.address, size),
        }
        Ok(())
    }

    /// A hook: the access that follows is part of its step.
    fn announce(
        &mut self,
        state: &mut State,
        thread: usize,
        call: &Call,
        size: u64,
        write: bool,
    ) -> Result<Effect, Stop> {
        let how = if write { How::Write } else { How::Read };
        let target = self.resolve(state, thread, &call.arguments[0], size, how)?;
        if state.alone(thread) {
            let address = self.range_of(state, target, size, write).address;
            private(self, state, thread, call.place, plain(write), address, size);
            return give_nothing();
        }
        self.access_event(state, thread, call.place, (target, size), plain(write), Reach::Exact)?;
        waiting::access(self, state, thread, target, size, write);
        let range = self.range_of(state, target, size, write);
        state.thread_mut(thread).covered = Some((range.address, range.size, write));
        give_nothing()
    }

    /// The C library touches bytes in the name of the program, as the next event of this call. It may be one that
    /// happened before the call was made again.
    pub(crate) fn library_event(
        &mut self,
        state: &mut State,
        thread: usize,
        (target, size): (Target, u64),
        write: bool,
    ) -> Result<(), Stop> {
        let number = self.library_events;
        self.library_events += 1;
        let over = state.frame(thread).stage.as_ref().map_or(0, |stage| stage.events);
        if over > number {
            return Ok(());
        }
        let place = self.place(state, thread);
        self.access_event(state, thread, place, (target, size), plain(write), Reach::ToTheEnd)?;
        // Whoever is alone is not interrupted.
        if !state.alone(thread) {
            let stage = state.frame_mut(thread).stage.get_or_insert_with(Stage::default);
            stage.events = number + 1;
        }
        Ok(())
    }

    /// Reads and writes (`true`) of the C library, one after the other. To read a literal is no event.
    pub(crate) fn touch_spans(
        &mut self,
        state: &mut State,
        thread: usize,
        spans: &[(Span, bool)],
    ) -> Result<(), Stop> {
        for (span, write) in spans.iter().filter(|(span, _)| span.size > 0) {
            let literal = state.memory.object(span.object).is_some_and(|object| object.constant);
            if *write || !literal {
                self.library_event(state, thread, (span.target(), span.size), *write)?;
            }
            if *write {
                self.range_changes(state, thread, *span);
            }
        }
        Ok(())
    }

    /// A copy: what is read at the read's turn is what is written at the write's, whatever happens to the source in
    /// between. Gives what is to be written.
    pub(crate) fn touch_copy(
        &mut self,
        state: &mut State,
        thread: usize,
        source: Span,
        target: Span,
    ) -> Result<Vec<Byte>, Stop> {
        self.library_event(state, thread, (source.target(), source.size), false)?;
        if !self.is_visible(state, thread, target.object) {
            self.library_event(state, thread, (target.target(), target.size), true)?;
            return Ok(self.bytes_of(state, source));
        }
        let kept = state.thread(thread).extra.copied.clone();
        let bytes = kept.unwrap_or_else(|| Rc::new(self.bytes_of(state, source)));
        state.thread_mut(thread).extra.copied = Some(bytes.clone());
        self.library_event(state, thread, (target.target(), target.size), true)?;
        state.thread_mut(thread).extra.copied = None;
        self.range_changes(state, thread, target);
        Ok(bytes.to_vec())
    }

    fn range_changes(&mut self, state: &mut State, thread: usize, span: Span) {
        let base = state.memory.object(span.object).map_or(0, |object| object.base);
        waiting::range_changed(state, thread, base + span.offset, span.size);
    }

    /// The run's schedule, with the inputs that `values` has. What ends the run belongs to the last segment.
    pub fn schedule(&self, state: &State, values: &Values) -> Schedule {
        let mut schedule = Schedule::default();
        let steps = state.steps.to_vec();
        let mut done = vec![0; state.threads.len()];
        for (i, (thread, until)) in steps.iter().enumerate() {
            let last = i + 1 == steps.len();
            if *until > done[*thread] || last {
                done[*thread] = *until;
                let thread = ThreadId(*thread as u16);
                match schedule.segments.last_mut() {
                    Some(segment) if segment.thread == thread => segment.until = *until,
                    _ => schedule.segments.push(Segment { thread, until: *until }),
                }
            }
        }
        for (thread, count, value) in state.sync.picks.to_vec() {
            schedule.picks.push(Pick { thread: ThreadId(thread as u16), count, value });
        }
        for input in state.inputs.iter() {
            let value = self.terms.eval(input.term, values).as_bits().unwrap_or(0) as u64;
            let value = match state.low_of(input) {
                Some(low) => value.wrapping_sub(low) & 0xFFFF_FFFF,
                None => value,
            };
            let thread = ThreadId(input.thread as u16);
            schedule.picks.push(Pick { thread, count: input.event, value });
        }
        schedule
    }
}

/// Functions that do something to a stream, or to the environment. The former take the stream's lock and release it: natively these are scheduling points
/// only where others look at what is printed; here nobody does.
pub const STREAMS: &[&str] = &[
    "getenv",
    "printf",
    "vprintf",
    "fprintf",
    "vfprintf",
    "__printf_chk",
    "__fprintf_chk",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "fflush",
    "perror",
    "getchar",
    "getc",
    "fgetc",
    "fgets",
    "fread",
    "ungetc",
    "scanf",
    "fscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc23_scanf",
    "__isoc23_fscanf",
];

pub(crate) fn stream(machine: &Machine, state: &mut State, thread: usize, call: &Call) {
    // The environment is one object, whatever of it is asked for.
    if call.name == "getenv" {
        return private(machine, state, thread, call.place, Op::Read, 0, 1);
    }
    let all_streams =
        call.name == "fflush" && call.arguments.first().and_then(Value::as_known) == Some(0);
    if !all_streams {
        private(machine, state, thread, call.place, Op::Lock, 0, 0);
        private(machine, state, thread, call.place, Op::Unlock, 0, 0);
    }
}

/// A call on a descriptor. What lies beyond it is not seen here.
pub(crate) fn io(
    machine: &Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    what: unpick_model::Call,
) {
    private(machine, state, thread, call.place, Op::Io { call: what }, 0, 0);
}

fn access<const SIZE: u64, const WRITE: bool>(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    machine.announce(state, thread, call, SIZE, WRITE)
}

fn range<const WRITE: bool>(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    match machine.concrete(state, thread, &call.arguments[1])? {
        0 => give_nothing(),
        size => machine.announce(state, thread, call, size, WRITE),
    }
}

fn nothing(_: &mut Machine, _: &mut State, _: usize, _: &Call) -> Result<Effect, Stop> {
    give_nothing()
}

fn block(machine: &mut Machine, _: &mut State, thread: usize, _: &Call) -> Result<Effect, Stop> {
    machine.follow_block(thread);
    give_nothing()
}

macro_rules! hooks {
    ($($read:literal $write:literal: $size:literal;)*) => {
        &[
            $((&[$read], access::<$size, false>), (&[$write], access::<$size, true>),)*
            (&["__tsan_read_range"], range::<false>),
            (&["__tsan_write_range"], range::<true>),
            (&["__sanitizer_cov_trace_pc_guard"], block),
            (
                &[
                    "__tsan_init",
                    "__tsan_ignore_thread_begin",
                    "__tsan_ignore_thread_end",
                    "__tsan_atomic_signal_fence",
                    "__sanitizer_cov_trace_pc_guard_init",
                ],
                nothing,
            ),
        ]
    };
}

/// Models that change nothing before they stop.
pub const DIRECT: &[Row] = hooks! {
    "__tsan_read1" "__tsan_write1": 1;
    "__tsan_read2" "__tsan_write2": 2;
    "__tsan_read4" "__tsan_write4": 4;
    "__tsan_read8" "__tsan_write8": 8;
    "__tsan_read16" "__tsan_write16": 16;
    "__tsan_volatile_read1" "__tsan_volatile_write1": 1;
    "__tsan_volatile_read2" "__tsan_volatile_write2": 2;
    "__tsan_volatile_read4" "__tsan_volatile_write4": 4;
    "__tsan_volatile_read8" "__tsan_volatile_write8": 8;
    "__tsan_volatile_read16" "__tsan_volatile_write16": 16;
    "__tsan_unaligned_read1" "__tsan_unaligned_write1": 1;
    "__tsan_unaligned_read2" "__tsan_unaligned_write2": 2;
    "__tsan_unaligned_read4" "__tsan_unaligned_write4": 4;
    "__tsan_unaligned_read8" "__tsan_unaligned_write8": 8;
    "__tsan_unaligned_read16" "__tsan_unaligned_write16": 16;
    "__tsan_unaligned_volatile_read1" "__tsan_unaligned_volatile_write1": 1;
    "__tsan_unaligned_volatile_read2" "__tsan_unaligned_volatile_write2": 2;
    "__tsan_unaligned_volatile_read4" "__tsan_unaligned_volatile_write4": 4;
    "__tsan_unaligned_volatile_read8" "__tsan_unaligned_volatile_write8": 8;
    "__tsan_unaligned_volatile_read16" "__tsan_unaligned_volatile_write16": 16;
    "__tsan_vptr_read" "__tsan_vptr_update": 8;
};
