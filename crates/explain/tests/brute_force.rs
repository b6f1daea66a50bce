//! Random small executions: what the algorithms say is what enumerating all interleavings says.
//!
//! `UNPICK_GENERATED` says how many.

use unpick_explain::answer::Limits;
use unpick_explain::execution::{Action, At, Execution, Path, Place, Step};
use unpick_explain::explain::Scene;
use unpick_explain::expression::{Binary, Expression};
use unpick_explain::paper::{self, Engine};
use unpick_explain::setting::Setting;
use unpick_explain::wishes::{Cost, Objective, Wishes, failing_order};
use unpick_explain::{exact, run, swap};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

const LOCATIONS: usize = 2;

fn step(number: usize, action: Action) -> Step {
    let place = Place { file: "t".into(), line: number as u32 };
    Step { name: format!("s{number}"), identity: format!("{action:?} {number}"), place, action }
}

/// Steps of one thread, a few of every kind; `reads` counts its reads.
fn actions(random: &mut Random, length: usize, reads: &mut usize) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut locked = None;
    for _ in 0..length {
        let location = random.below(LOCATIONS);
        let value = match (random.below(3), *reads) {
            (0, _) | (_, 0) => Expression::Constant(random.below(3) as i128),
            (1, known) => Expression::binary(
                Binary::Add,
                Expression::Read(known - 1),
                Expression::Constant(1),
            ),
            (_, known) => Expression::binary(
                Binary::Add,
                Expression::Read(random.below(known)),
                Expression::Read(random.below(known)),
            ),
        };
        let action = match random.below(14) {
            0..4 => {
                *reads += 1;
                Action::Access { reads: vec![location], writes: Vec::new() }
            }
            4..8 => Action::Access { reads: Vec::new(), writes: vec![(location, value)] },
            8 => {
                *reads += 1;
                let value = Expression::binary(
                    Binary::Add,
                    Expression::Read(*reads - 1),
                    Expression::Constant(1),
                );
                Action::Access { reads: vec![location], writes: vec![(location, value)] }
            }
            9 => match locked.take() {
                Some(true) => Action::ReadUnlock(0),
                Some(false) => Action::Unlock(0),
                None => {
                    let shared = random.below(3) == 0;
                    locked = Some(shared);
                    if shared { Action::ReadLock(0) } else { Action::Lock(0) }
                }
            },
            10 => [Action::Signal(1), Action::Broadcast(1)][random.below(2)].clone(),
            11 => Action::Post(2),
            12 => match (locked, random.below(2)) {
                (None, 0) => Action::Take(2),
                (None, _) => {
                    Action::Woken { object: 1, released: [None, Some(1)][random.below(2)] }
                }
                _ => Action::Mark,
            },
            _ => Action::Branch,
        };
        actions.push(action);
    }
    match locked {
        Some(true) => actions.push(Action::ReadUnlock(0)),
        Some(false) => actions.push(Action::Unlock(0)),
        None => {}
    }
    actions
}

fn path(thread: usize, actions: Vec<Action>) -> Path {
    let steps = actions.into_iter().enumerate().map(|(i, action)| step(i, action)).collect();
    Path { thread, steps, conditions: Vec::new(), assertion: None, branches: Vec::new() }
}

/// A random order that synchronisation allows, if one is found.
fn some_order(random: &mut Random, setting: &Setting) -> Option<Vec<usize>> {
    (0..40).find_map(|_| {
        let mut next: Vec<usize> = setting.threads.iter().map(|range| range.start).collect();
        let mut order = Vec::new();
        while order.len() < setting.operations.len() {
            let thread = random.below(next.len());
            if next[thread] < setting.threads[thread].end {
                order.push(next[thread]);
                next[thread] += 1;
            }
        }
        run::structure(setting, &order).is_ok().then_some(order)
    })
}

/// Conditions that hold in an order, and an assertion that does not.
fn add_conditions(random: &mut Random, execution: &mut Execution, order: &[usize]) -> bool {
    let values = {
        let paths = execution.paths.iter().collect();
        let Some(setting) = Setting::new(execution, paths) else { return false };
        let values = run::values(&setting, order, &run::sources(&setting, order));
        let first: Vec<usize> =
            setting.threads.iter().map(|t| setting.operations[t.start].reads.start).collect();
        let ends = |thread: usize| first.get(thread + 1).copied().unwrap_or(values.len());
        (0..first.len()).map(|t| values[first[t]..ends(t)].to_vec()).collect::<Vec<_>>()
    };
    let mut asserted = false;
    for (thread, values) in values.iter().enumerate() {
        for (read, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let of = Expression::Read(read);
            let is = Expression::Constant(*value);
            match random.below(8) {
                0 => execution.paths[thread].conditions.push(Expression::binary(
                    Binary::Equal,
                    of,
                    is,
                )),
                1 => execution.paths[thread].conditions.push(Expression::binary(
                    Binary::AtMost,
                    of,
                    is,
                )),
                2..5 if !asserted => {
                    asserted = true;
                    execution.paths[thread].assertion =
                        Some(Expression::binary(Binary::Different, of, is));
                }
                5 if !asserted => {
                    asserted = true;
                    execution.paths[thread].assertion =
                        Some(Expression::binary(Binary::Less, is, of));
                }
                _ => {}
            }
        }
    }
    asserted
}

fn generate(random: &mut Random) -> Option<Execution> {
    let threads = 2 + random.below(2);
    let mut paths = Vec::new();
    for thread in 0..threads {
        let mut reads = 0;
        let most = if threads == 2 { 6 } else { 4 };
        let length = 1 + random.below(most);
        let mut actions = actions(random, length, &mut reads);
        if thread == 0 && random.below(2) == 0 {
            actions.insert(0, Action::Fork(1));
            if random.below(2) == 0 {
                actions.push(Action::Join(1));
                actions.push(Action::Access { reads: vec![0], writes: Vec::new() });
            }
        }
        paths.push(path(thread, actions));
    }
    let mut execution = Execution {
        threads: (0..threads).map(|thread| thread.to_string()).collect(),
        locations: (0..LOCATIONS).map(|location| format!("x{location}")).collect(),
        initial: (0..LOCATIONS).map(|_| random.below(2) as i128).collect(),
        objects: vec!["lock".into(), "condition".into(), "semaphore".into()],
        counts: vec![0, 0, random.below(2)],
        others: vec![Vec::new(); threads],
        paths,
        ..Execution::default()
    };
    let order = {
        let setting = Setting::new(&execution, execution.paths.iter().collect())?;
        let order = some_order(random, &setting)?;
        execution.failing = order
            .iter()
            .map(|&o| At { thread: setting.operations[o].thread, step: setting.operations[o].step })
            .collect();
        order
    };
    add_conditions(random, &mut execution, &order).then_some(execution)
}

/// Another path of a thread: steps left out, or new ones.
fn other_path(random: &mut Random, path: &Path) -> Path {
    let mut other = path.clone();
    for _ in 0..1 + random.below(2) {
        let place = random.below(other.steps.len() + 1);
        let removable = |step: &Step| {
            matches!(&step.action, Action::Branch | Action::Mark)
                || matches!(&step.action, Action::Access { reads, .. } if reads.is_empty())
        };
        if random.below(2) == 0 && place < other.steps.len() && removable(&other.steps[place]) {
            other.steps.remove(place);
        } else {
            let value = Expression::Constant(random.below(3) as i128);
            let action = Action::Access {
                reads: Vec::new(),
                writes: vec![(random.below(LOCATIONS), value)],
            };
            let woken =
                other.steps.get(place).is_some_and(|s| matches!(s.action, Action::Woken { .. }));
            if !woken {
                other.steps.insert(place, step(100 + place, action));
            }
        }
    }
    other
}

/// The cheapest of all interleavings that pass, by each objective.
fn enumerate(setting: &Setting, wishes: &Wishes) -> Option<[Cost; 2]> {
    fn go(
        setting: &Setting,
        next: &mut Vec<usize>,
        order: &mut Vec<usize>,
        found: &mut dyn FnMut(&[usize]),
    ) {
        if order.len() == setting.operations.len() {
            found(order);
        }
        for thread in 0..next.len() {
            if next[thread] < setting.threads[thread].end {
                order.push(next[thread]);
                next[thread] += 1;
                go(setting, next, order, found);
                next[thread] -= 1;
                order.pop();
            }
        }
    }
    let mut best: Option<[Cost; 2]> = None;
    let mut next: Vec<usize> = setting.threads.iter().map(|range| range.start).collect();
    go(setting, &mut next, &mut Vec::new(), &mut |order| {
        if run::passes(setting, order).is_err() {
            return;
        }
        let cost = wishes.cost(setting, order);
        let known = best.get_or_insert([cost, cost]);
        for (known, objective) in known.iter_mut().zip([Objective::Lexicographic, Objective::Sum]) {
            if objective.rank(cost) < objective.rank(*known) {
                *known = cost;
            }
        }
    });
    best
}

fn interleavings(setting: &Setting) -> f64 {
    let mut count = 1.0;
    let mut placed = 0;
    for range in &setting.threads {
        for place in 1..=range.len() {
            placed += 1;
            count *= placed as f64 / place as f64;
        }
    }
    count
}

#[test]
fn as_enumeration_has_it() {
    let wanted: usize =
        std::env::var("UNPICK_GENERATED").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut random = Random(0x9E3779B97F4A7C15);
    let (mut checked, mut possible, mut asked) = (0, 0, 0);
    while checked < wanted {
        let Some(execution) = generate(&mut random) else { continue };
        let Some(failing) = Setting::new(&execution, execution.paths.iter().collect()) else {
            continue;
        };
        let order = failing_order(&execution, &failing);
        let other = match random.below(2) {
            0 => None,
            _ => {
                let thread = random.below(execution.paths.len());
                Some(other_path(&mut random, &execution.paths[thread]))
            }
        };
        let paths = execution
            .paths
            .iter()
            .map(|path| other.as_ref().filter(|other| other.thread == path.thread).unwrap_or(path))
            .collect();
        let Some(setting) = Setting::new(&execution, paths) else { continue };
        if interleavings(&setting) > 20_000.0 {
            continue;
        }
        checked += 1;
        let wishes = Wishes::new(&failing, &order, &setting);
        let best = enumerate(&setting, &wishes);
        possible += usize::from(best.is_some());
        for (number, objective) in
            [Objective::Lexicographic, Objective::Sum].into_iter().enumerate()
        {
            let answer = exact::solve(&setting, &wishes, objective, &Limits::default());
            assert!(answer.optimal);
            let expected = best.map(|best| objective.rank(best[number]));
            let got = answer.cost.map(|cost| objective.rank(cost));
            assert_eq!(got, expected, "{objective:?}\n{execution:#?}\n{:#?}", setting.paths);
            assert_eq!(answer.impossible, best.is_none());
            if let Some(best) = best {
                let lower = answer.lower;
                assert_eq!(
                    [lower.df, lower.bs, lower.ctx],
                    objective.rank(best[number]),
                    "the bounds meet"
                );
            }
            let scene =
                Scene { failing: &failing, order: &order, setting: &setting, wishes: &wishes };
            // The published model is slow.
            if setting.operations.len() <= 8 && checked % 16 == 0 {
                asked += 1;
                for engine in [Engine::WMax, Engine::MaxRes] {
                    let answer = paper::solve(&scene, objective, engine, &Limits::default());
                    assert!(answer.optimal);
                    assert_eq!(
                        answer.cost.map(|cost| objective.rank(cost)),
                        expected,
                        "{engine:?}"
                    );
                }
            }
            if checked % 8 == 0 {
                let answer = paper::by_keys(&scene, objective, &Limits::default());
                assert!(answer.optimal);
                assert_eq!(answer.cost.map(|cost| objective.rank(cost)), expected, "by keys");
            }
            if let Some(cost) = swap::solve(&scene, &Limits::default()).cost {
                assert!(expected.is_some_and(|best| best <= objective.rank(cost)));
            }
        }
    }
    assert!(possible > checked / 4 && asked > 0, "{possible} of {checked}");
}

/// Figure 2 of the paper: for each set of flipped branches what is found is what enumeration finds.
#[test]
fn figure_2_for_each_set_of_flips() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/explain/figure2");
    let execution = unpick_explain::cortex::read(&folder).expect("it can be read");
    let failing = Setting::new(&execution, execution.paths.iter().collect()).expect("it can be");
    let order = failing_order(&execution, &failing);
    let mut compared = 0;
    for flips in 1..=unpick_explain::flips::most(&execution) {
        let (choices, all) = unpick_explain::flips::choices(&execution, flips, 1000);
        assert!(all);
        for choice in choices {
            let setting = Setting::new(&execution, choice.paths).expect("it can be");
            if interleavings(&setting) > 300_000.0 {
                continue;
            }
            compared += 1;
            let wishes = Wishes::new(&failing, &order, &setting);
            let best = enumerate(&setting, &wishes);
            for (number, objective) in
                [Objective::Lexicographic, Objective::Sum].into_iter().enumerate()
            {
                let answer = exact::solve(&setting, &wishes, objective, &Limits::default());
                assert_eq!(
                    answer.cost.map(|cost| objective.rank(cost)),
                    best.map(|best| objective.rank(best[number]))
                );
            }
        }
    }
    assert!(compared >= 2, "{compared}");
}
