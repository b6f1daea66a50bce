//! Cases in CORTEX's text: those of `tests/explain`, and the published ones where they are.

use std::path::{Path, PathBuf};
use unpick_explain::answer::Limits;
use unpick_explain::passing::{Search, check_passing, find};
use unpick_explain::{
    Algorithm, Cost, Objective, Outcome, Request, check, cortex, explain, judged, measure,
};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/explain").join(name)
}

/// The flips and the cost of the alternate that an algorithm finds, and whether it is proven.
fn solve(folder: &Path, algorithm: Algorithm, objective: Objective) -> Option<(usize, Cost, bool)> {
    let execution = cortex::read(folder).unwrap_or_else(|error| panic!("{error}"));
    check(&execution).unwrap_or_else(|error| panic!("{error}"));
    let request = Request { algorithm, objective, limits: Limits::default(), flips: 8 };
    match explain(&execution, &request) {
        Outcome::Found(found) => {
            // What is written is read again as the same schedule.
            let text = cortex::schedule_text(found.alternate.iter().map(|(_, step)| *step));
            let file = std::env::temp_dir().join(format!(
                "unpick-{}-{:?}",
                std::process::id(),
                std::thread::current().id()
            ));
            std::fs::write(&file, text).expect("a file can be written");
            let (paths, order) =
                cortex::read_alternate(&file, &execution).unwrap_or_else(|error| panic!("{error}"));
            let measured =
                measure(&execution, paths, &order).unwrap_or_else(|error| panic!("{error}"));
            let _ = std::fs::remove_file(file);
            assert_eq!(measured.cost, found.cost);
            assert_eq!(measured.flips, found.flips);
            assert_eq!(measured.projection.operations, found.projection.operations);
            Some((found.flips.len(), found.cost, found.optimal))
        }
        Outcome::Impossible | Outcome::Undecided(_) => None,
        Outcome::Defect(why) => panic!("{why}"),
    }
}

const fn cost(df: usize, bs: usize, ctx: usize) -> Cost {
    Cost { df, bs, ctx }
}

#[test]
fn figure_1_changes_one_data_flow() {
    let found = solve(&folder("figure1"), Algorithm::Exact, Objective::Lexicographic);
    assert_eq!(found, Some((0, cost(1, 1, 2), true)));
}

/// Both additions must come before both increments: one swap of a pair does not do that.
#[test]
fn figure_1_with_atomic_statements_needs_two_reorderings() {
    let folder = folder("figure1-atomic");
    let found = solve(&folder, Algorithm::Exact, Objective::Lexicographic);
    assert_eq!(found, Some((0, cost(2, 0, 3), true)));
    assert_eq!(solve(&folder, Algorithm::Swap, Objective::Lexicographic), None);
}

#[test]
fn a_monitor_with_a_wait() {
    let found = solve(&folder("monitor"), Algorithm::Exact, Objective::Lexicographic);
    assert_eq!(found, Some((0, cost(1, 0, 2), true)));
}

/// On the same paths it passes, too, with two flows changed.
#[test]
fn figure_2_on_the_same_paths() {
    let found = solve(&folder("figure2"), Algorithm::Exact, Objective::Lexicographic);
    assert_eq!(found, Some((0, cost(2, 2, 1), true)));
}

/// The published cases: flips, lexicographic cost, the smallest sum, and CORTEX's own alternate as the data's notes
/// have it where paths do not differ (broken segments of piper are fewer than there).
#[test]
fn published_cases() {
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/cortex");
    let all = std::env::var_os("UNPICK_CORTEX").map_or(usual, PathBuf::from);
    if !all.is_dir() {
        println!("{} is not there: the published cases are not tested", all.display());
        return;
    }
    let cases = [
        ("account", 0, cost(5, 0, 14), 19, Some(cost(12, 2, 75))),
        ("airline", 0, cost(1, 1, 2), 4, Some(cost(1, 2, 1))),
        ("critical", 1, cost(2, 0, 1), 3, None),
        ("exMCR", 1, cost(2, 0, 2), 4, None),
        ("piper", 0, cost(2, 1, 2), 5, Some(cost(2, 2, 32))),
    ];
    for (name, flips, best, sum, theirs) in cases {
        let folder = all.join(name);
        let found = solve(&folder, Algorithm::Exact, Objective::Lexicographic);
        assert_eq!(found, Some((flips, best, true)), "{name}");
        let (also, cost, proven) =
            solve(&folder, Algorithm::Exact, Objective::Sum).expect("there is one");
        assert_eq!((also, cost.sum(), proven), (flips, sum, true), "{name}");
        let confirmed = solve(&folder, Algorithm::Keys, Objective::Lexicographic);
        assert_eq!(confirmed, Some((flips, best, true)), "{name} by a second encoding");
        let execution = cortex::read(&folder).unwrap_or_else(|error| panic!("{error}"));
        let file = folder.join("failALT.txt");
        let (paths, order) =
            cortex::read_alternate(&file, &execution).unwrap_or_else(|error| panic!("{error}"));
        let measured =
            measure(&execution, paths, &order).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(measured.flips.len() >= flips);
        let judged = judged::figures(&execution, &measured).expect("the judge agrees");
        assert_eq!((judged.df, judged.bs, judged.ctx), {
            let Cost { df, bs, ctx } = measured.cost;
            (df, bs, ctx)
        });
        assert!((flips, best) <= (judged.flips, measured.cost), "{name}: nothing is better");
        if let Some(theirs) = theirs {
            assert_eq!(measured.cost, theirs, "{name}");
        }
    }
}

/// Branches that were flipped, and what explains the failure: how many more, at which cost, and whether that is proven.
type FromPassing = (usize, Option<(usize, Cost, bool)>);

/// The failing run that is found from one that passes: how many branches it flips, and how it is explained.
fn from_passing(name: &str) -> Option<FromPassing> {
    let passing = cortex::read(&folder(name)).unwrap_or_else(|error| panic!("{error}"));
    assert!(cortex::passes(&folder(name)));
    check_passing(&passing).unwrap_or_else(|error| panic!("{error}"));
    assert!(check(&passing).is_err(), "it does not fail");
    let (algorithm, objective) = (Algorithm::Exact, Objective::Lexicographic);
    let request = Request { algorithm, objective, limits: Limits::default(), flips: 8 };
    let found = match find(&passing, &request) {
        Search::Found(found) => *found,
        Search::Never => return None,
        Search::Undecided(why) | Search::Defect(why) => panic!("{why}"),
    };
    check(&found.execution).unwrap_or_else(|error| panic!("{error}"));
    let explained = match explain(&found.execution, &request) {
        Outcome::Found(found) => Some((found.flips.len(), found.cost, found.optimal)),
        Outcome::Impossible | Outcome::Undecided(_) => None,
        Outcome::Defect(why) => panic!("{why}"),
    };
    Some((found.flips.len(), explained))
}

#[test]
fn a_failing_run_is_found_from_one_that_passes() {
    let (flips, explained) = from_passing("passing").expect("some order fails");
    assert_eq!(flips, 0);
    assert!(explained.is_some_and(|(flips, _, optimal)| flips == 0 && optimal));
}

#[test]
fn a_failing_run_is_found_on_another_path() {
    let (flips, explained) = from_passing("passing-flip").expect("another path fails");
    assert_eq!(flips, 1);
    assert!(explained.is_some_and(|(_, _, optimal)| optimal));
}

#[test]
fn where_no_known_path_fails_nothing_is_found() {
    assert_eq!(from_passing("passing-never"), None);
}

/// A copy of a case, for spoiling.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("it is there").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).expect("a file can be copied")),
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("it is there").flatten() {
        match entry.path().is_dir() {
            true => files.extend(self::files(&entry.path())),
            false => files.push(entry.path()),
        }
    }
    files.sort();
    files
}

/// What can be read and fails is explained, and the judge agrees; or it is said why not.
fn explained(execution: &unpick_explain::Execution) {
    if check(execution).is_err() {
        return;
    }
    let limits = Limits {
        deadline: Some(std::time::Instant::now() + std::time::Duration::from_millis(500)),
        ..Limits::default()
    };
    let (algorithm, objective) = (Algorithm::Exact, Objective::Lexicographic);
    if let Outcome::Defect(why) =
        explain(execution, &Request { algorithm, objective, limits, flips: 3 })
    {
        panic!("{why}");
    }
}

/// Cut anywhere or changed anywhere: a reader complains, or finds something that is a case, but never falls over.
#[test]
fn spoilt_texts_are_survived() {
    let here = std::env::temp_dir().join(format!("unpick-spoilt-{}", std::process::id()));
    let mut state = 1u64;
    let mut complaints = 0;
    for name in ["figure1-atomic", "figure2", "monitor"] {
        let _ = std::fs::remove_dir_all(&here);
        copy(&folder(name), &here);
        for file in files(&here) {
            let bytes = std::fs::read(&file).expect("it is there");
            let mut spoilt: Vec<Vec<u8>> =
                (0..bytes.len()).map(|end| bytes[..end].to_vec()).collect();
            let ends = (0..bytes.len()).filter(|&end| bytes[end] == b'\n');
            spoilt.extend(ends.map(|end| bytes[..=end].to_vec()));
            for place in (0..bytes.len()).step_by(5) {
                let mut flipped = bytes.clone();
                flipped[place] ^= 1 << (place % 8);
                spoilt.push(flipped);
            }
            for place in (0..bytes.len()).step_by(3) {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let mut changed = bytes.clone();
                changed[place] = [(state >> 33) as u8, b'-', b'\n', b'9'][place % 4];
                spoilt.push(changed);
            }
            for text in spoilt {
                std::fs::write(&file, text).expect("a file can be written");
                match cortex::read(&here) {
                    Ok(execution) => explained(&execution),
                    Err(error) => {
                        complaints += 1;
                        assert!(error.to_string().contains(here.to_str().unwrap_or_default()));
                    }
                }
            }
            std::fs::write(&file, &bytes).expect("a file can be written");
        }
    }
    let _ = std::fs::remove_dir_all(&here);
    assert!(complaints > 300, "{complaints}");
}

/// A schedule that was cut between two lines is missed by its threads.
#[test]
fn a_schedule_without_its_end_is_named() {
    let here = std::env::temp_dir().join(format!("unpick-cut-{}", std::process::id()));
    copy(&folder("figure1"), &here);
    let file = here.join("fail.txt");
    let text = std::fs::read_to_string(&file).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    for length in 0..lines.len() {
        std::fs::write(&file, lines[..length].join("\n")).expect("a file can be written");
        let wrong = match cortex::read(&here) {
            Err(error) => error.to_string().contains("fail.txt:"),
            Ok(execution) => check(&execution).is_err(),
        };
        assert!(wrong, "{length} lines");
    }
    let _ = std::fs::remove_dir_all(&here);
}
