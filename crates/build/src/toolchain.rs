//! Where the compiler and Unpick's own files are.

use crate::{BuildError, Language};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const RUNTIME: &str = "libunpick_rt.a";
const HEADER: &str = "unpick.h";

/// Whose options a compiler understands, and whose instrumentation it brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Clang,
    /// Sees less (see [`mod@crate::record`]) and leaves no bitcode.
    Gcc,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    pub family: Family,
    /// The C compiler and the C++ compiler.
    pub cc: PathBuf,
    pub cxx: PathBuf,
    /// Starts the linker for C programs of clang's, too, where both would ask it for the same.
    pub quick_driver: Option<PathBuf>,
    pub objcopy: PathBuf,
    /// Makes bitcode readable, for those units that are looked at.
    pub disassembler: PathBuf,
    /// The way back, for those that are changed.
    pub assembler: PathBuf,
    /// `libunpick_rt.a`.
    pub runtime: PathBuf,
    /// The folder of `unpick.h`.
    pub include: PathBuf,
}

impl Toolchain {
    /// The compiler that `UNPICK_CC` names, else clang 19, else gcc, from `PATH`; the runtime from
    /// `UNPICK_RUNTIME`, from the build tree or from the installation that the current executable belongs
    /// to; the header from `UNPICK_INCLUDE` or beside it.
    pub fn discover() -> Result<Toolchain, BuildError> {
        let (runtime, include) = Toolchain::own_files()?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let tools = tools(&path, set("UNPICK_CC").as_deref())?;
        Ok(Toolchain { runtime, include, ..tools })
    }

    /// The runtime, and the folder of the header.
    pub fn own_files() -> Result<(PathBuf, PathBuf), BuildError> {
        let runtime = match set("UNPICK_RUNTIME") {
            Some(path) if Path::new(&path).is_file() => PathBuf::from(path),
            Some(path) => {
                let looked = format!("UNPICK_RUNTIME={}", path.display());
                return Err(BuildError::RuntimeMissing { looked });
            }
            None => {
                let exe = std::env::current_exe()
                    .map_err(|source| BuildError::Read { path: "/proc/self/exe".into(), source })?;
                find_runtime(exe.parent().unwrap_or(Path::new("/")))?
            }
        };
        let include = match set("UNPICK_INCLUDE") {
            Some(path) => PathBuf::from(path),
            None => include_beside(&runtime),
        };
        Ok((absolute(runtime), absolute(include)))
    }

    pub(crate) fn driver(&self, language: Language) -> &Path {
        match language {
            Language::C => &self.cc,
            Language::Cxx => &self.cxx,
        }
    }
}

fn set(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The programs alone.
fn tools(path: &OsStr, wanted: Option<&OsStr>) -> Result<Toolchain, BuildError> {
    let missing = |tool: &str, package: &str| BuildError::ToolMissing {
        tool: tool.to_owned(),
        package: package.to_owned(),
    };
    let need =
        |tool: &str, package: &str| find_in(path, tool).ok_or_else(|| missing(tool, package));
    let cc = match wanted.map(|name| name.to_string_lossy()) {
        Some(name) => need(&name, "that UNPICK_CC names")?,
        None => find_in(path, "clang-19")
            .or_else(|| find_in(path, "gcc"))
            .ok_or_else(|| missing("clang-19", "clang-19"))?,
    };
    let (family, cxx) = family(&cc);
    let cxx = need(&cxx.to_string_lossy(), "of the C++ compiler beside it")?;
    let nowhere = PathBuf::new;
    let (objcopy, disassembler, assembler) = match family {
        Family::Clang => (
            need("llvm-objcopy-19", "llvm-19")?,
            need("llvm-dis-19", "llvm-19")?,
            need("llvm-as-19", "llvm-19")?,
        ),
        Family::Gcc => (need("objcopy", "binutils")?, nowhere(), nowhere()),
    };
    let (runtime, include) = (nowhere(), nowhere());
    let quick_driver = find_in(path, "gcc").filter(|_| family == Family::Clang);
    Ok(Toolchain {
        family,
        cc,
        cxx,
        quick_driver,
        objcopy,
        disassembler,
        assembler,
        runtime,
        include,
    })
}

/// By the name: `clang-19` goes with `clang++-19`, `gcc-12` with `g++-12`, another `cc` is taken for gcc.
fn family(cc: &Path) -> (Family, PathBuf) {
    let name = cc.file_name().unwrap_or_default().to_string_lossy();
    let (family, cxx) = if name.contains("clang") {
        (Family::Clang, name.replacen("clang", "clang++", 1))
    } else if name.contains("gcc") {
        (Family::Gcc, name.replacen("gcc", "g++", 1))
    } else {
        (Family::Gcc, name.replacen("cc", "c++", 1))
    };
    (family, cc.with_file_name(cxx))
}

/// Makefiles change directories between one call and the next.
fn absolute(path: PathBuf) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(&path)).unwrap_or(path)
}

fn find_in(path: &OsStr, tool: &str) -> Option<PathBuf> {
    if tool.contains('/') {
        return Some(PathBuf::from(tool)).filter(|p| p.is_file());
    }
    std::env::split_paths(path).map(|dir| dir.join(tool)).find(|p| p.is_file())
}

fn find_runtime(exe_dir: &Path) -> Result<PathBuf, BuildError> {
    let mut candidates = vec![exe_dir.join(RUNTIME), exe_dir.join("../lib/unpick").join(RUNTIME)];
    // `target/debug`, `target/release/deps`, …
    candidates.extend(exe_dir.ancestors().map(|dir| dir.join("release").join(RUNTIME)));
    if let Some(found) = candidates.iter().find(|p| p.is_file()) {
        return Ok(found.clone());
    }
    let looked: Vec<_> = candidates.iter().map(|p| p.display().to_string()).collect();
    Err(BuildError::RuntimeMissing { looked: looked.join(", ") })
}

/// `target/release` has it in `include`, `lib/unpick` in `include/unpick`, both two floors up.
fn include_beside(runtime: &Path) -> PathBuf {
    let dir = runtime.parent().unwrap_or(Path::new("."));
    let candidates =
        [dir.join("../../include"), dir.join("../../include/unpick"), dir.join("include")];
    let found = candidates.iter().find(|d| d.join(HEADER).is_file());
    found.unwrap_or(&candidates[0]).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }

    #[test]
    fn build_tree_installation_and_neither() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let deps = root.join("w/target/debug/deps");
        std::fs::create_dir_all(&deps).unwrap();
        let none = find_runtime(&deps).unwrap_err().to_string();
        assert!(
            none.contains("debug/deps/libunpick_rt.a") && none.contains("UNPICK_RUNTIME"),
            "{none}"
        );

        touch(&root.join("w/target/release/libunpick_rt.a"));
        touch(&root.join("w/include/unpick.h"));
        for exe_dir in
            ["w/target/release", "w/target/debug", "w/target/debug/deps", "w/target/release/deps"]
        {
            let runtime = find_runtime(&root.join(exe_dir)).unwrap();
            assert_eq!(
                absolute(runtime.clone()),
                root.join("w/target/release/libunpick_rt.a"),
                "{exe_dir}"
            );
            assert_eq!(absolute(include_beside(&runtime)), root.join("w/include"), "{exe_dir}");
        }

        touch(&root.join("usr/lib/unpick/libunpick_rt.a"));
        touch(&root.join("usr/include/unpick/unpick.h"));
        std::fs::create_dir_all(root.join("usr/bin")).unwrap();
        let runtime = find_runtime(&root.join("usr/bin")).unwrap();
        assert_eq!(absolute(include_beside(&runtime)), root.join("usr/include/unpick"));
    }

    #[test]
    fn tools_are_looked_up_in_path() {
        let dir = tempfile::tempdir().unwrap();
        touch(&dir.path().join("b/clang-19"));
        let path = std::env::join_paths([dir.path().join("a"), dir.path().join("b")]).unwrap();
        assert_eq!(find_in(&path, "clang-19"), Some(dir.path().join("b/clang-19")));
        assert_eq!(find_in(&path, "clang++-19"), None);
        let missing = tools(&path, None).unwrap_err().to_string();
        assert!(missing.contains("clang++-19"), "{missing}");

        for tool in ["gcc", "g++", "objcopy", "gcc-7", "g++-7"] {
            touch(&dir.path().join("a").join(tool));
        }
        let only_gcc = dir.path().join("a").into_os_string();
        assert_eq!(tools(&only_gcc, None).unwrap().family, Family::Gcc);
        let seven = tools(&path, Some(OsStr::new("gcc-7"))).unwrap();
        assert_eq!(seven.cxx, dir.path().join("a/g++-7"));
        let absent = tools(&path, Some(OsStr::new("gcc-8"))).unwrap_err().to_string();
        assert!(absent.contains("gcc-8"), "{absent}");
    }
}
