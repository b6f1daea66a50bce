//! Regions that are not to be preempted: does a reduced search see what every interleaving shows?

use crate::many::{Checked, check_many};
use crate::program::{self, Program, Random, Text, Texts};
use crate::tool;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use unpick_engine::{Budget, Config, Executor, Exploration, Flow, Learned, Strategy};
use unpick_model::{Constraint, Failure, Outcome, Plan, Point, Policy, ThreadId};
use unpick_strategies::{Dpor, Frontier};

static STOP: AtomicBool = AtomicBool::new(false);

/// What is known to be shared after some runs, and the places that a thread comes by in one of them, in its order.
fn places(config: &Config, random: &mut Random) -> Result<(Learned, Vec<u64>), String> {
    let mut executor =
        Executor::start(config.clone(), Learned::default()).map_err(|e| e.to_string())?;
    let mut places = Vec::new();
    for seed in 0..20 {
        let plan = Plan { seed, events: true, ..Plan::new(Policy::Random) };
        let run = executor.execute(&plan).map_err(|e| e.to_string())?;
        executor.learn(&run.newly_shared);
        let thread = ThreadId(1 + (random.below(run.threads.max(2) as u64 - 1)) as u16);
        let its = run.events.iter().filter(|event| event.thread == thread);
        places = its.filter(|event| event.op.is_access()).map(|event| event.pc).collect();
    }
    Ok((executor.learned().clone(), places))
}

/// Without the numbers of stacks, which are each run's own.
fn told(failure: &Failure) -> String {
    match failure {
        Failure::Deadlock { waits } => {
            let each = waits.iter().map(|wait| (wait.thread, wait.what, wait.object, wait.pc));
            format!("deadlock {:x?}", each.collect::<Vec<_>>())
        }
        failure => format!("{failure:?}"),
    }
}

type Seen = (BTreeSet<Vec<i32>>, BTreeSet<String>);

fn seen(
    config: &Config,
    learned: &Learned,
    constraints: &[Constraint],
    strategy: &mut dyn Strategy,
    (folder, values): (&Path, usize),
) -> Result<(Seen, bool), String> {
    let file = folder.join("final");
    let _ = std::fs::remove_file(&file);
    let mut failures = BTreeSet::new();
    let exploration = Exploration {
        config: config.clone(),
        jobs: 1,
        budget: Budget { runs: None, time: None },
        stop: &STOP,
        adjust: &|plan: &mut Plan| plan.constraints = constraints.to_vec(),
        on_run: &mut |_, run, _, _| {
            if let Outcome::Failed { failure, .. } = &run.outcome {
                failures.insert(told(failure));
            }
            Flow::Continue
        },
        keep: &mut |_, _, _| {},
    };
    let (summary, _) = exploration.run(strategy, learned.clone(), Default::default());
    // Where every run fails, nobody has come to its end.
    let bytes = std::fs::read(&file).unwrap_or_default();
    let numbers: Vec<i32> =
        bytes.chunks(4).map(|b| i32::from_ne_bytes(b.try_into().expect("four bytes"))).collect();
    let states = numbers.chunks(values).map(<[i32]>::to_vec).collect();
    Ok(((states, failures), summary.complete))
}

fn check(
    program: &Program,
    (texts, _): &(Texts, Vec<Text>),
    index: u64,
) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let define = format!("-DFINAL=\"{}\"", folder.path().join("final").display());
    tool::build(folder.path(), &texts.c, &[&define])?;
    let config = Config::new(folder.path().join("prog"));
    let mut random = Random(index);
    let (learned, places) = places(&config, &mut random)?;
    let Some(last) = places.len().checked_sub(1).filter(|last| *last > 0) else {
        return Ok(Checked { failing: false, redundant: 0 });
    };
    let regions: Vec<(u64, u64)> = (0..1 + random.below(2))
        .map(|_| {
            let first = random.below(last as u64) as usize;
            let second = first + 1 + random.below((last - first) as u64) as usize;
            (places[first], places[second])
        })
        .collect();
    let place = |pc: u64| Point::place(pc, pc + 1);
    let constraints: Vec<Constraint> = regions
        .iter()
        .map(|&(first, last)| Constraint::Unbroken(place(first), place(last)))
        .collect();
    let values = program::VARIABLES.len() + 2 * (program.threads.len() + 1);
    let look = |strategy: &mut dyn Strategy| {
        seen(&config, &learned, &constraints, strategy, (folder.path(), values))
    };
    let (all, every) = look(&mut Frontier::dfs())?;
    let (reduced, complete) = look(&mut Dpor::unbroken(regions.into()))?;
    // What was not covered is not compared, but nothing may be seen that is not there.
    let extra = (&reduced.0 - &all.0, &reduced.1 - &all.1);
    let missing = (&all.0 - &reduced.0, &all.1 - &reduced.1);
    let none = (BTreeSet::new(), BTreeSet::new());
    match (extra == none || !every, missing == none || !complete) {
        (true, true) => Ok(Checked { failing: !all.1.is_empty(), redundant: (!complete) as u64 }),
        _ => Err(format!("only reduced: {extra:?}; only dfs: {missing:?}")),
    }
}

fn make(random: &mut Random, index: u64) -> Program {
    let program = Program::random(random);
    if index.is_multiple_of(2) { program } else { program.calm() }
}

#[test]
fn a_reduction_knows_what_is_not_preempted() {
    check_many(25, 2000, make, check);
}
