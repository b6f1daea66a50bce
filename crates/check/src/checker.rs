//! The whole search: bounds that grow until there is a bug, a proof, or no time left; and what follows.

use crate::engine::{Engine, Notes};
use crate::induction;
use crate::order::Order;
use crate::property::{Properties, Property};
use crate::search::{Counts, Limits, Outcome, Reduction, Search, Watch};
use crate::system::{Ending, System};
use crate::witness;
use std::rc::Rc;
use std::time::{Duration, Instant};
use unpick_ir::{Place, Program};
use unpick_model::Schedule;
use unpick_symex::{
    Checks, End, Failure, FailureKind, Machine, Operation, Options, Performed, State, Visibility,
};

/// How data races are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RaceMethod {
    /// By the happens-before order of each path.
    #[default]
    Clocks,
    /// Paper 002's flags.
    Flags,
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub properties: Properties,
    /// `None`: grows while there is time.
    pub unwind: Option<u32>,
    pub preemptions: Option<u32>,
    pub order: Order,
    pub reduction: Reduction,
    /// Ask the solver at each branch, and not only at the end of a path.
    pub incremental: bool,
    pub races: RaceMethod,
    /// Accesses to all globals and heap blocks are visible, not only to those that threads share.
    pub all_visible: bool,
    pub merge: bool,
    /// Try k-induction where one loop has no bound.
    pub induction: bool,
    pub deadline: Option<Instant>,
    /// Bytes that this process may have.
    pub memory: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            properties: Properties::default(),
            unwind: None,
            preemptions: None,
            order: Order::default(),
            reduction: Reduction::default(),
            incremental: true,
            races: RaceMethod::default(),
            all_visible: false,
            merge: true,
            induction: false,
            deadline: None,
            memory: None,
        }
    }
}

/// How far it has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    pub counts: Counts,
    pub unwind: u32,
    pub solver_time: Duration,
    pub solver_calls: u64,
    pub instructions: u64,
    /// Of the search alone.
    pub time: Duration,
}

/// An input that leads to the failure.
#[derive(Clone, Debug)]
pub struct Given {
    pub thread: usize,
    pub event: u64,
    pub what: String,
    pub spot: witness::Spot,
    /// As C would write it.
    pub value: String,
}

#[derive(Clone, Debug)]
pub struct Counterexample {
    pub kind: FailureKind,
    pub message: String,
    pub thread: usize,
    pub spot: witness::Spot,
    /// Functions and places, innermost first.
    pub stack: Vec<witness::Spot>,
    /// Of a race: the other access.
    pub other: Option<(usize, witness::Spot)>,
    pub schedule: Schedule,
    pub inputs: Vec<Given>,
    /// It depends on values of memory that was never written.
    pub unwritten: bool,
    /// What was taken for any value on the way.
    pub havoc: Option<String>,
    pub steps: Vec<witness::Step>,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Bug(Box<Counterexample>),
    Clean,
    Undecided(String),
}

#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    pub progress: Progress,
    pub notes: Notes,
    /// Every loop was fully unwound and every interleaving covered.
    pub complete: bool,
    /// The proof is by induction with so many rounds.
    pub induction: Option<u32>,
    /// Why an induction that was asked for did not succeed.
    pub no_induction: Option<String>,
}

/// Bounds of unwinding, one after the other.
const BOUNDS: [u32; 7] = [2, 8, 32, 128, 1024, 16_384, 1 << 30];

/// What cuts a path that no larger bound helps against, and how that is told.
const LIMITS: [(&str, &str); 2] =
    [(unpick_symex::OUT_OF_TIME, "time limit"), (unpick_symex::OUT_OF_MEMORY, "memory limit")];

/// Rounds of a path that is only tried.
const PROBED: u32 = 1024;

/// For one question to the solver.
const PATIENCE: Duration = Duration::from_secs(10);

/// `pause` is asked now and then: a reason to stop.
pub fn check(
    program: Rc<Program>,
    settings: &Settings,
    pause: &mut dyn FnMut(&Progress) -> Option<String>,
) -> Report {
    let program = Rc::new(without_bodies(&program));
    let machine = Machine::new(program.clone(), options(settings));
    let mut engine = Engine::new(machine, settings.properties.clone());
    let begun = Instant::now();
    let bounds: Vec<u32> = match settings.unwind {
        Some(bound) => vec![bound],
        None => {
            let least = rounds_of_one_path(&mut engine, settings, pause).unwrap_or(0);
            BOUNDS.into_iter().filter(|bound| *bound >= least).collect()
        }
    };
    let mut progress = Progress::default();
    let mut so_far = Counts::default();
    let mut no_induction = None;
    let mut patience = engine.machine.options.patience;
    let mut i = 0;
    while let Some(&bound) = bounds.get(i) {
        engine.machine.options.unwind = Some(bound);
        engine.machine.options.recursion = Some(bound.max(64));
        progress.unwind = bound;
        let mut watcher =
            Watcher { settings, so_far, progress, pause: &mut *pause, ticks: 0, witnessed: None };
        let limits = Limits { preemptions: settings.preemptions };
        let mut search = Search::new(&mut engine, settings.order, settings.reduction, limits);
        let outcome = search.run(&mut watcher);
        let steps: Vec<Performed> =
            search.done().filter_map(|doing| doing.performed.clone()).collect();
        progress = watcher.progress;
        progress.counts = sum(&so_far, &search.counts);
        let pair = watcher.witnessed.take();
        so_far = progress.counts;
        update(&mut progress, &engine);
        progress.time = begun.elapsed();
        let notes = engine.notes.clone();
        let mut induction = None;
        let verdict = match outcome {
            Outcome::Failed(state) => {
                Verdict::Bug(Box::new(counterexample(&mut engine, &state, &steps, pair)))
            }
            Outcome::Stopped(reason) => Verdict::Undecided(reason),
            Outcome::Exhausted { bounded } => match doubt(&notes, bounded) {
                None => Verdict::Clean,
                Some(doubt) => {
                    if settings.induction && only_bounds(&notes, bounded) {
                        match induct(&program, settings, &notes, bound, pause) {
                            Ok(rounds) => induction = Some(rounds),
                            Err(why) => no_induction = Some(why),
                        }
                    }
                    match induction {
                        Some(_) => Verdict::Clean,
                        None if may_deepen(&notes, i, &bounds) => {
                            i += 1;
                            continue;
                        }
                        None => match more_patience(settings, &notes, patience) {
                            Some(more) => {
                                patience = more;
                                engine.machine.decider.set_patience(more);
                                continue;
                            }
                            None => Verdict::Undecided(doubt),
                        },
                    }
                }
            },
        };
        let complete = matches!(verdict, Verdict::Clean);
        return Report { verdict, progress, notes, complete, induction, no_induction };
    }
    let verdict = Verdict::Undecided("no bound is left to try".into());
    let (notes, induction) = (engine.notes.clone(), None);
    Report { verdict, progress, notes, complete: false, induction, no_induction }
}

/// How often the first path that is tried goes round a loop: with a smaller bound it would be cut, and so perhaps all.
/// `None`: it does not end soon.
fn rounds_of_one_path(
    engine: &mut Engine,
    settings: &Settings,
    pause: &mut dyn FnMut(&Progress) -> Option<String>,
) -> Option<u32> {
    engine.machine.options.unwind = Some(PROBED);
    engine.machine.options.recursion = Some(PROBED);
    let mut search = Search::new(engine, settings.order, settings.reduction, Limits::default());
    let outcome = search.run(&mut OnePath { pause });
    let ended = search.counts.interleavings > 0 || matches!(outcome, Outcome::Failed(_));
    ended.then_some(engine.machine.most_rounds)
}

/// Stops a search when its first path has come to an end.
struct OnePath<'a> {
    pause: &'a mut dyn FnMut(&Progress) -> Option<String>,
}

impl Watch<Engine> for OnePath<'_> {
    fn pause(&mut self, counts: &Counts) -> Option<String> {
        let over = counts.interleavings + counts.cut + counts.discarded > 0;
        let long = counts.steps > 100_000;
        (over || long).then(String::new).or_else(|| (self.pause)(&Progress::default()))
    }
}

/// Programs of the competitions define `reach_error` themselves, as they like: what counts is that it is called.
pub(crate) fn without_bodies(program: &Program) -> Program {
    let mut program = program.clone();
    let errors = program.functions.iter_mut();
    for function in errors.filter(|one| ["reach_error", "__VERIFIER_error"].contains(&&*one.name)) {
        function.blocks.clear();
    }
    program
}

/// Nothing but loops stands in the way of a proof.
fn only_bounds(notes: &Notes, bounded: bool) -> bool {
    let without = Notes { bounds: Default::default(), ..notes.clone() };
    doubt(&without, bounded).is_none() && !notes.bounds.is_empty()
}

/// The induction's step for the one loop that was cut; the base is the search that cut it. Gives the rounds that it took.
fn induct(
    program: &Program,
    settings: &Settings,
    notes: &Notes,
    bound: u32,
    pause: &mut dyn FnMut(&Progress) -> Option<String>,
) -> Result<u32, String> {
    let threads = ["pthread_create", "thrd_create", "signal", "sigaction"];
    if threads.iter().any(|name| program.find(name).is_some()) {
        return Err("the program has threads or handlers of signals".into());
    }
    let mut loops = notes.loops.iter();
    let (Some(&(function, head)), None) = (loops.next(), loops.next()) else {
        return Err("more than one loop has no bound".into());
    };
    if program.find("main") != Some(function) {
        return Err("the loop is not in `main`".into());
    }
    let mut why = String::new();
    for rounds in [1, 2, 4, 8].into_iter().filter(|rounds| *rounds <= bound) {
        let step = induction::step(program, head, rounds)?;
        let mut options = options(settings);
        options.unwind = Some(bound);
        let machine = Machine::new(Rc::new(step.program), options);
        let mut engine = Engine::new(machine, settings.properties.clone());
        engine.excluded = Some((step.main, step.excluded));
        let progress = Progress { unwind: bound, ..Progress::default() };
        let so_far = Counts::default();
        let mut watcher =
            Watcher { settings, so_far, progress, pause: &mut *pause, ticks: 0, witnessed: None };
        let mut search =
            Search::new(&mut engine, settings.order, settings.reduction, Limits::default());
        why = match search.run(&mut watcher) {
            Outcome::Exhausted { .. } => match doubt(&engine.notes, false) {
                None => return Ok(rounds),
                Some(doubt) => doubt,
            },
            Outcome::Failed(_) => format!("{rounds} rounds do not imply the next one"),
            Outcome::Stopped(reason) => return Err(reason),
        };
    }
    Err(why)
}

/// A larger bound helps only against what bounds cut.
fn may_deepen(notes: &Notes, i: usize, bounds: &[u32]) -> bool {
    !notes.bounds.is_empty()
        && !LIMITS.iter().any(|(cut, _)| notes.bounds.contains_key(*cut))
        && i + 1 < bounds.len()
        && notes.unsupported.is_empty()
        && notes.undefined.is_empty()
}

/// Where nothing but the solver stands in the way, and there is time: how long it may think in the next attempt.
fn more_patience(settings: &Settings, notes: &Notes, last: Duration) -> Option<Duration> {
    let without = Notes { unknown: Default::default(), ..notes.clone() };
    let left = settings.deadline?.saturating_duration_since(Instant::now());
    let more = left / 2;
    (doubt(&without, false).is_none() && more > last * 2).then_some(more)
}

pub(crate) fn options(settings: &Settings) -> Options {
    let has = |property| settings.properties.has(property);
    // One question must not take all of the time.
    let left = settings.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let patience = left.map_or(PATIENCE, |left| PATIENCE.min(left / 4));
    Options {
        deadline: settings.deadline,
        memory: settings.memory,
        patience,
        eager: settings.incremental,
        merge: settings.merge,
        races: has(Property::Race) && settings.races == RaceMethod::Clocks,
        visibility: if settings.all_visible { Visibility::All } else { Visibility::Shared },
        checks: Checks {
            memory: true,
            arithmetic: true,
            overflow: has(Property::Overflow),
            uninitialised: has(Property::Uninitialised),
            leak: has(Property::Leak),
        },
        ..Options::default()
    }
}

/// Why what was explored without a failure is no proof.
fn doubt(notes: &Notes, bounded: bool) -> Option<String> {
    let first = |map: &std::collections::BTreeMap<String, u64>| map.keys().next().cloned();
    if let Some(what) = first(&notes.unsupported) {
        return Some(format!("not supported: {what}"));
    }
    if let Some(what) = first(&notes.undefined) {
        return Some(format!("undefined behaviour: {what}"));
    }
    if let Some(why) = first(&notes.unknown) {
        return Some(format!("the solver gave up: {why}"));
    }
    if let Some(what) = first(&notes.havoc) {
        return Some(format!("not known, taken for any value: {what}"));
    }
    for limit in LIMITS {
        if notes.bounds.contains_key(limit.0) {
            return Some(limit.1.into());
        }
    }
    if let Some(what) = first(&notes.bounds) {
        return Some(format!("the bound was reached: {what}"));
    }
    bounded.then(|| "only so many preemptions were allowed (--context-bound)".into())
}

fn sum(one: &Counts, two: &Counts) -> Counts {
    Counts {
        interleavings: one.interleavings + two.interleavings,
        discarded: one.discarded + two.discarded,
        redundant: one.redundant + two.redundant,
        cut: one.cut + two.cut,
        steps: one.steps + two.steps,
        depth: two.depth,
        longest: one.longest.max(two.longest),
        restarts: one.restarts + two.restarts,
        found_after: one.interleavings + two.found_after,
    }
}

fn update(progress: &mut Progress, engine: &Engine) {
    progress.solver_time = engine.machine.solver_time();
    progress.solver_calls = engine.machine.solver_calls();
    progress.instructions = engine.machine.instructions;
}

struct Watcher<'a> {
    settings: &'a Settings,
    so_far: Counts,
    progress: Progress,
    pause: &'a mut dyn FnMut(&Progress) -> Option<String>,
    ticks: u64,
    /// The race that was found.
    witnessed: Option<(Performed, Performed)>,
}

/// Would the two race, if both happened now?
fn compete(one: &Performed, two: &Performed) -> bool {
    let both_atomic = one.op.is_atomic_access() && two.op.is_atomic_access();
    (one.op.is_write() || two.op.is_write())
        && !both_atomic
        && one.address < two.address.saturating_add(two.size)
        && two.address < one.address.saturating_add(one.size)
}

/// Is it known which bytes it touches?
fn is_exact(performed: &Performed) -> bool {
    let exact = |touch: &unpick_dependence::Touch| touch.size as u64 <= performed.size;
    performed.footprint.touches.iter().all(exact)
}

impl Watcher<'_> {
    fn wants_flags(&self) -> bool {
        self.settings.races == RaceMethod::Flags && self.settings.properties.has(Property::Race)
    }

    /// The state as one that failed, if the two can touch the same byte.
    fn convict(
        &mut self,
        engine: &mut Engine,
        mut state: State,
        one: &Performed,
        two: &Performed,
    ) -> Option<State> {
        if !is_exact(one) || !is_exact(two) {
            engine.unknown("two accesses at symbolic addresses may race".into());
            return None;
        }
        let spots = (engine.spot(&one.place), engine.spot(&two.place));
        let verb = |performed: &Performed| if performed.op.is_write() { "write" } else { "read" };
        let what = engine.machine.describe_address(&state, two.address);
        state.end = Some(End::Failed(Failure {
            kind: FailureKind::Race,
            message: format!(
                "{what}: {} at {} and {} at {}",
                verb(one),
                spots.0,
                verb(two),
                spots.1
            ),
            place: two.place,
            thread: two.thread,
            stack: Vec::new(),
        }));
        if engine.convict(&state) != Ending::Failed {
            return None;
        }
        self.witnessed = Some((one.clone(), two.clone()));
        Some(state)
    }
}

impl Watch<Engine> for Watcher<'_> {
    fn pause(&mut self, counts: &Counts) -> Option<String> {
        self.ticks += 1;
        // Not at every step: looking at the clock is not free.
        if !self.ticks.is_multiple_of(16) {
            return None;
        }
        self.progress.counts = sum(&self.so_far, counts);
        (self.pause)(&self.progress)
    }

    fn node(&mut self, engine: &mut Engine, state: &State) -> Option<State> {
        if !self.wants_flags() {
            return None;
        }
        let about: Vec<Vec<Performed>> =
            (0..state.threads.len()).map(|thread| about_to(engine, state, thread)).collect();
        for (i, mine) in about.iter().enumerate() {
            for theirs in &about[i + 1..] {
                for one in mine {
                    let racing = theirs.iter().find(|two| compete(one, two));
                    if let Some(two) = racing
                        && let Some(found) = self.convict(engine, state.clone(), one, two)
                    {
                        return Some(found);
                    }
                }
            }
        }
        None
    }
}

/// The accesses that a thread would make now.
fn about_to(engine: &Engine, state: &State, thread: usize) -> Vec<Performed> {
    let Some(pending) = state.thread(thread).pending.as_ref() else { return Vec::new() };
    if !engine.enabled(state, thread) {
        return Vec::new();
    }
    let Operation::Access { .. } = &pending.operation else { return Vec::new() };
    engine.machine.about_to(state, thread)
}

fn spot(engine: &Engine, place: &Place, function: &str) -> witness::Spot {
    let file = engine.machine.program.files.get(place.file as usize).cloned().unwrap_or_default();
    let (line, column) = (place.line, place.column);
    witness::Spot { file, line, column, function: function.to_string() }
}

pub(crate) fn counterexample(
    engine: &mut Engine,
    state: &State,
    steps: &[Performed],
    race: Option<(Performed, Performed)>,
) -> Counterexample {
    let model = engine.model.clone().unwrap_or_default();
    let schedule = engine.machine.schedule(state, &model);
    let unknown = Failure {
        kind: FailureKind::Assertion,
        message: String::new(),
        place: Place::default(),
        thread: 0,
        stack: Vec::new(),
    };
    let failure = match &state.end {
        Some(End::Failed(failure)) => failure.clone(),
        _ => unknown,
    };
    let inputs: Vec<Given> = state
        .inputs
        .iter()
        .map(|input| Given {
            thread: input.thread,
            event: input.event,
            what: input.what.clone(),
            spot: spot(engine, &input.place, ""),
            value: value_of(engine, &model, input),
        })
        .collect();
    let stack: Vec<witness::Spot> =
        failure.stack.iter().map(|(function, place)| spot(engine, place, function)).collect();
    let function = failure.stack.first().map_or("", |(function, _)| function);
    Counterexample {
        kind: failure.kind,
        thread: failure.thread,
        spot: spot(engine, &failure.place, function),
        stack,
        other: race.map(|(first, _)| (first.thread, spot(engine, &first.place, ""))),
        message: failure.message,
        schedule,
        steps: walk(engine, steps, &inputs),
        unwritten: !state.unwritten.is_empty(),
        havoc: state.havoc.first().map(|(what, place)| format!("{what} at {}", engine.spot(place))),
        inputs,
    }
}

/// The visible steps, with the inputs where they came in.
fn walk(engine: &Engine, steps: &[Performed], inputs: &[Given]) -> Vec<witness::Step> {
    let mut all = Vec::new();
    let mut given: Vec<bool> = vec![false; inputs.len()];
    let mut give = |thread: usize, until: u64, all: &mut Vec<witness::Step>| {
        for (input, done) in inputs.iter().zip(&mut given) {
            if !*done && input.thread == thread && input.event < until {
                *done = true;
                let (function, value) = (input.what.clone(), input.value.clone());
                let what = witness::What::Input { function, value };
                all.push(witness::Step { thread, spot: input.spot.clone(), what });
            }
        }
    };
    for performed in steps {
        give(performed.thread, performed.event, &mut all);
        if performed.place.line == 0 {
            continue;
        }
        let what = match performed.op {
            unpick_model::Op::ThreadCreate { child } => {
                witness::What::Creates { thread: child.index() }
            }
            _ => witness::What::Visible,
        };
        let spot = spot(engine, &performed.place, "");
        all.push(witness::Step { thread: performed.thread, spot, what });
    }
    let threads: Vec<usize> = inputs.iter().map(|input| input.thread).collect();
    threads.into_iter().for_each(|thread| give(thread, u64::MAX, &mut all));
    all
}

/// As C would write it: integers signed unless their name says otherwise.
fn value_of(engine: &Engine, model: &unpick_smt::Model, input: &unpick_symex::Input) -> String {
    let Some(value) = engine.machine.value_of(model, input.term) else { return "0".into() };
    let (width, bits) = value;
    let unsigned = ["_u", "bool", "size", "pointer"].iter().any(|part| input.what.contains(part));
    let float = |name: &str| input.what.ends_with(name);
    match width {
        32 if float("_float") => format!("{:?}", f32::from_bits(bits as u32)),
        64 if float("_double") => format!("{:?}", f64::from_bits(bits as u64)),
        _ if unsigned => bits.to_string(),
        _ if width < 128 && bits >> (width - 1) & 1 == 1 => {
            (bits as i128 - (1i128 << width)).to_string()
        }
        _ => bits.to_string(),
    }
}
