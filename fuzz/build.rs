//! Finds clang's libFuzzer, which install-deps brings, and links it.

use std::process::Command;

fn main() {
    let runtime = Command::new("clang-19")
        .arg("--print-file-name=libclang_rt.fuzzer-x86_64.a")
        .output()
        .expect("clang-19 is installed (scripts/install-deps)");
    let mut path = String::from_utf8(runtime.stdout).expect("a path").trim().to_string();
    if !path.starts_with('/') {
        // Older drivers look for the runtime beside their resources only.
        let folder = Command::new("clang-19").arg("--print-resource-dir").output().expect("clang-19");
        let folder = String::from_utf8(folder.stdout).expect("a path");
        path = format!("{}/lib/linux/libclang_rt.fuzzer-x86_64.a", folder.trim());
    }
    println!("cargo::rustc-link-arg-bins={path}");
    println!("cargo::rustc-link-arg-bins=-lstdc++");
    println!("cargo::rerun-if-changed=build.rs");
}
