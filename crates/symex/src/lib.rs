//! Symbolic execution: what a program's threads do, step by step, over values that may be unknown.
//!
//! A [`State`] is one moment of the whole program: memory, threads, locks, and the condition under which it is
//! reached. It costs little to copy. A [`Machine`] takes one thread of a state to its next operation that other
//! threads could notice, and gives the states that this can lead to. Who runs is the caller's choice; there is no
//! search here.
//!
//! | file | its idea |
//! |---|---|
//! | `state` | what a state consists of |
//! | `value` | what a register holds |
//! | `memory` | objects, their lifetimes and their bytes |
//! | `names` | an object has the same address in every interleaving |
//! | `machine` | start, step, and what forks |
//! | `execute` | one instruction |
//! | `access` | from an address to an object: what can go wrong, and where a symbolic address may lead |
//! | `merge` | joining states again where the sides of a branch rejoin |
//! | `scopes` | local variables live as long as their block |
//! | `limits` | time and memory, while a step goes on |
//! | `bounds` | what needs no solver |
//! | `visible` | which accesses others could notice |
//! | `models` | functions without a body |
//! | `sync` | locks and everything else that threads wait for |
//! | `clocks` | data races: accesses that nothing orders |
//! | `events` | what a native run counts |
//! | `exceptions` | of C++: thrown, and caught by whom |
//! | `questions` | a value that may be any but its own |
//! | `follow` | walking beside a run that has happened |
//! | `operation` | what a thread is about to do, and which two of these commute |

mod access;
mod arithmetic;
mod bounds;
mod call;
mod clocks;
mod end;
mod events;
mod exceptions;
mod execute;
mod faults;
mod floats;
mod flow;
mod follow;
mod layout;
mod leaks;
mod limits;
mod machine;
mod memory;
mod merge;
mod models;
mod names;
mod operation;
mod options;
mod questions;
mod scopes;
mod solve;
mod state;
mod sync;
mod told;
mod value;
mod visible;

pub use access::{How, Offset, Target};
pub use end::{End, Failure, FailureKind, Stop};
pub use follow::{Atom, Condition, Deeds, Follow, Why};
pub use limits::{OUT_OF_MEMORY, OUT_OF_TIME, resident};
pub use machine::Machine;
pub use memory::{Memory, Object, ObjectKind};
pub use merge::Merging;
pub use models::{Call, Effect, Model};
pub use names::{Name, ObjectId, Site};
pub use operation::{Footprint, Operation, Patience, Pending, Performed, Range, conflict};
pub use options::{Checks, Options, Visibility};
pub use questions::Asked;
pub use state::{Conjuncts, Exiting, Frame, Input, OnReturn, Segments, Stage, State, Thread};
pub use sync::{Stuck, Sync};
pub use value::Value;
