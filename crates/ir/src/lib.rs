//! Bitcode into a small intermediate representation of our own; the one place that links LLVM.
//!
//! [`read`] links the units of a program and translates them; [`Program`] is the language. Nothing of LLVM is left
//! afterwards. What has no meaning in the language becomes `Unsupported` where it stands, with LLVM's words for it:
//! a program that never gets there is none the worse.
//!
//! Hostile bitcode: what LLVM's reader, linker or verifier refuses is a [`ReadError`]. LLVM itself does not promise to survive
//! every input; whoever reads bitcode from strangers does it in a process of its own.

mod body;
mod constants;
pub mod flow;
mod llvm;
mod places;
mod print;
pub mod program;
mod read;
mod types;
mod verify;

pub use program::*;
pub use read::{ReadError, read};
pub use verify::{Fault, verify};
