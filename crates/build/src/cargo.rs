//! `unpick cargo …`: what cargo and rustc have to be told so that Unpick can run what they build.
//!
//! rustc brings the same instrumentation as clang, behind options that a stable compiler takes under
//! `RUSTC_BOOTSTRAP`. The linker is our wrapper. The program is built for a target that is named, so that
//! build scripts and macros, which run now, stay as they are; and into a folder of its own, so that ordinary
//! builds stay, too.
//!
//! What it misses: the standard library is taken as it comes, without hooks. Only what is generic or
//! inlined in it becomes part of the program, and is instrumented there. No bitcode is kept. Flags in
//! cargo's configuration (`build.rustflags`) do not apply: flags of the environment go before them.

use crate::{BuildError, Toolchain, compile};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Between the flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\u{1f}";

/// Becomes cargo with these arguments, and comes back only with an error; `tool` is our own program, which
/// links.
pub fn cargo(args: &[OsString], tool: &Path, tools: &Toolchain) -> Result<Infallible, BuildError> {
    let mut command = Command::new("cargo");
    command.args(args);
    // What makes nothing (`new`, `--version`) needs no project.
    if let Some(folder) = folder(args) {
        std::fs::create_dir_all(&folder)
            .map_err(|source| BuildError::Write { path: folder.clone(), source })?;
        let linker = linker(&folder, tool)?;
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_BUILD_TARGET", TARGET)
            .env("CARGO_TARGET_DIR", &folder)
            .env("CARGO_ENCODED_RUSTFLAGS", flags(&linker))
            // Its code units would have names that tell nothing.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("UNPICK_RUNTIME", &tools.runtime)
            .env("UNPICK_INCLUDE", &tools.include);
    }
    Err(not_started(command.exec()))
}

fn not_started(source: std::io::Error) -> BuildError {
    match source.kind() {
        std::io::ErrorKind::NotFound => BuildError::ToolMissing {
            tool: "cargo".into(),
            package: "cargo, or rustup from https://rustup.rs".into(),
        },
        _ => BuildError::Start { tool: "cargo".into(), source },
    }
}

/// `unpick` in the project's target folder, wherever its configuration puts that.
fn folder(args: &[OsString]) -> Option<PathBuf> {
    let mut ask = Command::new("cargo");
    ask.args(args.first().filter(|word| word.as_encoded_bytes().starts_with(b"+")));
    ask.args(["metadata", "--no-deps", "--format-version", "1"]);
    if let Some(path) = value(args, "--manifest-path") {
        ask.arg("--manifest-path").arg(path);
    }
    let answer = ask.stderr(Stdio::null()).output().ok()?;
    let answer: serde_json::Value = serde_json::from_slice(&answer.stdout).ok()?;
    let folder = value(args, "--target-dir").map(PathBuf::from);
    Some(folder.unwrap_or(PathBuf::from(answer["target_directory"].as_str()?).join("unpick")))
}

/// Of `--name value` or `--name=value`, among cargo's own arguments.
fn value<'a>(args: &'a [OsString], name: &str) -> Option<&'a OsStr> {
    let mut words = args.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        if word == name {
            return words.next().map(OsString::as_os_str);
        }
        let rest = word.to_str().and_then(|word| word.strip_prefix(name)?.strip_prefix('='));
        if rest.is_some() {
            return rest.map(OsStr::new);
        }
    }
    None
}

/// rustc wants its linker as one word.
fn linker(folder: &Path, tool: &Path) -> Result<PathBuf, BuildError> {
    let link = folder.join("unpick-cc");
    if std::fs::read_link(&link).is_ok_and(|known| known == tool) {
        return Ok(link);
    }
    let failed = |source| BuildError::Write { path: link.clone(), source };
    // Beside its place first: another cargo may be using it.
    let scratch = crate::temporary(folder)?;
    let new = scratch.path().join("unpick-cc");
    symlink(tool, &new).and_then(|()| std::fs::rename(&new, &link)).map_err(failed)?;
    Ok(link)
}

/// The user's flags, and then ours, which win.
fn flags(linker: &Path) -> OsString {
    let mut flags = match (std::env::var("CARGO_ENCODED_RUSTFLAGS"), std::env::var("RUSTFLAGS")) {
        (Ok(encoded), _) => encoded,
        (_, Ok(plain)) => plain.split_whitespace().collect::<Vec<_>>().join(SEPARATOR),
        _ => String::new(),
    };
    let ours = [
        "-Zsanitizer=thread",
        "-Zexternal-clangrt",
        // The standard library has no hooks; nothing in how functions are called depends on them.
        "-Cunsafe-allow-abi-mismatch=sanitizer",
        "-Cllvm-args=-tsan-instrument-read-before-write",
        "-Cforce-frame-pointers=yes",
        "-Cdebuginfo=2",
        "-Cstrip=none",
        &format!("-Copt-level={}", compile::optimisation()),
        "-Clinker-flavor=gcc",
    ];
    for flag in ours {
        if !flags.is_empty() {
            flags.push_str(SEPARATOR);
        }
        flags.push_str(flag);
    }
    let mut flags = OsString::from(flags);
    flags.push(format!("{SEPARATOR}-Clinker="));
    flags.push(linker);
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_options() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let of = |text: &str| value(&words(text), "--target-dir").map(OsStr::to_owned);
        assert_eq!(of("build --target-dir t --release"), Some("t".into()));
        assert_eq!(of("build --target-dir=t"), Some("t".into()));
        assert_eq!(of("run -- --target-dir t"), None);
        assert_eq!(of("build --target-dirt t"), None);
    }
}
