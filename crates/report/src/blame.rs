//! Where the fault is: the places that the parts of a story name, those first that are likeliest to be the cause.
//!
//! Each part is a witness who names places in an order of its own; what several of them name comes first. None of this is
//! proven. How much a witness is believed was fitted to programs whose fault is known, roughly.

use crate::story::{Parts, array, file_name, races, text};
use serde_json::{Value, json};

/// How much the parts are believed, and how much less each further place of a part. Fitted to the programs whose fault is
/// known, roughly: what several parts name comes first.
const CHANGE: f64 = 1.3;
/// A lock helps against nearly everything; that two stores in another order do is no accident, nor that a lock is given back.
const ORDER: f64 = 4.0;
/// That threads do not run at the same time helps against nearly everything.
const WAITING: f64 = 0.7;
/// What should have kept threads apart comes before where they met.
const GUARD: f64 = 3.0;
const STUCK: f64 = 2.0;
/// Who goes on after a wait as if nothing could have happened since the signal.
const WOKEN: f64 = 2.5;
/// A function that is right under a lock is not to blame for who calls it without.
const CALLER: f64 = 4.0;
/// Where threads wait for each other's locks, it is these.
const CYCLE: f64 = 4.0;
/// A lock that is another one, or is given back too early: why nobody was kept out.
const OTHER_LOCK: f64 = 2.0;
const LOCK: f64 = 1.5;
/// Where others hold a lock, who holds none is to blame.
const UNLOCKED: f64 = 1.5;
/// Between what it did last and did first then, a thread should not have been interrupted.
const INTERRUPTED: f64 = 2.2;
/// Where it gave a lock back meanwhile.
const GIVEN_BACK: f64 = 0.35;
/// Who ends what others still use.
const LIFETIME: f64 = 2.0;
/// A number with which all is well, where nothing else helps.
const SETTLED: f64 = 2.0;
const INTERFERENCE: f64 = 0.75;
const RACE: f64 = 1.0;
const REGION: f64 = 0.7;
const DIFFERENCE: f64 = 0.35;
const CONDITION: f64 = 0.5;
const VALUE: f64 = 0.3;
/// Where no interleaving passes, it is no matter of interleavings.
const VALUE_ALONE: f64 = 2.7;
/// Of the run's steps each says little.
const STEP: f64 = 0.1;
const LESS: f64 = 0.8;
/// Where it fails is seldom what is wrong: it comes last, but is better than nothing.
const FAILING: f64 = 0.001;
/// An assertion that may be wrong itself has this rank at the worst.
const ASSERTION_BY: usize = 2;

/// What `explain` says where it has nothing to compare with.
pub const NOTHING_PASSES: &str = "no run of the program was found that passes";

/// A file's name and a line.
type At = (String, Option<u64>);

/// Was there no run that passes?
fn fails_always(parts: &Parts) -> bool {
    text(&parts.explanation["reason"]) == NOTHING_PASSES
}

fn is_lock(cause: &Value) -> bool {
    matches!(text(&cause["operation"]), "lock" | "unlock")
}

/// What the interference consists of. Of a thread that another gets in between of, both ends come first: the other one may well
/// be right.
fn causes(interference: &Value) -> Vec<&Value> {
    let mut causes: Vec<&Value> = array(&interference["causes"]).collect();
    let accesses: Vec<&Value> = causes.iter().copied().filter(|cause| !is_lock(cause)).collect();
    if let [first, _, .., last] = accesses[..]
        && first["thread"] == last["thread"]
    {
        causes.sort_by_key(|cause| is_lock(cause) || cause["thread"] != first["thread"]);
    }
    causes
}

/// Where a thread gives a lock back before it does what the others must not see done so late. That one who comes first gives
/// back its lock means nothing, nor does it of one who waits.
fn given_back<'a>(interference: &'a Value, stuck: &[Value]) -> Vec<&'a Value> {
    let all = || array(&interference["causes"]);
    let last = all().filter(|cause| !is_lock(cause)).last().map(|cause| &cause["thread"]);
    let waits = |cause: &Value| {
        stuck.iter().any(|site| {
            site["line"] == cause["line"] && file_name(&site["file"]) == file_name(&cause["file"])
        })
    };
    let counts = |cause: &&Value| Some(&cause["thread"]) == last && !waits(cause);
    all().filter(|cause| cause["operation"] == "unlock").filter(counts).collect()
}

/// The side of a race that holds no lock, where the other holds one.
fn unlocked(race: &Value) -> Option<&Value> {
    let held = |site: &&Value| site["held"].as_array().is_some_and(|held| !held.is_empty());
    array(&race["sites"]).find(held)?;
    array(&race["sites"]).find(|site| !held(site))
}

/// What one part says: places, the likeliest first, and how much it is believed.
struct Witness {
    why: &'static str,
    weight: f64,
    places: Vec<At>,
}

fn place(site: &Value) -> At {
    (file_name(&site["file"]).to_string(), site["line"].as_u64())
}

fn witnesses(parts: &Parts) -> Vec<Witness> {
    let Parts { explanation, localization, clues, .. } = parts;
    let interference = &explanation["interference"];
    let all = |sites: &[Value]| sites.iter().map(place).collect::<Vec<At>>();
    let blamed = |wanted: &dyn Fn(&Value) -> bool| {
        let sites = array(&localization["sites"]).filter(|site| wanted(site));
        sites.map(place).collect::<Vec<At>>()
    };
    let of_region = |region: &Value| {
        let at = |key: &str| (file_name(&region["file"]).to_string(), region[key].as_u64());
        [at("from_line"), at("to_line")]
    };
    let change = match text(&localization["fixes"][0]["kind"]) {
        "store-order" | "give-back" => ORDER,
        "one-after-another" => WAITING,
        _ => CHANGE,
    };
    let (value, step) = match fails_always(parts) {
        true => (VALUE_ALONE, 0.0),
        false => (VALUE, STEP),
    };
    let other_locks = array(&interference["causes"]).filter(|cause| cause["operation"] == "lock");
    let regions = array(&parts.invariants["atomic_regions"]).take(1);
    // Threads that meet in what is gone meet there because it is gone; and a lock that is not taken guards nothing.
    let explained = !clues.lifetimes.is_empty() || !clues.callers.is_empty();
    let guard = if explained { RACE } else { GUARD };
    let witness = |why, weight, places| Witness { why, weight, places };
    vec![
        witness("guard", guard, all(&clues.guards)),
        witness("wait", if clues.cycle { CYCLE } else { STUCK }, all(&clues.stuck)),
        witness("wait", WOKEN, all(&clues.woken)),
        witness("caller", CALLER, all(&clues.callers)),
        witness("lifetime", LIFETIME, all(&clues.lifetimes)),
        witness("interruption", INTERRUPTED, all(&clues.interrupted)),
        witness("interruption", GIVEN_BACK, all(&clues.given_back)),
        witness("change", change, blamed(&|site| site["why"] == "change")),
        witness(
            "interference",
            INTERFERENCE,
            causes(interference).into_iter().map(place).collect(),
        ),
        witness(
            "interference",
            LOCK,
            given_back(interference, &clues.stuck).into_iter().map(place).collect(),
        ),
        witness("interference", OTHER_LOCK, other_locks.map(place).collect()),
        witness("race", UNLOCKED, races(parts).filter_map(unlocked).map(place).collect()),
        witness(
            "race",
            RACE,
            races(parts).flat_map(|race| array(&race["sites"])).map(place).collect(),
        ),
        witness("region", REGION, regions.flat_map(of_region).collect()),
        witness("difference", DIFFERENCE, array(&explanation["causes"]).map(place).collect()),
        witness("value", SETTLED, settled(localization)),
        witness("value", CONDITION, blamed(&|site| text(&site["told"]).starts_with("condition"))),
        witness("value", value, blamed(&|site| site["why"] != "change")),
        witness("step", step, all(&clues.steps)),
        witness("failure", FAILING, all(&clues.failing)),
    ]
}

/// Another number that helps in every interleaving: of how many may pass, or any where no change of synchronisation does.
fn settled(localization: &Value) -> Vec<At> {
    let changed = array(&localization["fixes"]).next().is_some();
    let left = localization["untried_fixes"].as_u64() != Some(0)
        || localization["no_fixes_because"].is_string();
    let helps = |line: &&Value| {
        let all = line["everywhere"] == true
            && line["in_assertion"] == false
            && line["avoids_it"] == false;
        match text(&line["what"]) {
            "how many" => all,
            "constant" | "initial value" => all && !changed && !left,
            _ => false,
        }
    };
    array(&localization["lines"]).filter(helps).map(place).take(1).collect()
}

/// The places that the parts name, those first that are likeliest to be the cause.
pub fn sites(parts: &Parts) -> Value {
    let witnesses = witnesses(parts);
    let mut sites: Vec<(String, u64, &str, f64)> = Vec::new();
    for Witness { why, weight, places } in witnesses {
        let mut worth = weight;
        let mut seen = Vec::new();
        for (file, line) in places {
            let Some(line) =
                line.filter(|line| *line > 0 && !seen.contains(&(file.clone(), *line)))
            else {
                continue;
            };
            seen.push((file.clone(), line));
            match sites.iter_mut().find(|(its, at, _, _)| *its == file && *at == line) {
                Some((_, _, _, sum)) => *sum += worth,
                None => sites.push((file, line, why, worth)),
            }
            worth *= LESS;
        }
    }
    sites.sort_by(|(.., one), (.., other)| other.total_cmp(one));
    if let (file, Some(line)) = place(&parts.doubtful) {
        let is_it = |site: &(String, u64, &str, f64)| (&site.0, site.1) == (&file, line);
        if !sites.iter().take(ASSERTION_BY + 1).any(is_it) {
            sites.retain(|site| !is_it(site));
            sites.insert(ASSERTION_BY.min(sites.len()), (file, line, "assertion", 0.0));
        }
    }
    let told = |(file, line, why, _)| json!({ "file": file, "line": line, "why": why });
    sites.into_iter().map(told).collect()
}

/// Where threads get in each other's way: as the explanation has it, and in races.
pub fn met(parts: &Parts) -> Vec<&Value> {
    let explained = array(&parts.explanation["interference"]["causes"]);
    let raced = races(parts).flat_map(|race| array(&race["sites"]));
    explained.chain(raced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clues::Clues;

    #[test]
    fn what_several_parts_name_comes_first_and_each_place_once() {
        let parts = Parts {
            explanation: json!({ "causes": [{ "file": "a.c", "line": 3 }, { "file": "a.c", "line": 5 }] }),
            races: json!({ "findings": [{ "kind": "race", "sites": [{ "file": "/x/a.c", "line": 9 }, { "file": "/x/a.c", "line": 5 }] }] }),
            ..Parts::default()
        };
        let sites = sites(&parts);
        let lines: Vec<u64> = array(&sites).filter_map(|site| site["line"].as_u64()).collect();
        assert_eq!(lines, [5, 9, 3]);
    }

    #[test]
    fn where_it_fails_comes_last() {
        let site = |line: u64| json!({ "file": "a.c", "line": line });
        let of = |steps: &[u64]| {
            let steps = steps.iter().copied().map(site).collect();
            let clues = Clues { failing: vec![site(7)], steps, ..Clues::default() };
            lines_of(&Parts { clues, ..Parts::default() })
        };
        assert_eq!((of(&[]), of(&[1, 2])), (vec![7], vec![1, 2, 7]));
    }

    #[test]
    fn what_should_have_kept_threads_apart_comes_before_where_they_met() {
        let site = |line: u64| json!({ "file": "a.c", "line": line });
        let cause = |line: u64, operation: &str| json!({ "file": "a.c", "line": line, "operation": operation });
        let causes = [cause(3, "read"), cause(5, "write"), cause(4, "lock"), cause(6, "write")];
        let lines = |guards: Vec<Value>, fixes: Value| -> Vec<u64> {
            let parts = Parts {
                explanation: json!({ "interference": { "causes": causes } }),
                localization: fixes,
                clues: Clues { guards, ..Clues::default() },
                ..Parts::default()
            };
            array(&sites(&parts)).filter_map(|site| site["line"].as_u64()).collect()
        };
        assert_eq!(lines(Vec::new(), Value::Null), [4, 3, 5, 6]);
        assert_eq!(lines(vec![site(2)], Value::Null), [2, 4, 3, 5, 6]);
        let ordered = json!({
            "fixes": [{ "kind": "store-order" }],
            "sites": [{ "file": "a.c", "line": 1, "why": "change", "told": "" }],
        });
        assert_eq!(lines(vec![site(2)], ordered), [1, 2, 4, 3, 5, 6]);
    }

    fn lines_of(parts: &Parts) -> Vec<u64> {
        array(&sites(parts)).filter_map(|site| site["line"].as_u64()).collect()
    }

    #[test]
    fn who_holds_no_lock_where_another_does_is_to_blame() {
        let site = |line: u64, held: &[&str]| json!({ "file": "a.c", "line": line, "held": held });
        let race = |one: Value, two: Value| json!({ "kind": "race", "sites": [one, two] });
        let of = |races: Vec<Value>| {
            lines_of(&Parts { races: json!({ "findings": races }), ..Parts::default() })
        };
        assert_eq!(of(vec![race(site(3, &["m"]), site(5, &[]))]), [5, 3]);
        assert_eq!(of(vec![race(site(3, &[]), site(5, &[]))]), [3, 5]);
    }

    #[test]
    fn a_lock_given_back_by_who_comes_first_means_nothing() {
        let cause = |line: u64, thread: &str, operation: &str| json!({ "file": "a.c", "line": line, "thread": thread, "operation": operation });
        let of = |unlock: Value, stuck: Vec<Value>| {
            let causes = [cause(1, "1", "write"), cause(9, "2", "read"), unlock];
            lines_of(&Parts {
                explanation: json!({ "interference": { "causes": causes } }),
                clues: Clues { stuck, ..Clues::default() },
                ..Parts::default()
            })
        };
        assert_eq!(of(cause(2, "1", "unlock"), Vec::new()), [1, 9, 2]);
        assert_eq!(of(cause(8, "2", "unlock"), Vec::new()), [8, 1, 9]);
        // It waits there: that is how it has to be.
        let stuck = [7, 6, 5, 8].map(|line| json!({ "file": "a.c", "line": line }));
        assert_eq!(of(cause(8, "2", "unlock"), stuck.to_vec()), [7, 6, 8, 5, 1, 9]);
    }

    #[test]
    fn of_who_is_interrupted_both_ends_come_first() {
        let cause = |line: u64, thread: &str| json!({ "file": "a.c", "line": line, "thread": thread, "operation": "read" });
        let causes = [cause(1, "1"), cause(9, "2"), cause(3, "1")];
        let explanation = json!({ "interference": { "causes": causes } });
        assert_eq!(lines_of(&Parts { explanation, ..Parts::default() }), [1, 3, 9]);
    }

    #[test]
    fn where_nothing_passes_values_come_first() {
        let localization =
            json!({ "sites": [{ "file": "a.c", "line": 4, "why": "value", "told": "" }] });
        let stuck = vec![json!({ "file": "a.c", "line": 2 })];
        let of = |reason: &str| {
            let explanation = json!({ "reason": reason });
            let clues = Clues { stuck: stuck.clone(), ..Clues::default() };
            lines_of(&Parts {
                explanation,
                clues,
                localization: localization.clone(),
                ..Parts::default()
            })
        };
        assert_eq!((of(NOTHING_PASSES), of("")), (vec![4, 2], vec![2, 4]));
    }

    fn value(line: u64, what: &str, in_assertion: bool) -> Value {
        json!({ "file": "a.c", "line": line, "what": what, "everywhere": true, "in_assertion": in_assertion, "avoids_it": false })
    }

    /// Lines 1 and 2 get in each other's way.
    fn with_values(fixes: Value, untried: u64, lines: &[Value]) -> Vec<u64> {
        let cause = |line: u64| json!({ "file": "a.c", "line": line, "operation": "write" });
        let blamed = |line: &Value| json!({ "file": "a.c", "line": line["line"], "why": "value", "told": "" });
        let sites: Vec<Value> = lines.iter().map(blamed).collect();
        lines_of(&Parts {
            explanation: json!({ "interference": { "causes": [cause(1), cause(2)] } }),
            localization: json!({ "fixes": fixes, "untried_fixes": untried, "sites": sites, "lines": lines }),
            ..Parts::default()
        })
    }

    #[test]
    fn a_number_with_which_all_is_well_comes_first_where_nothing_else_helps() {
        let lines = [value(8, "condition", false), value(9, "constant", false)];
        assert_eq!(with_values(json!([]), 0, &lines)[0], 9);
        assert_eq!(with_values(json!([{ "kind": "hold-longer" }]), 0, &lines)[0], 1);
        assert_eq!(with_values(json!([]), 3, &lines)[0], 1);
        let untried = Parts {
            localization: json!({ "untried_fixes": 0, "no_fixes_because": "no sources", "lines": lines }),
            ..Parts::default()
        };
        assert!(settled(&untried.localization).is_empty());
        // How many may pass is what synchronisation is about.
        let lines = [value(9, "how many", false)];
        assert_eq!(with_values(json!([{ "kind": "hold-longer" }]), 0, &lines)[0], 9);
    }

    #[test]
    fn an_assertion_that_may_expect_too_much_is_the_third_at_the_latest() {
        let site = |line: u64| json!({ "file": "a.c", "line": line });
        let of = |doubtful: Value| {
            let clues = Clues { stuck: [1, 2, 3, 9].map(site).to_vec(), ..Clues::default() };
            lines_of(&Parts { clues, doubtful, ..Parts::default() })
        };
        assert_eq!(of(Value::Null), [1, 2, 3, 9]);
        assert_eq!(of(site(9)), [1, 2, 9, 3]);
        assert_eq!(of(site(2)), [1, 2, 3, 9]);
        assert_eq!(of(site(7)), [1, 2, 7, 3, 9]);
    }
}
