//! A case in CORTEX's text.

use super::{Asked, Origin, Solved, tell_of};
use crate::common::Problem;
use std::path::Path;
use unpick_explain::passing::{self, Search};
use unpick_explain::{Execution, Explanation, Outcome, Request, cortex};

/// Explains the failing schedule of a folder; where it holds only one that passes, one that fails is found first.
pub fn explain(mut asked: Asked, folder: &Path, request: &Request) -> Result<u8, Problem> {
    let mut execution = cortex::read(folder).map_err(|error| Problem::Input(error.to_string()))?;
    let passes = cortex::passes(folder);
    let checked = match passes {
        true => passing::check_passing(&execution),
        false => unpick_explain::check(&execution),
    };
    checked.map_err(|error| {
        let (file, line) = cortex::place_of(folder, &execution, &error);
        Problem::Input(format!("{}:{line}: {error}", file.display()))
    })?;
    if passes {
        let origin;
        (execution, origin) = failing(&execution, request)?;
        asked.origin = Some(origin);
    }
    let solving = super::processor();
    let outcome = match &asked.command.measure {
        Some(file) => Outcome::Found(Box::new(measured(file, &execution)?)),
        None => unpick_explain::explain(&execution, request),
    };
    let solved = Solved { outcome, seconds: super::processor() - solving };
    tell_of(&asked, &execution, solved, |_| None)
}

fn failing(passing: &Execution, request: &Request) -> Result<(Execution, Origin), Problem> {
    let found = match passing::find(passing, request) {
        Search::Found(found) => *found,
        Search::Never => {
            let why = "the schedule passes, and no order along the known paths fails";
            return Err(Problem::Undecided(why.into()));
        }
        Search::Undecided(why) => {
            let why = format!("the schedule passes, and none that fails was found: {why}");
            return Err(Problem::Undecided(why));
        }
        Search::Defect(why) => {
            return Err(Problem::Internal(format!("the judge does not agree: {why}")));
        }
    };
    let words = match &found.flips[..] {
        [] => "The failing run was found by solving: the same paths in another order.".to_string(),
        flips => {
            let places: Vec<String> = flips
                .iter()
                .map(|flip| format!("thread {} at {}", flip.thread, flip.place))
                .collect();
            let places = places.join(", ");
            format!("The failing run was found by solving, with branches the other way: {places}.")
        }
    };
    let execution = found.execution;
    let steps = execution.failing.iter().map(|at| &execution.paths[at.thread].steps[at.step]);
    let schedule = cortex::schedule_text(steps);
    Ok((execution, Origin { words, trace: None, schedule, solved: true }))
}

/// An alternate that somebody else has found.
fn measured<'a>(file: &Path, execution: &'a Execution) -> Result<Explanation<'a>, Problem> {
    let (paths, order) = cortex::read_alternate(file, execution)
        .map_err(|error| Problem::Input(error.to_string()))?;
    let explanation = unpick_explain::measure(execution, paths, &order).map_err(|error| {
        let line = cortex::line_in(file, error.at);
        Problem::Input(format!("{}:{line}: {error}", file.display()))
    })?;
    unpick_explain::judged::agrees(execution, &explanation)
        .map_err(|why| Problem::Internal(format!("the judge does not agree: {why}")))?;
    Ok(explanation)
}
