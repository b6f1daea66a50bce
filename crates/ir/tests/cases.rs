//! Sources under `cases/` and the programs that are read from them, as text.
//!
//! `UNPICK_BLESS=1` writes the texts anew; they are to be read before they are committed.

use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_ir::{read, verify};

#[test]
fn programs_are_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| path.extension().is_some_and(|it| it == "c" || it == "cpp"))
        .collect();
    sources.sort();
    assert!(sources.len() >= 9);
    let bless = std::env::var_os("UNPICK_BLESS").is_some();
    let mut wrong = Vec::new();
    for source in sources {
        let program = read(&[&bitcode(&source)]).unwrap_or_else(|error| panic!("{error}"));
        let faults = verify(&program);
        assert!(faults.is_empty(), "{}: {faults:?}", source.display());
        let expected = source.with_extension("txt");
        let text = program.to_string();
        if bless {
            std::fs::write(&expected, &text).expect("a writable folder");
        }
        if std::fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(format!("{}:\n{text}", source.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn bitcode(source: &Path) -> Vec<u8> {
    let is_hooked =
        std::fs::read_to_string(source).expect("the source").starts_with("// unpick: instrumented");
    compile(source, if is_hooked { &["-fsanitize=thread"] } else { &[] })
}

fn compile(source: &Path, flags: &[&str]) -> Vec<u8> {
    let mut clang = Command::new(match source.extension().is_some_and(|it| it == "cpp") {
        true => "clang++-19",
        false => "clang-19",
    });
    clang.args(["-g", "-O0", "-w", "-c", "-emit-llvm", "-o", "-"]).args(flags).arg(source);
    let output = clang.output().expect("clang 19");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The bitcode of a source given as text.
fn compiled(text: &str, flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("x.c");
    std::fs::write(&path, text).expect("a writable folder");
    compile(&path, flags)
}

mod several_units {
    use super::compiled;
    use unpick_ir::{Constant, ReadError, Type, read};

    #[test]
    fn are_linked() {
        let one = compiled(
            "int shared; static int f(void) { return 1; } int g(void); int main(void) { return f() + g(); }",
            &[],
        );
        let two = compiled(
            "extern int shared; static int f(void) { return shared; } int g(void) { return f(); }",
            &[],
        );
        let program = read(&[&one, &two]).unwrap();
        assert_eq!(program.globals.len(), 1);
        let g = program.function(program.find("g").unwrap());
        assert!(!g.blocks.is_empty());
        let both: Vec<_> = program.functions.iter().filter(|it| it.name.starts_with('f')).collect();
        assert_eq!(both.len(), 2, "each unit has its own");
        let renamed = both.iter().find(|function| function.name != "f").unwrap();
        assert_eq!(renamed.pretty.as_deref(), Some("f"));
    }

    #[test]
    fn that_define_the_same_are_refused() {
        let one = compiled("int f(void) { return 1; }", &[]);
        let error = read(&[&one, &one]).unwrap_err();
        assert_eq!(error, ReadError::Duplicate { name: "f".to_string() });
    }

    #[test]
    fn of_one_width_only() {
        let narrow = compiled(
            "long x; char *p = (char *)&x + 2; int main(void) { return sizeof x; }",
            &["-m32"],
        );
        let program = read(&[&narrow]).unwrap();
        assert_eq!(program.pointer_bytes, 4);
        let sizes: Vec<u64> = program.globals.iter().map(|global| global.size).collect();
        assert_eq!(sizes, [4, 4]);
        let Some(Constant::Global { offset: 2, .. }) = program.globals[1].initial else {
            panic!("{program}")
        };
        let wide = compiled("int y;", &[]);
        assert!(matches!(read(&[&narrow, &wide]), Err(ReadError::Link { .. })));
    }

    #[test]
    fn what_is_no_bitcode_is_refused() {
        assert_eq!(read(&[]).unwrap_err(), ReadError::Nothing);
        for broken in [&b""[..], b"BC\xc0\xde", b"#!/bin/sh\n"] {
            assert!(matches!(read(&[broken]), Err(ReadError::Bitcode { unit: 0, .. })));
        }
        let good = compiled("int x;", &[]);
        let cut = &good[..good.len() / 2 / 4 * 4];
        assert!(matches!(read(&[&good, cut]), Err(ReadError::Bitcode { unit: 1, .. })));
    }

    #[test]
    fn large_arrays_are_not_spelled_out() {
        let good =
            compiled("static char room[1 << 30]; char *p = &room[5]; int t[70000] = {1, 2};", &[]);
        let program = read(&[&good]).unwrap();
        let room = program.globals.iter().find(|global| global.name == "room").unwrap();
        let Some(Constant::Zero(Type::Aggregate(layout))) = &room.initial else {
            panic!("{program}")
        };
        assert_eq!((layout.size, layout.members.len()), (1 << 30, 0));
    }
}

mod what_breaks_a_rule_is_seen {
    use super::compiled;
    use unpick_ir::{BlockId, Constant, Function, GlobalId, Operand, Terminator, read, verify};

    /// The first fault after a change of a function with a branch, a phi and a loop.
    fn fault(change: impl FnOnce(&mut Function)) -> String {
        let source = "int f(int n) { int s = n && s; while (n--) s += n; return s; }";
        let mut program = read(&[&compiled(source, &[])]).unwrap();
        assert_eq!(verify(&program), []);
        change(&mut program.functions[0]);
        verify(&program).first().map(|fault| fault.what.clone()).unwrap_or_default()
    }

    #[test]
    fn registers() {
        let gone = fault(|function| drop(function.blocks[0].instructions.remove(0)));
        assert_eq!(gone, "%1 is defined nowhere");
        let twice = fault(|function| {
            let first = function.blocks[0].instructions[0].clone();
            function.blocks[1].instructions.push(first);
        });
        assert_eq!(twice, "%1 is defined twice");
        let late = fault(|function| function.blocks[0].instructions.swap(0, 2));
        assert_eq!(late, "%1 is used before it is defined");
        let beside = fault(|function| {
            let load = function.blocks[0].instructions.pop().unwrap();
            function.blocks[1].instructions.push(load);
        });
        assert!(beside.ends_with("is used before it is defined"), "{beside}");
    }

    #[test]
    fn jumps_and_phis() {
        let nowhere = fault(|function| {
            function.blocks[0].terminator = Terminator::Jump(BlockId(99));
        });
        assert_eq!(nowhere, "jumps to b99, which is not there");
        let with_phi = |function: &Function| {
            function.blocks.iter().position(|block| !block.phis.is_empty()).unwrap()
        };
        let missing = fault(|function| {
            let at = with_phi(function);
            drop(function.blocks[at].phis[0].incoming.remove(0));
        });
        assert!(missing.contains("has not one value from b"), "{missing}");
        let foreign = fault(|function| {
            let at = with_phi(function);
            let value = function.blocks[at].phis[0].incoming[0].1.clone();
            function.blocks[at].phis[0].incoming.push((BlockId(at as u32 + 1), value));
        });
        assert!(foreign.contains("has a value from b"), "{foreign}");
    }

    #[test]
    fn constants() {
        let returned = |constant: Constant| {
            fault(|function| {
                let value = Some(Operand::Constant(constant));
                function.blocks.last_mut().unwrap().terminator = Terminator::Return(value);
            })
        };
        let global = Constant::Global { global: GlobalId(7), offset: 0 };
        assert_eq!(returned(global), "global 7 is not there");
        let wide = Constant::Bits { width: 8, value: 256 };
        assert_eq!(returned(wide), "256 has more than 8 bits");
    }
}
