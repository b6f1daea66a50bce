//! Would the failing run still be possible with the change? If it would, the change does not help, and others come first.
//!
//! The run is walked through in its own order, with the locks that it would have taken then: as late and given back as early
//! as the change allows. Where two threads would have to hold the same lock at once, it is not possible any more. Which lines
//! a thread is on is told by its events alone, so what lies between two of them is a guess, and so is a loop around what is
//! held: the answer decides what is tried first, never whether something holds.

use std::collections::HashMap;
use std::ops::Range;
use unpick_model::{Event, Failure, Op, Outcome, StackId, ThreadId, Trace, WaitFor};

/// What a change means for who waits for whom, as far as that is known.
#[derive(Clone, Debug, Default)]
pub enum Effect {
    #[default]
    Unknown,
    Holds(Vec<Hold>),
    /// All that a function does with the one global mutex it does with the other.
    Exchanges {
        function: String,
        own: String,
        other: String,
    },
    /// The thread that is created at a line has ended before the function comes to these lines.
    Joins {
        function: String,
        created: u32,
        before: Range<u32>,
    },
}

/// A lock that is held while a function is at these lines.
#[derive(Clone, Debug)]
pub struct Hold {
    pub function: String,
    pub lines: Range<u32>,
    pub lock: Lock,
    /// It is not given back at their end: what gives it back comes later.
    pub stays: bool,
}

#[derive(Clone, Debug)]
pub enum Lock {
    /// A new one.
    Added,
    /// A global mutex.
    Named(String),
    /// A mutex of the class.
    Member(String),
    /// The one that is taken or given back at this line, within the others.
    At(u32),
}

/// Of longer runs nothing is foreseen: each change would walk through all of it.
const LONGEST: usize = 200_000;
/// Stand for locks that the run has never seen.
const ADDED: u64 = u64::MAX;
const UNSEEN: u64 = u64::MAX - 1;

/// The failing run, as one file's changes would meet it.
pub struct Foresight<'a> {
    trace: &'a Trace,
    /// With what threads wait for at the end.
    events: Vec<Event>,
    /// For each event the next one of its thread.
    next: Vec<Option<usize>>,
    /// For each moment the file's functions that it is in, the innermost first, and the lines that they are at.
    frames: HashMap<(u64, StackId), Vec<(&'a str, u32)>>,
}

/// What an event does with a lock.
enum Deed {
    Takes(u64),
    Gives(u64),
    Neither,
}

/// A function's name without classes and namespaces, as its source has it.
fn own_name(qualified: &str) -> &str {
    let mut depth = 0;
    let mut from = qualified.len();
    for (at, c) in qualified.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            ':' if depth == 0 => break,
            _ => {}
        }
        from = at;
    }
    let own = &qualified[from..];
    own.split_once('<').map_or(own, |(own, _)| own)
}

fn deed(event: &Event) -> Deed {
    match event.op {
        Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
            Deed::Takes(event.address)
        }
        Op::CondReacquire { mutex, .. } => Deed::Takes(mutex),
        Op::Unlock => Deed::Gives(event.address),
        Op::CondWait { mutex } => Deed::Gives(mutex),
        _ => Deed::Neither,
    }
}

impl<'a> Foresight<'a> {
    /// `file`: the changed file's name, without folders.
    pub fn of(trace: &'a Trace, file: &str) -> Foresight<'a> {
        let short = trace.events.len() <= LONGEST;
        let mut events = if short { trace.events.clone() } else { Vec::new() };
        if let Outcome::Failed { failure: Failure::Deadlock { waits }, .. } = &trace.outcome {
            // They do not get it, but there they are.
            let attempt = Op::TryLock { acquired: false };
            let for_locks = waits.iter().filter(|wait| wait.what == WaitFor::Mutex);
            events.extend(for_locks.map(|wait| wait.as_event(attempt)));
        }
        let mut next = vec![None; events.len()];
        let mut latest: HashMap<ThreadId, usize> = HashMap::new();
        let mut frames: HashMap<(u64, StackId), Vec<(&'a str, u32)>> = HashMap::new();
        for (at, event) in events.iter().enumerate().rev() {
            next[at] = latest.insert(event.thread, at);
            frames.entry((event.pc, event.stack)).or_insert_with(|| {
                let chain = trace.call_chain(event.pc, event.stack).into_iter();
                let places = chain.filter_map(|pc| trace.places.get(&pc));
                let here = places.filter(|place| place.file.rsplit('/').next() == Some(file));
                here.map(|place| (own_name(&place.function), place.line)).collect()
            });
        }
        Foresight { trace, events, next, frames }
    }

    /// Would the run still be possible? `None`: that cannot be told.
    pub fn is_still_possible(&self, effect: &Effect) -> Option<bool> {
        match effect {
            _ if self.trace.events.len() > LONGEST => None,
            Effect::Unknown => None,
            Effect::Holds(holds) => self.with_holds(holds),
            Effect::Exchanges { function, own, other } => {
                let own = self.named(own)?;
                let other = self.named(other).unwrap_or(UNSEEN);
                let lock = |event: &Event, lock: u64| {
                    let here = self.innermost(event).is_some_and(|(at, _)| at == function);
                    if here && lock == own { other } else { lock }
                };
                Some(self.keeps_apart(&lock))
            }
            Effect::Joins { function, created, before } => {
                self.with_join(function, *created, before)
            }
        }
    }

    fn frames(&self, event: &Event) -> &[(&'a str, u32)] {
        self.frames.get(&(event.pc, event.stack)).map_or(&[], Vec::as_slice)
    }

    fn innermost(&self, event: &Event) -> Option<(&'a str, u32)> {
        self.frames(event).first().copied()
    }

    /// The line that a function is at, where the event is in it.
    fn line_in(&self, event: &Event, function: &str) -> Option<u32> {
        let mut frames = self.frames(event).iter();
        frames.find(|(name, _)| *name == function).map(|(_, line)| *line)
    }

    fn named(&self, name: &str) -> Option<u64> {
        let lock = |event: &&Event| matches!(event.op, Op::Lock | Op::Unlock);
        let mut locks = self.events.iter().filter(lock);
        locks.find(|event| self.trace.name(event.name) == Some(name)).map(|event| event.address)
    }

    /// The mutex that is so called in an object, where there is only one.
    fn member(&self, name: &str) -> Option<u64> {
        let of_object = |event: &&Event| {
            let known = self.trace.name(event.name).and_then(|known| known.strip_suffix(name));
            matches!(event.op, Op::Lock | Op::Unlock) && known.is_some_and(|it| it.ends_with('.'))
        };
        let mut locks: Vec<u64> =
            self.events.iter().filter(of_object).map(|event| event.address).collect();
        locks.sort();
        locks.dedup();
        locks.first().copied().filter(|_| locks.len() == 1)
    }

    /// The lock of a hold that a thread begins at an event.
    fn lock_of(&self, hold: &Hold, at: usize) -> Option<u64> {
        match &hold.lock {
            Lock::Added => Some(ADDED),
            Lock::Named(name) => Some(self.named(name).unwrap_or(UNSEEN)),
            Lock::Member(name) => self.member(name),
            Lock::At(line) => {
                let thread = self.events[at].thread;
                let own = self.events[at..].iter().filter(|event| event.thread == thread);
                let mut here = own
                    .filter(|event| self.innermost(event) == Some((hold.function.as_str(), *line)));
                here.find_map(|event| match deed(event) {
                    Deed::Takes(lock) | Deed::Gives(lock) => Some(lock),
                    Deed::Neither => None,
                })
            }
        }
    }

    fn is_inside(&self, hold: &Hold, event: &Event) -> bool {
        self.line_in(event, &hold.function).is_some_and(|line| hold.lines.contains(&line))
    }

    /// Is a thread that does nothing more in this run still inside? Who is in a function that was called there, or not yet at
    /// the last line.
    fn has_more(&self, hold: &Hold, last: &Event) -> bool {
        let (function, line) = self.innermost(last).unwrap_or_default();
        let at_its_end = function == hold.function && line + 1 >= hold.lines.end;
        self.is_inside(hold, last) && last.op != Op::ThreadExit && !at_its_end
    }

    fn with_holds(&self, holds: &[Hold]) -> Option<bool> {
        let mut owner: HashMap<u64, ThreadId> = HashMap::new();
        let mut held: HashMap<(ThreadId, usize), u64> = HashMap::new();
        for (at, event) in self.events.iter().enumerate() {
            let thread = event.thread;
            for (number, hold) in holds.iter().enumerate() {
                if !held.contains_key(&(thread, number)) && self.is_inside(hold, event) {
                    let lock = self.lock_of(hold, at)?;
                    if owner.insert(lock, thread).is_some_and(|other| other != thread) {
                        return Some(false);
                    }
                    held.insert((thread, number), lock);
                }
            }
            // Inside, the lock is not taken and given back any more.
            let is_gone = |lock: u64| {
                holds.iter().enumerate().any(|(number, hold)| {
                    let within = self.innermost(event).is_some_and(|(function, line)| {
                        function == hold.function && hold.lines.contains(&line)
                    });
                    within && held.get(&(thread, number)) == Some(&lock)
                })
            };
            match deed(event) {
                Deed::Takes(lock) if !is_gone(lock) => match owner.insert(lock, thread) {
                    Some(other) if other != thread => return Some(false),
                    // It would wait for itself: no help.
                    Some(_) => return Some(true),
                    None => {}
                },
                Deed::Gives(lock) if !is_gone(lock) => {
                    owner.remove(&lock);
                }
                _ => {}
            }
            for (number, hold) in holds.iter().enumerate() {
                let goes_on = match self.next[at] {
                    Some(next) => self.is_inside(hold, &self.events[next]),
                    None => self.has_more(hold, event),
                };
                if !goes_on
                    && let Some(lock) = held.remove(&(thread, number))
                    && !hold.stays
                {
                    owner.remove(&lock);
                }
            }
        }
        Some(true)
    }

    /// Does nobody take a lock that another one holds, where locks are other ones?
    fn keeps_apart(&self, other: &dyn Fn(&Event, u64) -> u64) -> bool {
        let mut owner: HashMap<u64, ThreadId> = HashMap::new();
        for event in &self.events {
            match deed(event) {
                Deed::Takes(lock) => {
                    if owner
                        .insert(other(event, lock), event.thread)
                        .is_some_and(|by| by != event.thread)
                    {
                        return false;
                    }
                }
                Deed::Gives(lock) => {
                    owner.remove(&other(event, lock));
                }
                Deed::Neither => {}
            }
        }
        true
    }

    fn with_join(&self, function: &str, created: u32, before: &Range<u32>) -> Option<bool> {
        let creation = self.events.iter().position(|event| {
            matches!(event.op, Op::ThreadCreate { .. })
                && self.innermost(event) == Some((function, created))
        })?;
        let Op::ThreadCreate { child } = self.events[creation].op else { return None };
        let creator = self.events[creation].thread;
        let passes = |event: &Event| {
            let line = self.line_in(event, function);
            event.thread == creator && line.is_some_and(|line| before.contains(&line))
        };
        let passed = creation + 1 + self.events[creation + 1..].iter().position(passes)?;
        let ends = |event: &Event| event.thread == child && event.op == Op::ThreadExit;
        Some(self.events[..passed].iter().any(ends))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use unpick_model::{Output, Place, Program, Record, Schedule, StackFrame, ThreadInfo};

    /// Thread, line (also its program counter), operation; every function is called `f`, every lock or variable `m`.
    fn run(events: &[(u16, u64, Op)]) -> Trace {
        let place = |line: u32| {
            let (file, function) = ("/x/a.c".to_string(), "f".to_string());
            (u64::from(line), Place { file, line, column: 1, function })
        };
        let event = |&(thread, line, op): &(u16, u64, Op)| Event {
            thread: ThreadId(thread),
            count: 0,
            op,
            address: if op.is_access() { 0x2000 } else { 0x1000 },
            size: 4,
            before: 0,
            after: 0,
            pc: line,
            stack: StackId(0),
            private: false,
            name: 1,
        };
        Trace {
            program: Program::default(),
            strategy: String::new(),
            seed: 0,
            schedule: Schedule::default(),
            shared: Vec::new(),
            record: Record::Visible,
            max_steps: 0,
            outcome: Outcome::Passed,
            threads: vec![ThreadInfo::default(); 3],
            events: events.iter().map(event).collect(),
            wide: Vec::new(),
            stacks: vec![StackFrame { parent: StackId(0), call_pc: 0, frame: 0 }],
            places: (1..50).map(place).collect::<BTreeMap<u64, Place>>(),
            names: vec!["m".into()],
            output: Output::default(),
            world: Vec::new(),
        }
    }

    fn holds(lines: Range<u32>, lock: Lock, stays: bool) -> Effect {
        Effect::Holds(vec![Hold { function: "f".into(), lines, lock, stays }])
    }

    fn possible(events: &[(u16, u64, Op)], effect: &Effect) -> Option<bool> {
        Foresight::of(&run(events), "a.c").is_still_possible(effect)
    }

    #[test]
    fn names_without_what_they_stand_in() {
        for (qualified, own) in [
            ("take", "take"),
            ("bank::Account::take", "take"),
            ("(anonymous namespace)::take", "take"),
            ("main::$_0::operator()", "operator()"),
            ("std::_Bind<void (*(a::b))()>::call<a::b>", "call"),
        ] {
            assert_eq!(own_name(qualified), own);
        }
    }

    #[test]
    fn who_is_inside_keeps_others_out() {
        let lost = [(1, 3, Op::Read), (2, 3, Op::Read), (2, 4, Op::Write), (1, 4, Op::Write)];
        assert_eq!(possible(&lost, &holds(3..5, Lock::Added, false)), Some(false));
        // Around each of them alone nobody is kept out.
        assert_eq!(possible(&lost, &holds(3..4, Lock::Added, false)), Some(true));
        assert_eq!(possible(&lost, &Effect::Unknown), None);
        assert_eq!(possible(&lost, &holds(3..5, Lock::At(9), false)), None);
    }

    #[test]
    fn who_was_cut_short_is_still_inside() {
        let cut = [(1, 3, Op::Write), (2, 3, Op::Write), (2, 4, Op::Write)];
        assert_eq!(possible(&cut, &holds(3..5, Lock::Added, false)), Some(false));
        // It may have been through.
        let late = [(1, 3, Op::Write), (1, 4, Op::Write), (2, 3, Op::Write)];
        assert_eq!(possible(&late, &holds(3..5, Lock::Added, false)), Some(true));
        let ended = [(1, 3, Op::ThreadExit), (2, 3, Op::Write)];
        assert_eq!(possible(&ended, &holds(3..5, Lock::Added, false)), Some(true));
    }

    #[test]
    fn a_lock_that_is_given_back_later() {
        let early = [
            (1, 2, Op::Lock),
            (1, 3, Op::Unlock),
            (2, 2, Op::Lock),
            (2, 3, Op::Unlock),
            (1, 4, Op::Write),
        ];
        assert_eq!(possible(&early, &holds(3..5, Lock::At(3), false)), Some(false));
        let late = [early[0], early[1], early[4], early[2], early[3]];
        assert_eq!(possible(&late, &holds(3..5, Lock::At(3), false)), Some(true));
    }

    #[test]
    fn who_would_wait_for_itself_is_no_help() {
        let nested = [(1, 3, Op::Read), (1, 9, Op::Lock), (1, 10, Op::Unlock), (1, 4, Op::Write)];
        let mut trace = run(&nested);
        for line in [9, 10] {
            trace.places.get_mut(&line).expect("a line").function = "g".into();
        }
        trace.stacks.push(StackFrame { parent: StackId(0), call_pc: 3, frame: 1 });
        trace.events[1].stack = StackId(1);
        trace.events[2].stack = StackId(1);
        let effect = holds(3..5, Lock::Named("m".into()), false);
        assert_eq!(Foresight::of(&trace, "a.c").is_still_possible(&effect), Some(true));
    }

    #[test]
    fn another_lock_keeps_out_who_has_it() {
        let exchange = |own: &str, other: &str| Effect::Exchanges {
            function: "f".into(),
            own: own.into(),
            other: other.into(),
        };
        let mut trace = run(&[(1, 2, Op::Lock), (2, 12, Op::Lock), (1, 3, Op::Unlock)]);
        trace.names.push("n".into());
        (trace.events[1].address, trace.events[1].name) = (0x3000, 2);
        assert_eq!(
            Foresight::of(&trace, "a.c").is_still_possible(&exchange("m", "n")),
            Some(false)
        );
        assert_eq!(
            Foresight::of(&trace, "a.c").is_still_possible(&exchange("m", "unseen")),
            Some(true)
        );
        assert_eq!(Foresight::of(&trace, "a.c").is_still_possible(&exchange("unseen", "m")), None);
    }

    #[test]
    fn a_thread_that_has_ended_before() {
        let create = Op::ThreadCreate { child: ThreadId(1) };
        let joins = Effect::Joins { function: "f".into(), created: 20, before: 21..25 };
        let early = [(0, 20, create), (0, 22, Op::Read), (1, 5, Op::ThreadExit)];
        assert_eq!(possible(&early, &joins), Some(false));
        let late = [early[0], early[2], early[1]];
        assert_eq!(possible(&late, &joins), Some(true));
        assert_eq!(possible(&early[1..], &joins), None);
    }
}
