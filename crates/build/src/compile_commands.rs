//! `compile_commands.json`: the options with which a build system compiles each source.
//!
//! Of the options those are kept that say what the source means; where its object goes, and what else is written on the way,
//! is ours. They are relative to the folder in which the compiler was called, and we are elsewhere: paths are made absolute.

use crate::{BuildError, Unit};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What a build system was seen to do.
#[derive(Clone, Debug, Default)]
pub struct CompileCommands {
    units: Vec<(PathBuf, Vec<String>)>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Options whose value is a path, in the next word or in the same.
const PATHS: [&str; 10] = [
    "-include-pch",
    "-include",
    "-imacros",
    "-isystem",
    "-isysroot",
    "-iquote",
    "-idirafter",
    "--sysroot",
    "-I",
    "-B",
];
/// Options about what is written where; the first ones have a value in the next word.
const WRITING_WITH_VALUE: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-MJ"];
const WRITING: [&str; 9] = ["-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG"];

impl CompileCommands {
    pub fn read(path: &Path) -> Result<CompileCommands, BuildError> {
        let bytes = std::fs::read(path)
            .map_err(|source| BuildError::Read { path: path.to_owned(), source })?;
        let wrong = |what: String| BuildError::CompileCommands { path: path.to_owned(), what };
        let entries: Vec<Entry> =
            serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        let beside = path.parent().unwrap_or(Path::new(""));
        let mut units = Vec::new();
        for entry in entries {
            let Entry { directory, file, command, arguments } = entry;
            let folder = beside.join(directory);
            let words = match (arguments, command) {
                (Some(words), _) => words,
                (None, Some(line)) => split(&line).ok_or_else(|| {
                    wrong(format!("{}: a quote in its command is not closed", file.display()))
                })?,
                (None, None) => {
                    let what = format!("{}: neither `command` nor `arguments`", file.display());
                    return Err(wrong(what));
                }
            };
            let flags = flags(&words, &file, &folder);
            units.push((folder.join(file), flags));
        }
        Ok(CompileCommands { units })
    }

    /// What the units of a program say about themselves.
    pub fn of_units(units: &[Unit]) -> CompileCommands {
        let own = |unit: &Unit| {
            let source = PathBuf::from(&unit.manifest.source);
            let flags = flags(&unit.manifest.flags, &source, Path::new(&unit.manifest.cwd));
            (source, flags)
        };
        CompileCommands { units: units.iter().map(own).collect() }
    }

    pub fn files(&self) -> Vec<PathBuf> {
        self.units.iter().map(|(file, _)| file.clone()).collect()
    }

    /// The options for a source; none where it is not listed.
    pub fn flags(&self, source: &Path) -> &[String] {
        let Ok(full) = source.canonicalize() else { return &[] };
        // Of thousands, few have its name: only those are looked for on the disk.
        let listed = self.units.iter().find(|(file, _)| {
            file.file_name() == source.file_name()
                && file.canonicalize().is_ok_and(|file| file == full)
        });
        listed.map_or(&[], |(_, flags)| flags)
    }
}

fn flags(words: &[String], file: &Path, folder: &Path) -> Vec<String> {
    // The compiler, perhaps behind another program (`ccache cc`).
    let compiler = words.iter().take_while(|word| !word.starts_with('-')).count();
    let mut words = words[compiler..].iter();
    let mut flags = Vec::new();
    let absolute = |path: &str| folder.join(path).to_string_lossy().into_owned();
    while let Some(word) = words.next() {
        let word = word.as_str();
        if WRITING_WITH_VALUE.contains(&word) {
            words.next();
        } else if WRITING.contains(&word)
            || word == "--"
            || WRITING_WITH_VALUE.iter().any(|option| word.starts_with(option))
            || !word.starts_with('-') && folder.join(word) == folder.join(file)
        {
            continue;
        } else if let Some(option) = PATHS.iter().find(|option| word.starts_with(**option)) {
            match &word[option.len()..] {
                "" => {
                    flags.push(word.into());
                    flags.extend(words.next().map(|path| absolute(path)));
                }
                value => {
                    let (mark, path) = value.split_at(usize::from(value.starts_with('=')));
                    flags.push(format!("{option}{mark}{}", absolute(path)));
                }
            }
        } else if let Some(file) = word.strip_prefix('@') {
            flags.push(format!("@{}", absolute(file)));
        } else {
            flags.push(word.into());
        }
    }
    flags
}

/// Words as a shell splits them; `None` where a quote is not closed.
fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let next = letters.next()?;
                let word = word.get_or_insert_default();
                // Within quotes a backslash is one, but before these.
                if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_source_means_is_kept() {
        let words = split(
            "ccache /usr/bin/cc -DNAME=\\\"a\\ b\\\" '-DX=1 2' -I../include -I /abs -isystem sys -include \"conf ig.h\" \
             --sysroot=root -std=gnu11 -O2 -Wall -MD -MT a.o -MF a.d -o a.o -oa.o -c a.c -fPIC",
        )
        .expect("all quotes are closed");
        let flags = flags(&words, Path::new("a.c"), Path::new("/p/build"));
        let expected = [
            "-DNAME=\"a b\"",
            "-DX=1 2",
            "-I/p/build/../include",
            "-I",
            "/abs",
            "-isystem",
            "/p/build/sys",
            "-include",
            "/p/build/conf ig.h",
            "--sysroot=/p/build/root",
            "-std=gnu11",
            "-O2",
            "-Wall",
            "-fPIC",
        ];
        assert_eq!(flags, expected);
        assert_eq!(split("a 'b"), None);
        assert_eq!(split("a ''"), Some(vec!["a".into(), String::new()]));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("compile_commands.json");
        let wrong = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            CompileCommands::read(&path).expect_err("it is wrong").to_string()
        };
        assert!(wrong("[{").contains("compile_commands.json: EOF while parsing"));
        assert!(wrong("{}").contains("invalid type: map, expected a sequence"));
        assert!(wrong(r#"[{"directory": "/"}]"#).contains("missing field `file`"));
        let nothing = wrong(r#"[{"directory": "/", "file": "a.c"}]"#);
        assert!(nothing.contains("a.c: neither `command` nor `arguments`"), "{nothing}");
        let open = wrong(r#"[{"directory": "/", "file": "a.c", "command": "cc 'x"}]"#);
        assert!(open.contains("a.c: a quote in its command is not closed"), "{open}");
    }
}
