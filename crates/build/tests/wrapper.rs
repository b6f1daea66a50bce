//! The wrapper on real compilers, with a stub in place of the runtime.

use object::{Object, ObjectSection};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use unpick_build::{BuildError, Family, Language, Toolchain, Unit, UnseenKind};

const ENTRY: &str = "UNPICK_TEST_WORDS";

/// Not a test of its own: this executable, started by the script of `Bench`, plays `unpick cc`.
#[test]
fn entry() {
    let Ok(file) = std::env::var(ENTRY) else { return };
    let words: Vec<_> =
        std::fs::read(file).unwrap().split(|b| *b == 0).map(|w| w.to_vec()).collect();
    let words: Vec<_> = words.into_iter().map(OsString::from_vec).collect();
    let language = if words[0] == "c++" { Language::Cxx } else { Language::C };
    let result =
        unpick_build::cc(language, &words[1..words.len() - 1], &Toolchain::discover().unwrap());
    let status = result.unwrap_or_else(|e| {
        eprintln!("unpick: {e}");
        e.exit_status()
    });
    std::process::exit(status);
}

fn runtime() -> &'static Path {
    static DIR: OnceLock<tempfile::TempDir> = OnceLock::new();
    let dir = DIR.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let at = |n: &str| dir.path().join(n);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stub_runtime.c");
        let run = |c: &mut Command| assert!(c.status().unwrap().success(), "{c:?}");
        run(Command::new("clang-19")
            .args(["-O1", "-fPIC", "-c"])
            .arg(source)
            .arg("-o")
            .arg(at("rt.o")));
        run(Command::new("ar").arg("rcs").arg(at("libunpick_rt.a")).arg(at("rt.o")));
        std::fs::create_dir(at("include")).unwrap();
        std::fs::write(at("include/unpick.h"), "#define UNPICK_HEADER 1\n").unwrap();
        dir
    });
    dir.path()
}

fn tools() -> Toolchain {
    Toolchain {
        family: Family::Clang,
        cc: "clang-19".into(),
        cxx: "clang++-19".into(),
        quick_driver: None,
        objcopy: "llvm-objcopy-19".into(),
        disassembler: "llvm-dis-19".into(),
        assembler: "llvm-as-19".into(),
        runtime: runtime().join("libunpick_rt.a"),
        include: runtime().join("include"),
    }
}

/// A folder to work in, with a `cc` and a `c++`.
struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { dir: tempfile::tempdir().unwrap() };
        let exe = std::env::current_exe().unwrap();
        for driver in ["cc", "c++"] {
            let script = format!(
                "#!/bin/sh\nf=$(mktemp)\ntrap 'rm -f $f' 0\nprintf '%s\\0' {driver} \"$@\" > $f\n\
                 {ENTRY}=$f UNPICK_RUNTIME='{}' UNPICK_INCLUDE='{}' '{}' --exact entry --nocapture -q\n",
                tools().runtime.display(),
                tools().include.display(),
                exe.display()
            );
            bench.file(driver, &script);
            std::fs::set_permissions(bench.at(driver), std::fs::Permissions::from_mode(0o755))
                .unwrap();
        }
        bench
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        std::fs::write(self.at(name), text).unwrap();
        self.at(name)
    }

    /// A line of shell, in the folder, with `$CC` and `$CXX` set.
    fn sh(&self, line: &str) -> Output {
        self.sh_with(line, Stdio::null())
    }

    fn sh_with(&self, line: &str, stdin: Stdio) -> Output {
        Command::new("sh")
            .args(["-ec", line])
            .current_dir(self.dir.path())
            .env("CC", self.at("cc"))
            .env("CXX", self.at("c++"))
            .env_remove("UNPICK_OPT")
            .stdin(stdin)
            .output()
            .unwrap()
    }

    fn ok(&self, line: &str) -> String {
        let output = self.sh(line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success(),
            "{line}\n{said}{}",
            String::from_utf8_lossy(&output.stdout)
        );
        said
    }

    fn units(&self, name: &str) -> Vec<Unit> {
        unpick_build::units(&self.at(name)).unwrap()
    }
}

fn sources(units: &[Unit]) -> Vec<&str> {
    units.iter().map(|u| u.manifest.source.rsplit('/').next().unwrap()).collect()
}

/// Disassembles the bitcode, when there is something to do it with.
fn disassemble(unit: &Unit) -> Option<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &unit.bitcode).unwrap();
    match Command::new("llvm-dis-19").arg(file.path()).args(["-o", "-"]).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8(output.stdout).unwrap())
        }
        Err(e) => {
            eprintln!("skipped: llvm-dis-19: {e}");
            None
        }
    }
}

const MAIN: &str =
    "int twice(int); int g; int main(void) { g = 4; return twice(g) == 8 ? 0 : 1; }\n";
const TWICE: &str = "int calls; int twice(int x) { calls++; return 2 * x; }\n";

#[test]
fn several_units_of_c() {
    let bench = Bench::new();
    let a = bench.file("a.c", MAIN);
    let b = bench.file("b.c", TWICE);
    let out = bench.at("prog");
    unpick_build::build_program(&[a.clone(), b.clone()], &[], &out, &tools()).unwrap();
    let moved = bench.at("elsewhere/p");
    std::fs::create_dir(bench.at("elsewhere")).unwrap();
    std::fs::rename(out, &moved).unwrap();
    assert!(Command::new(&moved).status().unwrap().success());
    assert!(unpick_build::is_instrumented(&moved).unwrap());

    let units = unpick_build::units(&moved).unwrap();
    assert_eq!(sources(&units), ["a.c", "b.c"]);
    let manifest = &units[0].manifest;
    assert_eq!(Path::new(&manifest.source), a);
    assert_eq!((&*manifest.language, &*manifest.optimisation), ("c", "0"));
    assert!(manifest.compiler.contains("clang version 19"), "{}", manifest.compiler);
    assert!(manifest.arguments.iter().any(|w| w == "-fsanitize=thread"));
    assert_ne!(manifest.id, units[1].manifest.id);
    let sum = Command::new("sha256sum").arg(&a).output().unwrap().stdout;
    assert_eq!(manifest.source_digest, format!("sha256:{}", String::from_utf8_lossy(&sum[..64])));
    for unit in &units {
        let Some(text) = disassemble(unit) else { return };
        assert!(text.contains("call void @__tsan_write4"), "{text}");
        assert!(text.contains("@__sanitizer_cov_trace_pc_guard"), "{text}");
    }

    // The same again is the same to the last byte.
    let again = bench.at("again");
    unpick_build::build_program(&[a, b], &[], &again, &tools()).unwrap();
    assert!(std::fs::read(again).unwrap() == std::fs::read(&moved).unwrap());

    // Not loaded: no flags, no address.
    let bytes = std::fs::read(&moved).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let section = file.section_by_name(".unpick.units").unwrap();
    assert_eq!(section.flags(), object::SectionFlags::Elf { sh_flags: 0 });
    assert_eq!(section.address(), 0);
}

#[test]
fn cxx_with_exceptions_templates_and_threads() {
    let bench = Bench::new();
    bench.file("t.h", "template<class T> T half(T x) { if (x % 2) throw x; return x / 2; }\n");
    let a = bench.file(
        "a.cpp",
        "#include \"t.h\"\n#include <thread>\nint other(); int g;\n\
         int main() { std::thread t([] { try { half(3); } catch (int x) { g = x; } }); t.join();\n\
         return g == 3 && other() == 2 && half(8) == 4 ? 0 : 1; }\n",
    );
    let b = bench.file("b.cc", "#include \"t.h\"\nint other() { return half(4); }\n");
    let out = bench.at("prog");
    unpick_build::build_program(&[a, b], &[], &out, &tools()).unwrap();
    assert!(Command::new(&out).status().unwrap().success());
    let units = unpick_build::units(&out).unwrap();
    assert_eq!(sources(&units), ["a.cpp", "b.cc"]);
    assert!(units.iter().all(|u| u.manifest.language == "c++"));
    let Some(text) = disassemble(&units[0]) else { return };
    assert!(text.contains("invoke"));
}

#[test]
fn compile_then_link_archive_and_relocatable() {
    let bench = Bench::new();
    bench.file("src/a.c", MAIN);
    bench.file("src/b.c", TWICE);
    bench.file("src/unused.c", "int unused(void) { return 1; }\n");
    bench.ok("$CC -O2 -Wall -c src/a.c src/b.c src/unused.c; test -f a.o; test -f b.o");
    bench.ok("ar rcs libb.a b.o unused.o; $CC a.o -L. -lb -o prog; ./prog");
    assert_eq!(sources(&bench.units("prog")), ["a.c", "b.c"]);
    bench.ok("$CC -r a.o b.o -o both.o; $CC both.o -Wl,--gc-sections; ./a.out");
    assert_eq!(sources(&bench.units("a.out")), ["a.c", "b.c"]);
    assert_eq!(sources(&bench.units("both.o")), ["a.c", "b.c"]);
    assert!(matches!(
        unpick_build::is_instrumented(&bench.at("both.o")),
        Err(BuildError::NotAProgram { .. })
    ));
    // GNU strip keeps the section; llvm-strip does not, but the program is still known.
    bench.ok("cp prog s1; strip s1; ./s1; $CC a.o b.o -s -Wl,-s,--strip-all -o s2");
    assert_eq!(bench.units("s1").len(), 2);
    bench.ok("nm s2 | grep -q twice");
    if bench.sh("cp prog s3; llvm-strip-19 s3").status.success() {
        assert_eq!(bench.units("s3"), []);
        assert!(unpick_build::is_instrumented(&bench.at("s3")).unwrap());
    }
}

#[test]
fn shared_libraries_linked_and_opened() {
    let bench = Bench::new();
    bench.file("a.c", MAIN);
    bench.file("b.c", "#include <string.h>\nint calls; char *two = \"ab\"; int twice(int x) { calls++; return x * (int)strlen(two); }\n");
    bench.file(
        "open.c",
        "#include <dlfcn.h>\n#include <stdio.h>\nextern int unpick_wrapped, unpick_events;\n\
         int main(void) { void *h = dlopen(\"./libb.so\", RTLD_NOW); if (!h) { puts(dlerror()); return 1; }\n\
         int (*f)(int) = (int (*)(int))dlsym(h, \"twice\"); int before = unpick_events;\n\
         return f(4) == 8 && unpick_wrapped > 0 && unpick_events > before ? 0 : 1; }\n",
    );
    bench.ok("$CC -fPIC -shared -Wl,-z,defs -Wl,--no-undefined b.c -o libb.so");
    bench.ok("$CC a.c -o prog ./libb.so; ./prog; $CC open.c -o opener -ldl; ./opener");
    assert_eq!(sources(&bench.units("prog")), ["a.c"]);
    assert_eq!(sources(&bench.units("libb.so")), ["b.c"]);
    assert!(matches!(
        unpick_build::is_instrumented(&bench.at("libb.so")),
        Err(BuildError::NotAProgram { .. })
    ));
    // A program of shared libraries only.
    bench.ok("$CC -fPIC -shared a.c -o liba.so; $CC -Wl,--no-as-needed ./liba.so ./libb.so -o thin; ./thin");
    assert!(unpick_build::is_instrumented(&bench.at("thin")).unwrap());
    assert_eq!(bench.units("thin"), []);
    if bench.sh("ld.gold --version").status.success() {
        bench.ok("$CC open.c -fuse-ld=gold -o opener -ldl; ./opener");
    }
}

#[test]
fn what_configure_does() {
    let bench = Bench::new();
    bench.file(
        "conftest.c",
        "#include <math.h>\nint main(int c, char **v) { (void)v; return cos(c) > 2; }\n",
    );
    bench.ok("$CC --version | grep -q 'clang version 19'; $CC -v 2>&1 | grep -q Target; $CC -dumpmachine | grep -q linux");
    bench.ok("$CC -o conftest conftest.c -lm; ./conftest");
    bench.ok(
        "$CC -E conftest.c | grep -q main; $CC -print-prog-name=ld; $CC -Wl,--version | grep -q ld",
    );
    bench.ok(
        "$CC -c conftest.c -o /dev/null; test -c /dev/null; $CC -x c -c /dev/null -o /dev/null",
    );
    bench.ok("$CC -M conftest.c | grep -q 'conftest.o:'; $CC -S conftest.c -o - | grep -q cos; $CC -fsyntax-only conftest.c");
    assert!(!bench.sh("$CC -V").status.success());
    assert!(!bench.sh("$CC").status.success());
    bench.file("missing.c", "int nowhere(void); int main(void) { return nowhere(); }\n");
    let output = bench.sh("$CC missing.c -o missing");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere"));
}

#[test]
fn dependency_files_land_where_the_build_looks() {
    let bench = Bench::new();
    bench.file("src/b.h", "int twice(int);\n");
    bench.file("src/b.c", &format!("#include \"b.h\"\n{TWICE}"));
    bench.file("src/a.c", MAIN);
    let read = |n: &str| std::fs::read_to_string(bench.at(n)).unwrap();
    bench.ok("mkdir o; $CC -MD -c src/b.c -o o/b.o");
    assert!(read("o/b.d").starts_with("o/b.o: src/b.c src/b.h"), "{}", read("o/b.d"));
    bench.ok("$CC -MMD -c src/b.c");
    assert!(read("b.d").starts_with("b.o: src/b.c src/b.h"));
    bench.ok("mkdir deps; $CC -MD -MP -MF deps/x.d -MT x/y.o -c src/b.c");
    assert!(read("deps/x.d").starts_with("x/y.o: "));
    bench.ok("$CC -Wp,-MMD,o/.b.o.d -c src/b.c -o o/b.o");
    assert!(read("o/.b.o.d").starts_with("o/b.o: "));
    bench.ok("$CC -MMD src/a.c src/b.c -o prog");
    assert!(read("prog-b.d").starts_with("prog: src/b.c"));
}

#[test]
fn response_files_standard_input_and_odd_names() {
    let bench = Bench::new();
    bench.file(
        "it's a.c",
        "#ifndef WORD\n#error\n#endif\nint main(void) { return sizeof(WORD) == 4 ? 0 : 1; }\n",
    );
    bench.file("words", "-DWORD='\"a b\"'\n\"it's a.c\" -o prog\n");
    bench.ok("$CC @words; ./prog");
    bench.ok("echo 'int main(void) { return 0; }' > in; $CC -x c - -o p2 < in; ./p2");
    assert_eq!(bench.units("p2")[0].manifest.source, "<stdin>");
    bench.file("-dash.c", MAIN);
    bench.file("b.c", TWICE);
    bench.ok("$CC -o p3 -- b.c -dash.c; ./p3");
    bench.ok("cp b.c text; $CC -x c -c text -o t.o; $CC -E b.c -o b.i; $CC -c b.i -o i.o");
    assert_eq!(sources(&bench.units("i.o")), ["b.i"]);
    bench.file("s.S", ".globl asm_seven\nasm_seven: mov $7, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n");
    bench.file("m.c", "int asm_seven(void); int main(void) { return asm_seven() - 7; }\n");
    bench.ok("$CC m.c s.S -o p4; ./p4");
    // A command line too long for one argument list entry, through our own response file.
    let many: String = (0..6000).map(|n| format!("-DSOME_LONG_NAME_{n}={n}\n")).collect();
    bench.file("many", &format!("{many} -DWORD=\\\"abc\\\" \"it's a.c\" -o p5"));
    bench.ok("$CC @many; ./p5");
}

#[test]
fn flags_in_our_way_are_taken_out() {
    let bench = Bench::new();
    bench.file(
        "a.c",
        "#include <string.h>\n#include <unpick.h>\n#if !__UNPICK__ || !UNPICK_HEADER || defined __OPTIMIZE__\n#error\n#endif\n\
         int g; int main(int c, char **v) { char b[9]; strncpy(b, *v, 8); g = c; return 0; }\n",
    );
    let flags = "-O3 -g0 -flto -fsanitize=thread --param max-inline-insns-single=9 -fipa-pta -Wno-maybe-uninitialized -Wl,-O1 -D_FORTIFY_SOURCE=2 -Wall -Werror --coverage -pg -fPIE \
                 -ffunction-sections -fdata-sections -fomit-frame-pointer -pipe -march=x86-64";
    let said = bench.ok(&format!("$CC {flags} a.c -o prog; ./prog"));
    assert_eq!(said, "");
    bench.ok("nm prog | grep -q ' main'; ! nm prog | grep -q -e __asan -e __gcov; readelf -S prog | grep -q debug_info");
    bench.ok(
        "$CC -O2 -flto -fsanitize=address -D_FORTIFY_SOURCE=2 -E a.c -o a.i; ! grep -q _chk a.i",
    );
    let unit = &bench.units("prog")[0];
    assert!(unit.manifest.arguments.contains(&"-ffunction-sections".to_owned()));
    bench.ok("sed -i 's/ || defined __OPTIMIZE__//' a.c; UNPICK_OPT=1 $CC -O3 a.c -o prog; ./prog");
    assert_eq!(bench.units("prog")[0].manifest.optimisation, "1");
}

/// Options that only gcc knows are no reason to fail, and a probe for a flag that nobody knows fails.
#[test]
fn what_projects_for_gcc_write() {
    let bench = Bench::new();
    bench.file("a.c", "int main(void) { return 0; }\n");
    let flags = "-Wall -Werror -Wno-maybe-uninitialized -Wlogical-op -fipa-pta -fno-gcse -fuse-linker-plugin \
                 --param max-inline-insns-single=9 -mno-accumulate-outgoing-args -save-temps -pipe";
    bench.ok(&format!("$CC {flags} a.c -o p; ./p; $CC {flags} -E a.c -o a.i; $CC {flags} -M a.c"));
    bench.ok("test \"$(ls)\" = \"$(printf 'a.c\\na.i\\nc++\\ncc\\np')\"");
    for flag in ["-fno-such-flag", "-no-such-flag", "-mno-such-machine", "-std=c12345"] {
        assert!(!bench.sh(&format!("$CC {flag} -c a.c -o x.o")).status.success(), "{flag}");
        assert!(!bench.at("x.o").exists());
    }
    // Response files in response files, with quotes; the last `-o` counts.
    bench.file("inner", "-DX='1' \"-D Y=2\"");
    bench.file("outer", "@inner -o nowhere a.c -o 'out p'");
    bench.ok("$CC @outer; ./'out p'; test ! -e nowhere");
}

#[test]
fn what_is_not_instrumented_is_on_record() {
    let bench = Bench::new();
    bench.file("a.S", ".globl f\nf: ret\n.section .note.GNU-stack,\"\",@progbits\n");
    bench.file("note.s", ".section .note.GNU-stack,\"\",@progbits\n");
    bench.file("b.c", "int x;\nvoid g(void) {\n  __asm__(\"incl %0\" : \"+m\"(x));\n}\n");
    bench.ok("$CC -c a.S; $CC -c note.s; $CC -c b.c");
    let a = &bench.units("a.o")[0];
    assert_eq!((a.manifest.unseen[0].kind, a.bitcode.len()), (UnseenKind::ForeignFile, 0));
    assert!(!a.is_by_gcc());
    assert!(matches!(
        unpick_build::units(&bench.at("note.o")),
        Err(BuildError::NotInstrumented { .. })
    ));
    let unseen = &bench.units("b.o")[0].manifest.unseen;
    assert_eq!((unseen[0].kind, unseen[0].count), (UnseenKind::InlineAssembly, 1));
    assert_eq!((&*unseen[0].file, unseen[0].line), ("b.c", 3));
}

/// The same wrapper around gcc: hooks, dependencies, copies through our own functions, no bitcode.
#[test]
fn gcc_in_place_of_clang() {
    let bench = Bench::new();
    bench.file("b.h", "struct big { char bytes[999]; };\n");
    bench.file(
        "b.c",
        "#include \"b.h\"\n#include <string.h>\nstruct big to, from; int n;\n\
         void f(void) { memcpy(&to, &from, n++); __asm__ volatile(\"pause\"); }\n",
    );
    bench.file(
        "memcpy.c",
        "void *memcpy(void *a, const void *b, unsigned long n) { return n ? a : (void *)b; }\n",
    );
    bench.ok("export UNPICK_CC=gcc; $CC -MMD -O2 -fipa-pta -c b.c; grep -q b.h b.d; $CC -c memcpy.c; $CC --version | grep -qi gcc");
    bench.ok("nm b.o | grep -q 'U __tsan_memcpy'; nm b.o | grep -q 'U __tsan_write4'; ! nm b.o | grep -q 'U memcpy'");
    bench.ok("nm memcpy.o | grep -q 'T memcpy'");
    let unit = &bench.units("b.o")[0];
    assert!(
        unit.is_by_gcc() && unit.manifest.compiler.contains("GCC"),
        "{}",
        unit.manifest.compiler
    );
    assert_eq!(unit.manifest.unseen, []);
    bench.file("w.c", "int main(void) { return nonsense; }\n");
    let output = bench.sh("export UNPICK_CC=gcc; $CC -c w.c");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("w.c:1:25: error"));
    let absent = bench.sh("export UNPICK_CC=gcc-0; $CC -c b.c");
    assert!(!absent.status.success());
}

#[test]
fn precompiled_headers() {
    let bench = Bench::new();
    bench.file("p.h", "static inline int seven(void) { return 7; }\n");
    bench.file("a.c", "int main(void) { return seven() - 7; }\n");
    bench.ok("$CC -O2 -x c-header p.h -o p.h.pch; $CC -O2 -include p.h a.c -o prog; ./prog; \
         $CC -O2 -include-pch p.h.pch a.c -o prog; ./prog; \
         $CC -O2 -Xclang -include-pch -Xclang p.h.pch a.c -o prog; ./prog");
}

#[test]
fn refusals_say_why() {
    let bench = Bench::new();
    bench.file("a.c", "int main(void) { return 0; }\n");
    for (line, word) in [
        ("$CC -static a.c", "static"),
        ("$CC -m32 -c a.c", "64-bit"),
        ("$CC -fsanitize=address -c a.c", "sanitizer"),
        ("$CC a.o -fsanitize=undefined -o p", "sanitizer"),
    ] {
        let output = bench.sh(line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{said}");
    }
    bench.ok("$CC -static -c a.c");
}

#[test]
fn compile_errors_carry_the_diagnostics() {
    let bench = Bench::new();
    let a = bench.file("a.c", "int main(void) { return nonsense; }\n");
    let b = bench.file("b.c", "int f(void) { return rubbish; }\n");
    let error = unpick_build::build_program(&[a, b], &[], &bench.at("p"), &tools()).unwrap_err();
    let BuildError::Compiler { status, diagnostics, .. } = &error else { panic!("{error}") };
    assert_eq!(*status, 1);
    assert!(
        diagnostics.contains("a.c:1:25: error: use of undeclared identifier 'nonsense'"),
        "{diagnostics}"
    );
    assert!(diagnostics.contains("rubbish"), "{diagnostics}");
    assert!(!bench.at("p").exists());

    let output = bench.sh("$CC -c a.c -o a.o");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("nonsense") && !bench.at("a.o").exists()
    );

    let tools = tools();
    let missing = unpick_build::build_program(&[bench.at("no.c")], &[], &bench.at("p"), &tools);
    assert!(matches!(missing, Err(BuildError::Missing { .. })));
    let text = bench.file("x.txt", "");
    let unknown = unpick_build::build_program(&[text], &[], &bench.at("p"), &tools);
    assert!(matches!(unknown, Err(BuildError::UnknownLanguage { .. })));
    let c = bench.file("c.c", MAIN);
    let only_object = unpick_build::build_program(&[c], &["-c".into()], &bench.at("p"), &tools);
    assert!(matches!(only_object, Err(BuildError::Refused { .. })));
}

#[test]
fn an_output_that_cannot_be_written() {
    let bench = Bench::new();
    let a = bench.file("a.c", "int main(void) { return 0; }\n");
    let words = |out: &Path| [OsString::from("-c"), a.clone().into(), "-o".into(), out.into()];
    for out in ["no/such/folder/a.o", "a.c/a.o", "."] {
        let result = unpick_build::cc(Language::C, &words(&bench.at(out)), &tools());
        assert!(matches!(result, Err(BuildError::Write { .. })), "{out}: {result:?}");
    }
    let program = unpick_build::build_program(
        std::slice::from_ref(&a),
        &[],
        &bench.at("no/such/p"),
        &tools(),
    );
    // Its scratch folder lies beside it, and is the first thing that cannot be made.
    assert!(matches!(program, Err(BuildError::Write { .. })), "{program:?}");
    let absent = Toolchain { cc: "/no/clang".into(), ..tools() };
    let result = unpick_build::build_program(&[a], &[], &bench.at("p"), &absent);
    assert!(matches!(result, Err(BuildError::Start { .. })));
}

#[test]
fn programs_that_are_none() {
    let bench = Bench::new();
    let check = |p: &Path| (unpick_build::is_instrumented(p), unpick_build::units(p));
    assert!(matches!(
        check(&bench.at("none")),
        (Err(BuildError::Missing { .. }), Err(BuildError::Missing { .. }))
    ));
    let script = bench.file("script", "#!/bin/sh\n");
    assert!(matches!(check(&script).0, Err(BuildError::NotElf { script: true, .. })));
    let empty = bench.file("empty", "");
    assert!(matches!(check(&empty).1, Err(BuildError::NotElf { script: false, .. })));
    let cut = bench.file("cut", "\u{7f}ELF\u{2}\u{1}\u{1}");
    assert!(matches!(check(&cut).0, Err(BuildError::Corrupted { .. })));
    bench.file("a.c", "int main(void) { return 0; }\n");
    bench.ok("clang-19 a.c -o plain");
    let (instrumented, units) = check(&bench.at("plain"));
    assert!(!instrumented.unwrap());
    assert!(matches!(units, Err(BuildError::NotInstrumented { .. })));
    let required = unpick_build::require_instrumented(&bench.at("plain")).unwrap_err().to_string();
    assert!(required.contains("not built with `unpick cc`"), "{required}");
    assert!(matches!(check(bench.dir.path()).0, Err(BuildError::Read { .. })));
}

#[test]
fn a_corrupted_section_is_an_error_and_never_a_panic() {
    let bench = Bench::new();
    let a = bench.file("a.c", "int main(void) { return 0; }\n");
    let program = bench.at("p");
    unpick_build::build_program(&[a], &[], &program, &tools()).unwrap();
    let bytes = std::fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let (start, size) = file.section_by_name(".unpick.units").unwrap().file_range().unwrap();
    for at in [0, 8, 12, 20, 28, 36, size / 2, size - 1] {
        let mut broken = bytes.clone();
        broken[(start + at) as usize] ^= 0x55;
        std::fs::write(&program, broken).unwrap();
        let error = unpick_build::units(&program).unwrap_err();
        assert!(matches!(error, BuildError::Corrupted { offset: 0, .. }), "{at}: {error}");
    }
    // Anywhere in the headers of the file.
    for at in (0..64).chain(bytes.len() - 2000..bytes.len()) {
        let mut broken = bytes.clone();
        broken[at] ^= 0xff;
        std::fs::write(&program, broken).unwrap();
        let _ = (unpick_build::units(&program), unpick_build::is_instrumented(&program));
    }
    for length in (0..bytes.len()).step_by(257) {
        std::fs::write(&program, &bytes[..length]).unwrap();
        assert!(unpick_build::units(&program).is_err());
    }
}

#[test]
fn names_that_are_not_utf8() {
    let bench = Bench::new();
    let name = OsString::from_vec(b"\xff.c".to_vec());
    std::fs::write(bench.dir.path().join(&name), "int main(void) { return 0; }\n").unwrap();
    let out = bench.dir.path().join(OsString::from_vec(b"\xfe.o".to_vec()));
    let words = [
        OsString::from("-c"),
        bench.dir.path().join(&name).into(),
        "-o".into(),
        out.clone().into(),
    ];
    assert_eq!(unpick_build::cc(Language::C, &words, &tools()).unwrap(), 0);
    assert!(out.as_os_str().as_bytes().ends_with(b"\xfe.o") && out.exists());
    assert_eq!(unpick_build::units(&out).unwrap().len(), 1);
}
