//! `unpick cargo …`: cargo, with what it builds instrumented.

use std::ffi::OsString;
use std::process::ExitCode;
use unpick_build::{BuildError, Toolchain};

pub fn run(args: &[OsString]) -> ExitCode {
    let result = std::env::current_exe()
        .map_err(|source| BuildError::Read { path: "/proc/self/exe".into(), source })
        .and_then(|tool| unpick_build::cargo(args, &tool, &Toolchain::discover()?));
    match result {
        Err(error) => crate::not_built(&error),
    }
}
