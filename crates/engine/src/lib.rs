//! Runs a program under a plan and says what happened.
//!
//! * [`Executor`]: one program under control: its fork server (or a fresh process a run), the shared
//!   memory, the watchdog.
//! * [`Strategy`]: what to run next, given what was seen. The engine knows no concrete one.
//! * [`Free`]: one run that nobody controls, of which only the threads' ways are kept.
//! * [`explore`]: the loop that brings the two together, on several cores, within a budget.
//!
//! The log of a run is decoded in [`decode`]; nothing else outside the program reads it.

pub mod addresses;
mod decode;
mod executor;
mod explore;
mod free;
mod genuine;
mod learned;
mod panics;
mod shell;
mod shm;
mod strategy;
mod surroundings;
mod warden;
mod watch;

pub use executor::{Config, EngineError, Executor, Mode, main_base};
pub use explore::{Budget, Exploration, Flow, Summary};
pub use free::{Free, FreeRun};
pub use genuine::{Genuine, lacks_genuine};
pub use learned::Learned;
pub use shm::make_room;
pub use strategy::{Coverage, MOST_KEPT, Next, Strategy, Ticket, as_text};
