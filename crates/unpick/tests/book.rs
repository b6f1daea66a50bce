//! The book under `docs/` cannot go stale: every session that a page shows is run, in the page's order, in an empty folder.
//!
//! A block that begins with ```` ```c,file=NAME ```` (or any other language) is a file that the reader writes; one that
//! begins with ```` ```console ```` is a session: `$ command`, then what it prints. Where the output may differ from machine
//! to machine the page has `…`: within a line it stands for any text, alone on a line for any lines. Seconds are not
//! compared. `console,slow` is run only if `UNPICK_BOOK=full` is set (`make eval-real`). `console,source=NAME` needs Debian's
//! source package of that name: it is unpacked as the folder `NAME` first. Where it cannot be had, what needs it is skipped,
//! with a message.

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One step of a page.
#[derive(Debug, PartialEq)]
enum Step {
    Write { name: String, text: String },
    Run { command: String, shown: Vec<String>, line: usize, source: Option<String> },
}

fn main() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut trials: Vec<Trial> = vec![
        Trial::test("lines with gaps", || check(lines_with_gaps)),
        Trial::test("steps of a page", || check(steps_of_a_page)),
        Trial::test("every page is in the summary", {
            let pages = pages.clone();
            move || every_page_is_in_the_summary(&pages)
        }),
    ];
    for page in all(&pages) {
        let name = page.strip_prefix(&pages).unwrap_or(&page).display().to_string();
        trials.push(Trial::test(name, move || follow(&page)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check(test: fn()) -> Result<(), Failed> {
    test();
    Ok(())
}

fn all(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("docs/src");
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(all(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Does what the page says, and compares.
fn follow(page: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(page).map_err(|error| error.to_string())?;
    let slow = std::env::var("UNPICK_BOOK").is_ok_and(|it| it == "full");
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tool = Path::new(env!("CARGO_BIN_EXE_unpick")).parent().expect("a folder");
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap_or_default());
    let mut status = 0;
    let mut sources = HashMap::new();
    for step in steps(&text, slow) {
        match step {
            Step::Write { name, text } => {
                let file = folder.path().join(name);
                std::fs::create_dir_all(file.parent().expect("a folder"))
                    .and_then(|()| std::fs::write(&file, text))
                    .map_err(|error| error.to_string())?;
            }
            Step::Run { command, shown, line, source } => {
                if let Some(name) = source {
                    let is_there = match sources.get(&name) {
                        Some(known) => *known,
                        None => fetch(&name, folder.path())?,
                    };
                    sources.insert(name, is_there);
                    if !is_there {
                        continue;
                    }
                }
                // `$?` is that of the command before, as in a shell.
                let done = Command::new("bash")
                    .args(["-c", &format!("exec 2>&1\n(exit {status})\n{command}")])
                    .current_dir(folder.path())
                    .env("PATH", &path)
                    .env("COLUMNS", "100")
                    // Nobody who reads calls it from a Makefile.
                    .env_remove("MAKEFLAGS")
                    .env_remove("MAKELEVEL")
                    .env_remove("MFLAGS")
                    .env("BOOK_ROOT", Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
                    .output()
                    .map_err(|error| error.to_string())?;
                status = done.status.code().unwrap_or(255);
                let printed = String::from_utf8_lossy(&done.stdout).into_owned();
                let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
                let wanted: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
                if !matches(trimmed(&wanted), trimmed(&printed)) {
                    let (wanted, printed) = (wanted.join("\n"), printed.join("\n"));
                    return Err(format!(
                        "{}:{line}: $ {command}\n--- the page shows\n{wanted}\n--- printed, with status {status}\n{printed}\n",
                        page.display()
                    )
                    .into());
                }
            }
        }
    }
    Ok(())
}

/// Unpacks a source package; `false`: it cannot be had here.
fn fetch(name: &str, folder: &Path) -> Result<bool, Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let done = Command::new(root.join("scripts/fetch-source"))
        .arg(name)
        .arg(folder.join(name))
        .output()
        .map_err(|error| error.to_string())?;
    let complaint = String::from_utf8_lossy(&done.stderr);
    match done.status.code() {
        Some(0) => Ok(true),
        Some(77) => {
            println!("what needs the source of {name} is skipped: {}", complaint.trim());
            Ok(false)
        }
        _ => Err(complaint.trim().into()),
    }
}

fn steps(text: &str, slow: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<(usize, &str)> =
            lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        let mut words = info.split(',');
        let language = words.next().unwrap_or_default();
        if let Some(name) = words.clone().find_map(|word| word.strip_prefix("file=")) {
            let text = block.iter().map(|(_, line)| format!("{line}\n")).collect();
            steps.push(Step::Write { name: name.to_string(), text });
        } else if language == "console" && (slow || !words.clone().any(|word| word == "slow")) {
            let source = words.find_map(|word| word.strip_prefix("source=")).map(str::to_string);
            for (number, line) in block {
                match (line.strip_prefix("$ "), steps.last_mut()) {
                    (Some(command), _) => steps.push(Step::Run {
                        command: command.to_string(),
                        shown: Vec::new(),
                        line: number + 1,
                        source: source.clone(),
                    }),
                    (None, Some(Step::Run { command, .. })) if command.ends_with('\\') => {
                        command.push('\n');
                        command.push_str(line.strip_prefix("> ").unwrap_or(line));
                    }
                    (None, Some(Step::Run { shown, .. })) => shown.push(line.to_string()),
                    (None, _) => panic!("line {}: a session begins with a command", number + 1),
                }
            }
        }
    }
    steps
}

/// Without empty lines at both ends.
fn trimmed<'a, 'b>(lines: &'a [&'b str]) -> &'a [&'b str] {
    let begin = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(begin, |last| last + 1);
    &lines[begin..end]
}

fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], printed) => printed.is_empty(),
        (["…", rest @ ..], printed) => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        ([line, shown @ ..], [other, printed @ ..]) => {
            same(&masked(line), &masked(other)) && matches(shown, printed)
        }
        (_, []) => false,
    }
}

/// Seconds are as they are.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        let seconds = matches!(words[at].trim_end_matches([',', '.', ')', ';']), "s" | "ms");
        if seconds && words[at - 1].parse::<f64>().is_ok() {
            words[at - 1] = "#";
        }
    }
    words.join(" ")
}

/// `…` stands for anything.
fn same(shown: &str, printed: &str) -> bool {
    let mut pieces = shown.split('…');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, between)) = pieces.split_last() else { return rest.is_empty() };
    for piece in between {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

/// A page that nobody reaches is not read.
fn every_page_is_in_the_summary(pages: &Path) -> Result<(), Failed> {
    let summary = std::fs::read_to_string(pages.join("SUMMARY.md")).map_err(|it| it.to_string())?;
    for page in all(pages) {
        let name = page.strip_prefix(pages).unwrap_or(&page).display().to_string();
        if name != "SUMMARY.md" && !summary.contains(&format!("({name})")) {
            return Err(format!("{name} is not in SUMMARY.md").into());
        }
    }
    Ok(())
}

fn lines_with_gaps() {
    assert!(same("a…c", "abc") && same("a…c", "ac") && same("…", "") && same("abc", "abc"));
    assert!(!same("a…c", "ab") && !same("abc", "abcd") && !same("a…b…c", "acb"));
    assert!(matches(&["a", "…", "d"], &["a", "b", "c", "d"]) && matches(&["…"], &[]));
    assert!(!matches(&["a", "…", "d"], &["a", "b"]) && !matches(&["a"], &["a", "b"]));
    assert!(matches(&["3 runs in 0.1 s"], &["3 runs in 12 s"]));
    assert!(!matches(&["3 runs in 0.1 s"], &["4 runs in 0.1 s"]));
}

fn steps_of_a_page() {
    let page = "text\n```c,file=a.c\nint a;\n```\n```console\n$ ls \\\n> -a\na.c\n$ true\n```\n```console,slow,source=xz\n$ make\n```\n```sh\n$ no\n```\n";
    let run = |command: &str, shown: &[&str], line| Step::Run {
        command: command.to_string(),
        shown: shown.iter().map(ToString::to_string).collect(),
        line,
        source: (command == "make").then(|| "xz".to_string()),
    };
    let mut wanted = vec![
        Step::Write { name: "a.c".into(), text: "int a;\n".into() },
        run("ls \\\n-a", &["a.c"], 6),
        run("true", &[], 9),
    ];
    assert_eq!(steps(page, false), wanted);
    wanted.push(run("make", &[], 12));
    assert_eq!(steps(page, true), wanted);
}
