//! Compiles programs that say where their variables are and how they are to be called, runs them, and
//! compares with the answers of this crate.

use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_symbols::{Module, Symbols, SymbolsError, build_id, program_modules};

/// A directory of the test's own, gone afterwards.
struct Scratch(PathBuf);
impl Scratch {
    fn new(name: &str) -> Scratch {
        let path =
            std::env::temp_dir().join(format!("unpick-symbols-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}
impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// None, said aloud, where the compiler is missing.
fn compile(scratch: &Scratch, source: &str, flags: &[&str]) -> Option<PathBuf> {
    let compiler = if source.ends_with(".cpp") { "clang++-19" } else { "clang-19" };
    compile_with(compiler, scratch, source, flags)
}

fn compile_with(
    compiler: &str,
    scratch: &Scratch,
    source: &str,
    flags: &[&str],
) -> Option<PathBuf> {
    if Command::new(compiler).arg("--version").output().is_err() {
        println!("skipped: {compiler} is not installed");
        return None;
    }
    let output = scratch.0.join("program");
    let result = Command::new(compiler)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"))
        .args(["-g", "-O0", "-pthread", "-Wl,--build-id"])
        .args(flags)
        .arg(Path::new(".").join(source))
        .arg("-o")
        .arg(&output)
        .output()
        .unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    Some(output)
}

fn hex(word: &str) -> u64 {
    u64::from_str_radix(word.trim_start_matches("0x"), 16).unwrap()
}

/// Runs a program and checks each line it prints.
fn check(program: &Path, file: &str) -> usize {
    let output = Command::new(program).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let base = output.lines().find_map(|line| line.strip_prefix("B ")).map(hex).unwrap();
    let symbols = Symbols::load(&program_modules(program, base)).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    let mut wrong = Vec::new();
    for line in output.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (expected, found) = match words[..] {
            ["B", _] => continue,
            ["G", name, address] => (name.to_string(), symbols.global(hex(address))),
            ["F", name, address] => (name.to_string(), symbols.function(hex(address))),
            ["S", name, pc, offset] => {
                (name.to_string(), symbols.stack_variable(hex(pc), offset.parse().unwrap()))
            }
            ["P", function, number, pc] => {
                let pc = hex(pc);
                let number: u32 = number.parse().unwrap();
                let place = symbols.place(pc);
                let inside = |ranges: Vec<(u64, u64)>, pc: u64| {
                    ranges.iter().any(|(from, to)| (*from..*to).contains(&pc))
                };
                assert!(inside(symbols.pc_ranges(file.to_str().unwrap(), number), pc - 1));
                assert!(inside(symbols.return_ranges(file.to_str().unwrap(), number), pc));
                assert!(!inside(symbols.return_ranges("nothing.c", number), pc));
                assert!(place.as_ref().is_none_or(|place| place.column > 0));
                (
                    format!("{} {}:{number}", function, file.display()),
                    place.map(|p| format!("{} {}:{}", p.function, p.file, p.line)),
                )
            }
            _ => panic!("{line}"),
        };
        if found.as_ref() != Some(&expected) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    output.lines().count()
}

#[test]
fn names_of_c() {
    let scratch = Scratch::new("c");
    let variants: [&[&str]; 4] = [&[], &["-no-pie"], &["-gdwarf-4"], &["-gz"]];
    for flags in variants {
        let Some(program) = compile(&scratch, "names.c", flags) else { return };
        assert!(check(&program, "names.c") > 50, "{flags:?}");
    }
}

#[test]
fn names_of_cpp() {
    let scratch = Scratch::new("cpp");
    for flags in [&[][..], &["-no-pie"], &["-gdwarf-4"]] {
        let Some(program) = compile(&scratch, "names.cpp", flags) else { return };
        assert!(check(&program, "names.cpp") > 25, "{flags:?}");
    }
}

/// gcc counts the frame from the stack pointer before the call.
#[test]
fn names_of_gcc() {
    let scratch = Scratch::new("gcc");
    for (compiler, source) in [("gcc", "names.c"), ("g++", "names.cpp")] {
        let Some(program) = compile_with(compiler, &scratch, source, &[]) else { return };
        check(&program, source);
    }
}

/// clang describes a class where its constructor is, and only declares it elsewhere.
#[test]
fn types_may_be_defined_in_another_unit() {
    let scratch = Scratch::new("units");
    let head = "extern \"C\" char __ehdr_start; extern \"C\" int printf(const char *, ...);
        namespace n { struct S { S(); int first; int second; }; }\n";
    let user = "n::S s; static struct { int before; n::S inside; } whole;
        int main() { printf(\"B %p\\nG s.second %p\\nG whole.inside.second %p\\n\", &__ehdr_start,
            &s.second, &whole.inside.second); }";
    std::fs::write(scratch.0.join("user.cpp"), format!("{head}{user}")).unwrap();
    let maker = scratch.0.join("maker.cpp");
    std::fs::write(&maker, format!("{head} n::S::S() : first(1), second(2) {{}}")).unwrap();
    let user = scratch.0.join("user.cpp");
    let flags = ["-xc++", "-lstdc++", maker.to_str().unwrap()];
    // `compile` looks beside the other sources, and joining an absolute path takes it as it is.
    let Some(program) = compile(&scratch, user.to_str().unwrap(), &flags) else { return };
    assert_eq!(check(&program, "user.cpp"), 3);
}

#[test]
fn without_debug_information_the_symbol_table_serves() {
    let scratch = Scratch::new("plain");
    let Some(program) = compile(&scratch, "names.c", &["-g0"]) else { return };
    let output = Command::new(&program).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let find = |prefix: &str| output.lines().find_map(|line| line.strip_prefix(prefix)).map(hex);
    let base = find("B ").unwrap();
    let symbols = Symbols::load(&program_modules(&program, base)).unwrap();
    let inner = find("G account.balance ").unwrap();
    assert_eq!(symbols.global(find("G balance ").unwrap()).unwrap(), "balance");
    assert_eq!(symbols.global(inner).unwrap(), "account+40");
    assert_eq!(symbols.function(find("F add ").unwrap() + 4).unwrap(), "add");
    assert_eq!(symbols.place(find("F add ").unwrap() + 4), None);
    assert_eq!(symbols.global(1), None);
    assert_eq!(symbols.place(0), None);
}

#[test]
fn build_ids_are_read() {
    let scratch = Scratch::new("id");
    let Some(program) = compile(&scratch, "names.c", &["-Wl,--build-id=0x0102abcdef"]) else {
        return;
    };
    assert_eq!(build_id(&program).as_deref(), Some("0102abcdef"));
    assert_eq!(build_id(env!("CARGO_MANIFEST_DIR")), None);
    assert_eq!(build_id(file!()), None);
}

#[test]
fn symbols_may_be_shared_by_threads() {
    fn shareable<T: Send + Sync>() {}
    shareable::<Symbols>();
}

#[test]
fn what_is_not_a_program_is_an_error() {
    let scratch = Scratch::new("garbage");
    let path = scratch.0.join("garbage");
    let load = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Symbols::load(&[Module { path: path.clone(), base: 0x1000 }]).err()
    };
    assert!(matches!(load(b""), Some(SymbolsError::Elf { .. })));
    assert!(matches!(load(b"#!/bin/sh\n"), Some(SymbolsError::Elf { .. })));
    assert!(matches!(load(&[0xff; 4096]), Some(SymbolsError::Elf { .. })));
    let missing = Symbols::load(&program_modules(scratch.0.join("none"), 0));
    assert!(matches!(missing, Err(SymbolsError::Read { .. })));
}

/// Damages a real program in many ways: an error or an answer, but no panic and no endless work.
#[test]
fn damaged_programs_do_not_panic() {
    let scratch = Scratch::new("damage");
    let rounds: u64 =
        std::env::var("UNPICK_DAMAGE").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for source in ["names.c", "names.cpp"] {
        let Some(program) = compile(&scratch, source, &[]) else { return };
        let bytes = std::fs::read(&program).unwrap();
        let path = scratch.0.join("damaged");
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut errors = 0;
        for round in 0..rounds {
            let mut damaged = bytes.clone();
            for _ in 0..1 + random() % (1 << (round % 6)) {
                let at = (random() % damaged.len() as u64) as usize;
                damaged[at] = if round % 2 == 0 { random() as u8 } else { 0xff };
            }
            if round % 10 == 0 {
                damaged.truncate((random() % bytes.len() as u64) as usize);
            }
            std::fs::write(&path, &damaged).unwrap();
            match Symbols::load(&program_modules(&path, 0x5555_5555_4000)) {
                Err(_) => errors += 1,
                Ok(symbols) => {
                    for address in (0x5555_5555_4000..0x5555_5556_4000).step_by(61) {
                        symbols.place(address);
                        symbols.global(address);
                        symbols.function(address);
                        symbols.stack_variable(address, -(address as i64 % 200));
                    }
                }
            }
        }
        assert!(errors > 0);
    }
}
