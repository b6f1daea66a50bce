//! Programs and files: the compiler, its tools, our runtime, and what single commands use.

use super::Check;
use crate::late;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use unpick_build::Toolchain;

pub fn checks() -> Vec<Check> {
    vec![compiler(), llvm_tools(), runtime(), header(), libraries(), debugger(), sanitizer()]
}

fn in_path(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|path| path.is_file())
}

/// Those that are not there, with commas between.
fn absent(tools: &[&str]) -> Option<String> {
    let absent: Vec<&str> = tools.iter().filter(|tool| in_path(tool).is_none()).copied().collect();
    (!absent.is_empty()).then(|| absent.join(", "))
}

fn first_line(tool: &str, argument: &str) -> Option<String> {
    let answer = Command::new(tool).arg(argument).stdin(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&answer.stdout).lines().next().map(str::to_string)
}

fn compiler() -> Check {
    let name = "compiler";
    if let Some(chosen) = std::env::var_os("UNPICK_CC").filter(|chosen| !chosen.is_empty()) {
        let chosen = chosen.to_string_lossy();
        return match first_line(&chosen, "--version") {
            Some(version) if chosen.contains("clang") => Check::fine(name, version),
            Some(version) => Check::lacking(
                name,
                format!(
                    "{version} (UNPICK_CC): it sees less than clang; check, explain and localize need clang"
                ),
                "unset UNPICK_CC",
            ),
            None => Check::missing(
                name,
                format!("UNPICK_CC names {chosen}, which does not start"),
                "unset UNPICK_CC",
            ),
        };
    }
    let remedy = "apt-get install clang-19";
    match absent(&["clang-19", "clang++-19"]) {
        Some(tools) if in_path("gcc").is_some() => Check::missing(
            name,
            format!(
                "{tools}: not in PATH. gcc takes its place, sees less, and check, explain and localize cannot do with it"
            ),
            remedy,
        ),
        Some(tools) => Check::missing(name, format!("{tools}: not in PATH"), remedy),
        None => Check::fine(name, first_line("clang-19", "--version").unwrap_or_default()),
    }
}

fn llvm_tools() -> Check {
    let tools = ["llvm-objcopy-19", "llvm-dis-19", "llvm-as-19"];
    match absent(&tools) {
        Some(tools) => {
            let said = format!("{tools}: not in PATH; the compiler wrapper needs them");
            Check::missing("LLVM's tools", said, "apt-get install llvm-19")
        }
        None => Check::fine("LLVM's tools", tools.join(", ")),
    }
}

fn runtime() -> Check {
    match Toolchain::own_files() {
        Ok((runtime, _)) => Check::fine("runtime", runtime.display().to_string()),
        Err(error) => {
            let remedy = "make build, or make install, in Unpick's source";
            Check::missing("runtime", error.to_string(), remedy)
        }
    }
}

fn header() -> Check {
    let header = Toolchain::own_files().map(|(_, include)| include.join("unpick.h"));
    match header {
        Ok(header) if header.is_file() => Check::fine("header", header.display().to_string()),
        _ => Check::lacking(
            "header",
            "unpick.h was not found: R_assert, unpick_choose and atomic sections need it",
            "make install, in Unpick's source; or set UNPICK_INCLUDE to its folder",
        ),
    }
}

/// Loaded by the commands that need them, and here.
fn libraries() -> Check {
    let name = "libraries";
    // Some systems' LLVM needs Z3 itself.
    for library in [&late::Z3, &late::LLVM] {
        if let Err(why) = library.load() {
            let said = format!("{why}: check, explain, localize and races need it");
            return Check::missing(name, said, &format!("apt-get install {}", library.package));
        }
    }
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mapped = |part: &str| {
        let mut files = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
        let found =
            files.find(|file| file.rsplit('/').next().is_some_and(|it| it.starts_with(part)));
        found.unwrap_or(part).to_string()
    };
    Check::fine(name, format!("{}, {}", mapped("libLLVM"), mapped("libz3")))
}

fn debugger() -> Check {
    let name = "gdb";
    if in_path(name).is_none() {
        return Check::lacking(
            name,
            "not in PATH: `unpick replay --gdb` needs it",
            "apt-get install gdb",
        );
    }
    let tried = Command::new(name)
        .args(["-nx", "-batch", "-ex", "run", "--args", "/bin/true"])
        .stdin(Stdio::null())
        .output();
    let answer = tried.map(|answer| [answer.stdout, answer.stderr].concat()).unwrap_or_default();
    let answer = String::from_utf8_lossy(&answer);
    if answer.contains("exited normally") {
        return Check::fine(name, first_line(name, "--version").unwrap_or_default());
    }
    let last = answer.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    Check::lacking(
        name,
        format!("it cannot run programs here: {last}"),
        "in a container, `--cap-add SYS_PTRACE --security-opt seccomp=unconfined` allows it",
    )
}

fn sanitizer() -> Check {
    let name = "ThreadSanitizer";
    match unpick_engine::lacks_genuine() {
        Some(why) => Check::lacking(
            name,
            format!("`unpick races --tsan` cannot ask it: {why}"),
            "apt-get install libclang-rt-19-dev",
        ),
        None if absent(&["llvm-symbolizer-19"]).is_some()
            && absent(&["llvm-symbolizer"]).is_some() =>
        {
            Check::lacking(
                name,
                "without llvm-symbolizer-19 its reports have no lines",
                "apt-get install llvm-19",
            )
        }
        None => Check::fine(name, "for `unpick races --tsan`"),
    }
}
