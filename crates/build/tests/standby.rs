//! The compiler that has started already gives what one that is started gives.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_build::{CompileCommands, Family, Toolchain, plain_bitcode, standby};

fn tools(folder: &Path) -> Toolchain {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("standby/standby.c");
    let made = Command::new("clang-19")
        .args(["-O2", "-fPIC", "-shared", "-ldl", "-o"])
        .arg(folder.join("libunpick_standby.so"))
        .arg(source)
        .status();
    assert!(made.expect("clang-19 is there").success());
    Toolchain {
        family: Family::Clang,
        cc: "clang-19".into(),
        cxx: "clang++-19".into(),
        quick_driver: None,
        objcopy: "llvm-objcopy-19".into(),
        disassembler: "llvm-dis-19".into(),
        assembler: "llvm-as-19".into(),
        runtime: folder.join("libunpick_rt.a"),
        include: folder.into(),
    }
}

// One test: who stands by is one for the whole process.
#[test]
fn it_compiles_the_same_says_the_same_and_may_be_gone() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(folder.path());
    let file = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let good = file("good.c", "int f(int a) { return a + 1; }\n");
    let cpp = file("good.cpp", "#include <string>\nstd::string f() { return \"text\"; }\n");
    let bad = file("bad.c", "int f(int a) { return b; }\n");
    let compile = |source: &Path| {
        let commands = CompileCommands::default();
        let sources = [source.to_owned()];
        let made = plain_bitcode(&commands, &sources, &[], folder.path(), &tools);
        // Folders of temporary files are called differently each time.
        let told = |error: unpick_build::BuildError| error.to_string();
        made.map(|units| units[0].len()).map_err(told)
    };
    let all = || [&good, &cpp, &bad].map(|source| compile(source));
    let syntax = |source: &Path| {
        let words = ["-fsyntax-only", "-Xclang", "-ast-dump"].map(OsString::from);
        let words: Vec<OsString> = words.into_iter().chain([source.into()]).collect();
        standby::output(&tools.cc, &words, folder.path()).map(|text| text.len() > 100)
    };

    let started = all();
    assert!(started[0].is_ok() && started[1].is_ok(), "{started:?}");
    assert!(started[2].as_ref().is_err_and(|said| said.contains("undeclared identifier 'b'")));

    assert!(
        standby::start(&Toolchain { runtime: "/nowhere/x.a".into(), ..tools.clone() }).is_none()
    );
    let running = standby::start(&tools).expect("it starts");
    assert!(standby::name().is_some());
    assert!(standby::start(&tools).is_none(), "there is one already");
    assert_eq!(all(), started);
    assert_eq!(syntax(&good), Some(true));
    assert_eq!(syntax(&bad), None);
    // A compiler that could not be started.
    let absent = Toolchain { cc: "clang-that-is-not-there".into(), ..tools.clone() };
    let by_absent = || {
        let commands = CompileCommands::default();
        plain_bitcode(&commands, std::slice::from_ref(&good), &[], folder.path(), &absent).is_ok()
    };
    assert!(by_absent(), "the one that stands by is asked");
    // Many at once, and for each its own.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(all(), started));
        }
    });

    drop(running);
    assert_eq!(all(), started, "without it the compiler is started as usual");
    assert_eq!(syntax(&good), Some(true));
    assert!(!by_absent());
}
