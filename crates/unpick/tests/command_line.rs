//! Hostile input and rough treatment of the command line, and the compiler wrapper end to end.
//!
//! Each test has a folder of its own, and after each call of the tool nothing may be left running there.
//! The tool is `target/release/unpick` (`make build`); `UNPICK_BIN` names another.

#[path = "command_line/baseline.rs"]
mod baseline;
#[path = "command_line/build_systems.rs"]
mod build_systems;
#[path = "command_line/ci.rs"]
mod ci;
#[path = "command_line/compile_commands.rs"]
mod compile_commands;
#[path = "command_line/continuing.rs"]
mod continuing;
#[path = "command_line/debris.rs"]
mod debris;
#[path = "command_line/doctor.rs"]
mod doctor;
#[path = "command_line/endless.rs"]
mod endless;
#[path = "command_line/explanations.rs"]
mod explanations;
#[path = "command_line/explored_projects.rs"]
mod explored_projects;
#[path = "command_line/formats.rs"]
mod formats;
#[path = "command_line/hostile.rs"]
mod hostile;
#[path = "command_line/interface.rs"]
mod interface;
#[path = "command_line/invariants.rs"]
mod invariants;
#[path = "command_line/localizing.rs"]
mod localizing;
#[path = "command_line/output.rs"]
mod output;
#[path = "command_line/programs.rs"]
mod programs;
#[path = "command_line/project.rs"]
mod project;
#[path = "command_line/sandbox.rs"]
mod sandbox;
#[path = "command_line/schema.rs"]
mod schema;
#[path = "command_line/signals.rs"]
mod signals;
#[path = "command_line/stories.rs"]
mod stories;
#[path = "command_line/targets.rs"]
mod targets;
#[path = "command_line/traces.rs"]
mod traces;
#[path = "command_line/wrapper.rs"]
mod wrapper;
