//! Figures 1 and 2 of the paper on minimal schedule projections, beside what the judge enumerates.

use std::path::Path as File;
use unpick_explain::execution::{Action, At, Execution, Path, Place, Step};
use unpick_explain::expression::{Binary, Expression};
use unpick_explain::{Algorithm, Limits, Objective, Outcome, Request, cortex, explain, judged};
use unpick_judge::{Figures, Schedule};

const MOST: u64 = 1_000_000;

fn rank(objective: Objective, figures: &Figures) -> [usize; 3] {
    match objective {
        Objective::Sum => [figures.df + figures.bs + figures.ctx, 0, 0],
        Objective::Lexicographic => [figures.df, figures.bs, figures.ctx],
    }
}

/// The judge's figures of what an algorithm finds.
fn solve(execution: &Execution, algorithm: Algorithm, objective: Objective) -> Option<Figures> {
    let request = Request { algorithm, objective, limits: Limits::default(), flips: 8 };
    match explain(execution, &request) {
        Outcome::Found(found) => {
            assert!(found.optimal || algorithm == Algorithm::Swap);
            Some(judged::figures(execution, &found).expect("the judge agrees"))
        }
        Outcome::Defect(why) => panic!("{why}"),
        _ => None,
    }
}

fn case(name: &str) -> Execution {
    let folder = File::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/explain").join(name);
    cortex::read(&folder).unwrap_or_else(|error| panic!("{error}"))
}

/// A thread that does all of a statement in one step.
fn thread(number: usize, actions: Vec<Action>) -> Path {
    let step = |(line, action): (usize, Action)| Step {
        name: format!("{number}:{line}"),
        place: Place { file: "figure1".into(), line: line as u32 },
        identity: line.to_string(),
        action,
    };
    Path {
        thread: number,
        steps: actions.into_iter().enumerate().map(step).collect(),
        conditions: Vec::new(),
        assertion: None,
        branches: Vec::new(),
    }
}

/// Figure 1 with atomic statements, failing as `T4 T5 T2 T3`: x, y and z are 0, 1 and 2.
fn figure_1() -> Execution {
    let read = Expression::Read;
    let add = |a, b| Expression::binary(Binary::Add, a, b);
    let sum = |other: usize| Action::Access {
        reads: vec![0, other],
        writes: vec![(0, add(read(0), read(1)))],
    };
    let increment = |location: usize| Action::Access {
        reads: vec![location],
        writes: vec![(location, add(read(0), Expression::Constant(1)))],
    };
    let mut main: Vec<Action> = (1..5).map(Action::Join).collect();
    main.push(Action::Access { reads: vec![0], writes: Vec::new() });
    let mut first = thread(0, main);
    first.assertion = Some(Expression::binary(Binary::Equal, read(0), Expression::Constant(0)));
    let mut paths = vec![first];
    for (number, action) in [sum(1), sum(2), increment(1), increment(2)].into_iter().enumerate() {
        paths.push(thread(number + 1, vec![action]));
    }
    let order = [3, 4, 1, 2].map(|thread| At { thread, step: 0 });
    Execution {
        threads: (1..=5).map(|thread| format!("T{thread}")).collect(),
        locations: ["x", "y", "z"].map(String::from).to_vec(),
        initial: vec![0, 1, -1],
        others: vec![Vec::new(); 5],
        paths,
        failing: order.into_iter().chain((0..5).map(|step| At { thread: 0, step })).collect(),
        ..Execution::default()
    }
}

#[test]
fn figure_1_needs_two_reorderings_where_statements_are_atomic() {
    let execution = figure_1();
    let case = judged::case(&execution);
    assert_eq!(unpick_judge::failing(&case), Ok(()));
    let best = unpick_judge::best(&case, 0, MOST).expect("it is small").expect("there is one");
    for objective in [Objective::Lexicographic, Objective::Sum] {
        let expected = match objective {
            Objective::Sum => best.sum.0,
            Objective::Lexicographic => best.lexicographic.0,
        };
        for algorithm in [Algorithm::Exact, Algorithm::Keys, Algorithm::MaxRes, Algorithm::WMax] {
            let found = solve(&execution, algorithm, objective).expect("there is one");
            assert_eq!(rank(objective, &found), rank(objective, &expected), "{algorithm:?}");
        }
        assert_eq!(solve(&execution, Algorithm::Swap, objective), None, "one pair is not enough");
    }
    assert_eq!(best.lexicographic.0.df, 2);
}

/// Where statements are not atomic, an update can be lost instead: one data flow.
#[test]
fn figure_1_changes_one_data_flow_where_they_are_not() {
    let found = solve(&case("figure1"), Algorithm::Exact, Objective::Lexicographic);
    assert_eq!(found.map(|figures| (figures.flips, figures.df)), Some((0, 1)));
}

/// All choices of traces that flip branches.
fn choices(case: &unpick_judge::Case) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for traces in &case.threads {
        let longer = |chosen: &Vec<usize>| {
            let chosen = chosen.clone();
            (0..traces.len()).map(move |trace| [chosen.clone(), vec![trace]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The same execution, with only these traces to choose from: what is flipped is then flipped whatever happens.
fn along(execution: &Execution, traces: &[usize]) -> Option<Figures> {
    use unpick_explain::exact;
    use unpick_explain::setting::Setting;
    use unpick_explain::wishes::{Wishes, failing_order};
    let failing = Setting::new(execution, execution.paths.iter().collect())?;
    let order = failing_order(execution, &failing);
    let path = |(thread, &trace): (usize, &usize)| match trace {
        0 => &execution.paths[thread],
        other => &execution.others[thread][other - 1],
    };
    let setting = Setting::new(execution, traces.iter().enumerate().map(path).collect())?;
    let wishes = Wishes::new(&failing, &order, &setting);
    let objective = Objective::Lexicographic;
    let answer = exact::solve(&setting, &wishes, objective, &Limits::default());
    assert!(answer.optimal);
    let order = answer.order?.iter().map(|&o| setting.operations[o].thread).collect();
    let schedule = Schedule { traces: traces.to_vec(), order };
    Some(unpick_judge::alternate(&judged::case(execution), &schedule).expect("the judge agrees"))
}

#[test]
fn figure_2_for_each_set_of_flips() {
    let execution = case("figure2");
    let case = judged::case(&execution);
    let mut compared = 0;
    for traces in choices(&case) {
        let Ok(best) = unpick_judge::best_along(&case, &traces, MOST) else { continue };
        compared += 1;
        let expected = best.map(|best| rank(Objective::Lexicographic, &best.lexicographic.0));
        let found = along(&execution, &traces).map(|f| rank(Objective::Lexicographic, &f));
        assert_eq!(found, expected, "{traces:?}");
    }
    assert!(compared >= 4, "{compared}");
}

/// Figures 4 and 5 flip T1:5 and T3:1. Their layout is lost: Figure 4 begins with T3, Figure 5 with all of T2, and T3
/// comes before or behind T1's first line.
#[test]
fn figure_2_is_no_worse_than_figures_4_and_5() {
    let execution = case("figure2");
    let case = judged::case(&execution);
    let wanted = |traces: &Vec<usize>| {
        let bits = |thread: usize| -> Vec<bool> {
            case.threads[thread][traces[thread]].branches.iter().map(|b| b.1).collect()
        };
        bits(0) == [true, false] && bits(1).is_empty() && bits(2) == [false]
    };
    let traces = choices(&case).into_iter().find(wanted).expect("it has both flips");
    let lengths: Vec<usize> =
        (0..3).map(|thread| case.threads[thread][traces[thread]].steps.len()).collect();
    let row = |thread: usize, count: usize| vec![thread; count];
    let orders = [
        [row(2, lengths[2]), row(1, lengths[1]), row(0, lengths[0])].concat(),
        [row(1, lengths[1]), row(2, lengths[2]), row(0, lengths[0])].concat(),
        [row(1, lengths[1]), row(0, 2), row(2, lengths[2]), row(0, lengths[0] - 2)].concat(),
    ];
    let found = along(&execution, &traces).expect("there is one");
    assert_eq!(found.flips, 2);
    for order in orders {
        let schedule = Schedule { traces: traces.clone(), order };
        let theirs = unpick_judge::alternate(&case, &schedule).expect("it passes");
        println!("{theirs:?}, found {found:?}");
        let objective = Objective::Lexicographic;
        assert!(rank(objective, &found) <= rank(objective, &theirs));
    }
}
