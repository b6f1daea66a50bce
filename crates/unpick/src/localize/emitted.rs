//! `--emit-c`: the failing interleaving as a sequential C file.

use crate::common::{self, Problem};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use unpick_check::{Properties, Property};
use unpick_localize::{Emission, emit};
use unpick_model::Schedule;

/// The run is known already: whatever the budget, there is time to write it down.
const LEAST: Duration = Duration::from_secs(10);

/// Writes it. `Ok(Some(why))`: it cannot be written down.
pub fn write(
    file: &Path,
    bitcode: &[Vec<u8>],
    schedule: &Schedule,
    properties: &Properties,
    deadline: Instant,
) -> Result<Option<String>, Problem> {
    let text = common::in_a_large_thread(|| {
        let bitcode: Vec<&[u8]> = bitcode.iter().map(|unit| &unit[..]).collect();
        let program = match unpick_ir::read(&bitcode) {
            Ok(program) => Rc::new(program),
            Err(error) => return Ok(Err(error.to_string())),
        };
        let emission = Emission {
            program,
            schedule,
            overflow: properties.has(Property::Overflow),
            deadline: deadline.max(Instant::now() + LEAST),
            file: &file.display().to_string(),
        };
        Ok(emit(&emission).map_err(|error| error.to_string()))
    });
    match text? {
        Ok(text) => match std::fs::write(file, text) {
            Ok(()) => Ok(None),
            Err(error) => Err(Problem::Input(format!("{}: {error}", file.display()))),
        },
        Err(why) => Ok(Some(format!("no C file was written: {why}"))),
    }
}
