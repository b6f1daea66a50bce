//! Another checker's violation witness, followed to a failure of the built program.

use super::{Check, Looked, Runs, Scene, by_counterexample, made, properties, symbolic};
use crate::common::{self, Problem};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;
use unpick_check::foreign::{self, Guide};
use unpick_check::{Followed, Properties};
use unpick_model::Verdict;
use unpick_report::Document;

/// Looks for the failure that the witness tells of. Where it leads to none, the document says so.
pub fn look_along(command: &Check, witness: &Path, deadline: Instant) -> Result<Looked, Problem> {
    let wrong = |why: String| Problem::Input(format!("{}: {why}", witness.display()));
    let bytes = std::fs::read(witness).map_err(|error| wrong(error.to_string()))?;
    let guide = foreign::read(&bytes).map_err(|error| wrong(error.to_string()))?;
    let properties = match &command.property {
        Some(given) => properties(Some(given.as_str()))?,
        None => asked_by(&guide),
    };
    common::output_folder(&command.common)?;
    let made = made::make(command)?;
    let mut document = Document::new("check", Verdict::Undecided);
    let scene = Scene { command, made: &made, properties: &properties };
    let followed = common::in_a_large_thread(|| {
        let program = symbolic::read(&scene)?;
        let settings = symbolic::settings(&scene, deadline);
        let mut pause =
            || common::interrupted().load(Ordering::Relaxed).then(|| "interrupted".to_string());
        Ok::<_, Problem>(unpick_check::follow(&program, &settings, &guide, &mut pause))
    });
    match followed {
        Ok(Followed::Bug { found, elsewhere }) => {
            by_counterexample(&scene, &found, &mut document)?;
            if elsewhere {
                let why =
                    "no run was found that fails where the witness ends: this one fails elsewhere";
                document.warnings.push(why.into());
            }
        }
        Ok(Followed::Nowhere(why)) => {
            document.reason = Some(format!("the witness leads to no failure: {why}"));
        }
        Err(Problem::Undecided(why)) => document.reason = Some(why),
        Err(problem) => return Err(problem),
    }
    let (bitcode, native) = (made.bitcode, made.native);
    Ok(Looked { document, bitcode, properties, native, runs: Runs::default() })
}

/// What is looked for without a property from the user: as always, and overflows where the witness is about one.
fn asked_by(guide: &Guide) -> Properties {
    let usual = Properties::default();
    let more = format!("{},overflow", usual.text);
    match guide.specification.contains("overflow") {
        true => Properties::of_names(&more).unwrap_or(usual),
        false => usual,
    }
}
