//! Numbers that say how many may pass: of a semaphore at its beginning, of a barrier.
//!
//! Another one does not end the failing interleaving well, it makes it impossible: somebody waits where it went on. So the
//! interleaving is not asked; numbers nearby are tried in all of them.

use crate::diagnose::{Question, Suspect, help_everywhere};
use crate::spots::{Answer, Part, Spot};
use std::time::Instant;
use unpick_ir::{Action, Callee, Constant, Operand, Program};

/// Functions that take such a number, and where it stands among their arguments.
const COUNTING: [(&str, usize); 2] = [("sem_init", 2), ("pthread_barrier_init", 2)];
/// Numbers up to here are tried: few programs that are small enough to be checked have more threads.
const MOST: u128 = 6;

/// A number with which every interleaving passes, the nearest to what is written there.
pub fn ask(question: &Question, spot: Spot) -> Option<Suspect> {
    let own = own(&question.program, &spot)?;
    let mut values: Vec<u128> = (0..=MOST).filter(|value| *value != own).collect();
    values.sort_by_key(|value| value.abs_diff(own));
    let helps = |value: &u128| {
        Instant::now() < question.deadline
            && help_everywhere(question, &[(spot, Answer::Value(*value))]) == Some(true)
    };
    let value = values.into_iter().find(helps)?;
    Some(Suspect {
        spot,
        had: Some(own),
        value,
        everywhere: Some(true),
        avoids_it: false,
        in_assertion: false,
        visits: Vec::new(),
    })
}

/// Does the spot say how many may pass?
pub fn is_count(program: &Program, spot: &Spot) -> bool {
    own(program, spot).is_some()
}

/// The number, where the spot is one.
fn own(program: &Program, spot: &Spot) -> Option<u128> {
    let Part::Constant(operand) = spot.part else { return None };
    let block = &program.function(spot.function).blocks[spot.block.0 as usize];
    let Action::Call { callee: Callee::Function(callee), arguments, .. } =
        &block.instructions.get(spot.at)?.action
    else {
        return None;
    };
    let name = &*program.function(*callee).name;
    match arguments.get(operand)? {
        Operand::Constant(Constant::Bits { value, .. }) if COUNTING.contains(&(name, operand)) => {
            Some(*value)
        }
        _ => None,
    }
}
