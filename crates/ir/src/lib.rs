//! Bitcode into a small intermediate representation of our own; the one place that links LLVM.
//!
//! [`read`] links the units of a program and translates them; [`Program`] is the language. Nothing of LLVM is left
//! afterwards. What has no meaning in the language becomes `Unsupported` where it stands, with LLVM's words for it:
//! a program that never gets there is none the worse.
//!
//! Bitcode that LLVM's reader, linker or verifier refuses is a [`ReadError`], and so is what they do not survive: it is
//! tried out in a child process (see [`mod@trial`]). For what was compiled just now [`read_trusted`] saves that.

mod body;
mod constants;
pub mod flow;
mod llvm;
mod places;
mod print;
pub mod program;
mod read;
mod trial;
mod types;
mod verify;

pub use program::*;
pub use read::{ReadError, read, read_trusted};
pub use verify::{Fault, verify};
