//! What a folder looks like: how it is built, and which programs come of it.
//!
//! Build files are not understood, only looked at: what is seen is a proposal that stands in a file for people to change.

use crate::target::{COMPILE_COMMANDS, is_source};
use std::path::Path;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// In words, for whoever asked.
    pub what: String,
    pub build: Option<String>,
    pub target: Vec<String>,
    /// Programs that might be meant as well.
    pub others: Vec<String>,
}

const CMAKE: &str =
    "cmake -S . -B unpick-out/cmake -DCMAKE_BUILD_TYPE=Debug && cmake --build unpick-out/cmake";
const MESON: &str = "{ test -e unpick-out/meson/build.ninja || meson setup unpick-out/meson; } && ninja -C unpick-out/meson";
const MAKE: &str = "make CC=\"$CC\" CXX=\"$CXX\"";

pub fn look(folder: &Path) -> Seen {
    let has = |name: &str| folder.join(name).is_file();
    let makefile = ["GNUmakefile", "makefile", "Makefile"].into_iter().find(|name| has(name));
    if has("CMakeLists.txt") {
        let programs = below(folder, "", "CMakeLists.txt", &cmake_names);
        return built("CMakeLists.txt", CMAKE, "unpick-out/cmake/", programs);
    }
    if has("meson.build") {
        let programs = below(folder, "", "meson.build", &meson_names);
        return built("meson.build", MESON, "unpick-out/meson/", programs);
    }
    if let Some(name) = makefile {
        return built(name, MAKE, "", rules(&text(&folder.join(name))));
    }
    if has(COMPILE_COMMANDS) {
        return listed(folder);
    }
    sources(folder)
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

fn built(what: &str, command: &str, below: &str, programs: Vec<String>) -> Seen {
    let mut programs = programs.into_iter().map(|program| format!("{below}{program}"));
    Seen {
        what: what.into(),
        build: Some(command.into()),
        target: programs.next().into_iter().collect(),
        others: programs.collect(),
    }
}

/// What a build file says: programs, and folders below that have build files of their own.
struct Names {
    programs: Vec<String>,
    folders: Vec<String>,
}

/// Of a build file and of those below it, with their folders.
fn below(root: &Path, folder: &str, file: &str, read: &dyn Fn(&str) -> Names) -> Vec<String> {
    let names = read(&text(&root.join(folder).join(file)));
    let mut all: Vec<String> =
        names.programs.into_iter().map(|name| format!("{folder}{name}")).collect();
    for inner in names.folders {
        // Deeper at each step, so that it ends.
        if inner.split('/').all(|part| !matches!(part, "" | "." | "..")) {
            all.extend(below(root, &format!("{folder}{inner}/"), file, read));
        }
    }
    all
}

/// The first words of all calls of a function, with the second ones.
fn calls<'a>(text: &'a str, function: &str) -> Vec<(&'a str, &'a str)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (at, _) in lower.match_indices(function) {
        let comment = text[..at].rsplit('\n').next().unwrap_or_default().contains('#');
        let inside = at > 0 && is_part(text.as_bytes()[at - 1]);
        let Some(inner) = text[at + function.len()..].trim_start().strip_prefix('(') else {
            continue;
        };
        if comment || inside {
            continue;
        }
        let inner = inner.split(')').next().unwrap_or_default();
        let mut words = inner
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '\'' | '"'))
            .filter(|word| !word.is_empty());
        if let Some(first) = words.next().filter(|word| !word.contains(['$', '@', '<'])) {
            found.push((first, words.next().unwrap_or_default()));
        }
    }
    found
}

fn cmake_names(text: &str) -> Names {
    let own = |(_, second): &(&str, &str)| !matches!(*second, "IMPORTED" | "ALIAS");
    let programs = calls(text, "add_executable").into_iter().filter(own);
    let folders =
        calls(text, "add_subdirectory").into_iter().filter(|(_, second)| second.is_empty());
    Names {
        programs: programs.map(|(name, _)| name.to_string()).collect(),
        folders: folders.map(|(name, _)| name.to_string()).collect(),
    }
}

fn meson_names(text: &str) -> Names {
    let first = |function| calls(text, function).into_iter().map(|(name, _)| name.to_string());
    Names { programs: first("executable").collect(), folders: first("subdir").collect() }
}

/// Rules of a makefile that look like programs, and have a recipe.
fn rules(text: &str) -> Vec<String> {
    const ACTIONS: [&str; 9] =
        ["all", "clean", "distclean", "install", "uninstall", "test", "check", "run", "help"];
    let phony = text.lines().filter_map(|line| line.strip_prefix(".PHONY"));
    let phony: Vec<&str> = phony.flat_map(str::split_whitespace).collect();
    let mut lines = text.lines().peekable();
    let mut programs: Vec<String> = Vec::new();
    while let Some(line) = lines.next() {
        let Some((names, rest)) = line.split_once(':') else { continue };
        let recipe = lines.peek().is_some_and(|next| next.starts_with('\t')) || rest.contains(';');
        if !recipe || rest.starts_with('=') || line.starts_with(['\t', '#', '.', ' ']) {
            continue;
        }
        let programs_here = names.split_whitespace().filter(|name| {
            let plain = !name.contains(['$', '%', '.', '=', '(', ')']);
            plain && !ACTIONS.contains(name) && !phony.contains(name)
        });
        programs.extend(programs_here.map(str::to_string));
    }
    programs
}

/// Only what the compiler was called for is known: all of it together.
fn listed(folder: &Path) -> Seen {
    let what = COMPILE_COMMANDS.to_string();
    let files = match unpick_build::CompileCommands::read(&folder.join(&what)) {
        Ok(commands) => commands.files(),
        Err(_) => Vec::new(),
    };
    let here = folder.canonicalize().unwrap_or(folder.to_path_buf());
    let near = files.iter().map(|file| file.strip_prefix(&here).unwrap_or(file));
    let target = near.map(|file| file.to_string_lossy().into_owned()).collect();
    Seen { what, target: with_main_first(folder, target), ..Seen::default() }
}

fn sources(folder: &Path) -> Seen {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<String> = entries
        .filter(|entry| is_source(&entry.path()) && entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mains: Vec<String> =
        files.iter().filter(|file| has_main(&folder.join(file))).cloned().collect();
    let what = match files.len() {
        0 => return Seen { what: "nothing that can be built".into(), ..Seen::default() },
        1 => files[0].clone(),
        count => format!("{count} source files"),
    };
    // Several programs with a file each, or one of many files.
    match &mains[..] {
        [first, others @ ..] if !others.is_empty() => {
            Seen { what, target: vec![first.clone()], others: others.to_vec(), ..Seen::default() }
        }
        _ => Seen { what, target: with_main_first(folder, files), ..Seen::default() },
    }
}

/// Traces are called after the first file.
fn with_main_first(folder: &Path, mut files: Vec<String>) -> Vec<String> {
    files.sort_by_key(|file| !has_main(&folder.join(file)));
    files
}

fn has_main(file: &Path) -> bool {
    !calls(&text(file), "main").is_empty() || text(file).contains("main()")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(files: &[(&str, &str)]) -> Seen {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("its folder");
            std::fs::write(path, text).expect("a file");
        }
        look(folder.path())
    }

    #[test]
    fn build_systems() {
        let text = "project(x)\n# add_executable(old a.c)\nADD_EXECUTABLE( bank bank.c)\n\
                    add_executable(tool IMPORTED)\nadd_executable(${NAME} b.c)\nadd_subdirectory(tests)\n";
        let tests = "add_executable(stress stress.c)\nadd_subdirectory(..)\n";
        let cmake = seen(&[("CMakeLists.txt", text), ("tests/CMakeLists.txt", tests), ("a.c", "")]);
        assert_eq!(cmake.target, ["unpick-out/cmake/bank"]);
        assert_eq!(cmake.others, ["unpick-out/cmake/tests/stress"]);
        assert_eq!(cmake.build.as_deref(), Some(CMAKE));
        let meson = seen(&[("meson.build", "project('x', 'c')\ne = executable('crowd', 'a.c')\n")]);
        assert_eq!(meson.target, ["unpick-out/meson/crowd"]);
        let text = "CC ?= cc\nVERSION := 1\nall: queue\n.PHONY: all tidy\nqueue: a.o\n\t$(CC) a.o -o queue\n\
                    %.o: %.c\n\t$(CC) -c $<\na.o: a.h\ntidy:\n\trm -f *.o\nclean:\n\trm queue\n";
        let make = seen(&[("Makefile", text)]);
        assert_eq!((make.target, make.others), (vec!["queue".to_string()], vec![]));
        // A build file whose programs are not seen is still the way to build.
        assert_eq!(seen(&[("CMakeLists.txt", "include(rest.cmake)")]).target, [""; 0]);
    }

    #[test]
    fn sources_alone() {
        let main = "int main(void) { return 0; }";
        assert_eq!(seen(&[("bank.c", main), ("notes.txt", "")]).target, ["bank.c"]);
        assert_eq!(seen(&[("a.c", "int a;"), ("b.c", main)]).target, ["b.c", "a.c"]);
        let two = seen(&[("a.c", main), ("b.c", "int main() {}")]);
        assert_eq!((two.target, two.others), (vec!["a.c".to_string()], vec!["b.c".to_string()]));
        assert_eq!(seen(&[]), Seen { what: "nothing that can be built".into(), ..Seen::default() });
        let commands = r#"[{"directory": "/d", "file": "x.c", "command": "cc -c x.c"}]"#;
        let listed = seen(&[("compile_commands.json", commands)]);
        assert_eq!((listed.target, listed.build), (vec!["/d/x.c".to_string()], None));
    }
}
