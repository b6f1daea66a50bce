//! The command line as shells and `man` want it: made from its one definition, so that neither can say something else.

use crate::common::{self, Problem};
use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Args)]
pub struct Completions {
    /// Whose
    shell: Shell,
}

#[derive(Args)]
pub struct Man {
    /// Where to
    folder: PathBuf,
}

pub fn completions(command: &Completions, interface: &mut clap::Command) -> Result<u8, Problem> {
    let mut text = Vec::new();
    clap_complete::generate(command.shell, interface, "unpick", &mut text);
    common::print(&String::from_utf8_lossy(&text));
    Ok(0)
}

/// One page a command, `unpick-explore.1`.
pub fn man(command: &Man, interface: clap::Command) -> Result<u8, Problem> {
    let folder = &command.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(interface, folder))
        .map_err(|error| {
            Problem::Input(format!("cannot write to {}: {error}", folder.display()))
        })?;
    Ok(0)
}
