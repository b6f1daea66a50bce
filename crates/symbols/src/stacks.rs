//! Addresses on thread stacks: whose they are, and which function's variable.

use crate::Symbols;
use unpick_model::{StackFrame, StackId, ThreadId};

/// The runtime gives thread t the slot `SLOTS + t * SLOT`.
const SLOTS: u64 = 0x7e00_0000_0000;
const SLOT: u64 = 8 << 20;
const MAX_THREADS: u64 = 2048;
/// Without address randomisation, the kernel puts the main thread's stack here, above all libraries.
const MAIN: std::ops::Range<u64> = 0x7fff_f800_0000..0x7fff_ffff_f000;

/// Where a function finds the arguments that were passed on the stack.
const ARGUMENTS: i64 = 16;

pub(crate) fn owner(address: u64) -> Option<ThreadId> {
    if MAIN.contains(&address) {
        return Some(ThreadId::MAIN);
    }
    let slot = address.checked_sub(SLOTS)? / SLOT;
    (slot < MAX_THREADS).then_some(ThreadId(slot as u16))
}

/// `function::variable` for an address in one of the frames of a stack, which is at `pc` in its
/// innermost function; `function::[rbp-32]` for what has no name in the source.
pub(crate) fn name(
    symbols: &Symbols,
    stacks: &[StackFrame],
    pc: u64,
    stack: StackId,
    address: u64,
) -> Option<String> {
    let (mut pc, mut at) = (pc, stack);
    let mut callee: Option<(u64, u64)> = None;
    while at.0 != 0
        && let Some(frame) = stacks.get(at.0 as usize)
    {
        // Frames grow downwards from rbp: the first one above the address has it, or else it is an
        // argument, between the two.
        if frame.frame > address {
            return argument(symbols, callee, address)
                .or_else(|| variable(symbols, pc, frame.frame, address))
                .or_else(|| {
                    let function = symbols.function(pc.checked_sub(1)?)?;
                    Some(format!("{function}::[rbp-{}]", frame.frame - address))
                });
        }
        if frame.frame != 0 {
            callee = Some((pc, frame.frame));
        }
        if frame.parent >= at {
            break;
        }
        (pc, at) = (frame.call_pc, frame.parent);
    }
    argument(symbols, callee, address)
}

fn argument(symbols: &Symbols, callee: Option<(u64, u64)>, address: u64) -> Option<String> {
    let (pc, frame) = callee?;
    (address.wrapping_sub(frame) as i64 >= ARGUMENTS)
        .then(|| variable(symbols, pc, frame, address))?
}

fn variable(symbols: &Symbols, pc: u64, frame: u64, address: u64) -> Option<String> {
    let variable = symbols.stack_variable(pc, address.wrapping_sub(frame) as i64)?;
    Some(format!("{}::{variable}", symbols.function(pc.checked_sub(1)?)?))
}

#[cfg(test)]
mod tests {
    use super::owner;
    use unpick_model::ThreadId;

    #[test]
    fn stacks_have_owners() {
        assert_eq!(owner(0x7fff_ffff_e000), Some(ThreadId(0)));
        assert_eq!(owner(0x7e00_0000_0000 + (8 << 20)), Some(ThreadId(1)));
        assert_eq!(owner(0x7e00_0000_0000 + 3 * (8 << 20) - 1), Some(ThreadId(2)));
        assert_eq!(owner(0x7fff_f7ff_f000), None);
        assert_eq!(owner(0x5555_5555_8000), None);
        assert_eq!(owner(0), None);
    }
}
