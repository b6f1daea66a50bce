//! A schedule as text, in the format of `failALT.txt`.

use crate::execution::{Action, Step};

/// One line of it.
pub fn step_text(step: &Step) -> String {
    match step.action {
        Action::Branch => step.name.clone(),
        _ => format!("O{}&{}@{}", step.name, step.place.file, step.place.line),
    }
}

pub fn schedule_text<'a>(steps: impl Iterator<Item = &'a Step>) -> String {
    steps.map(|step| step_text(step) + "\n").collect()
}
