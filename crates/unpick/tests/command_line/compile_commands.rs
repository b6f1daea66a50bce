//! Sources whose options are in `compile_commands.json`.

use crate::sandbox::{Answer, Sandbox};

/// Two files that need different options, one of which breaks what the other computes.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("include/limits/count.h", "#define COUNT 2\n");
    let main = "#include <assert.h>\n#include <count.h>\nint half(void);\n#ifndef CONFIGURED\n#error not configured\n#endif\n\
                int main(void) {\n  assert(half() * 2 == COUNT + EXTRA);\n  return 0;\n}\n";
    sandbox.write("src/main.c", main);
    sandbox.write("src/config.h", "#define CONFIGURED 1\n");
    sandbox.write(
        "src/half.c",
        "#ifdef CONFIGURED\n#error of the other one\n#endif\nint half(void) { return HALF; }\n",
    );
    sandbox
}

fn commands(extra: u32) -> String {
    format!(
        r#"[ {{ "directory": "../src", "file": "main.c", "output": "main.o",
               "command": "cc -I../include/limits -include config.h '-DEXTRA={extra}' -o main.o -c main.c" }},
             {{ "directory": "../src", "file": "half.c",
               "arguments": ["cc", "-D", "HALF=1", "-MD", "-MF", "half.d", "-c", "half.c", "-o", "half.o"] }} ]"#
    )
}

fn explored(sandbox: &Sandbox, words: &[&str]) -> Answer {
    sandbox.call(&[&["explore", "--json", "src/main.c", "src/half.c"], words].concat())
}

#[test]
fn found_where_it_usually_is() {
    let sandbox = project();
    explored(&sandbox, &[]).refused_in_json("explore", &["count.h"]);
    sandbox.write("build/compile_commands.json", commands(0));
    explored(&sandbox, &[]).expect(0);
    sandbox.call(&["check", "src/main.c", "src/half.c"]).expect(0);
    // With other values in them the assertion fails.
    sandbox.write("build/compile_commands.json", commands(1));
    let found = explored(&sandbox, &[]).expect(1).json();
    assert_eq!(found["findings"][0]["kind"], "assertion", "{found}");
    sandbox.call(&["check", "src/main.c", "src/half.c"]).expect(1);
    sandbox.call(&["localize", "src/main.c", "src/half.c", "--time", "20"]).says(&[]).no_panic();
    // Here, before `build/`.
    sandbox.write("compile_commands.json", commands(0).replace("../src", "src"));
    explored(&sandbox, &[]).expect(0);
}

#[test]
fn named() {
    let sandbox = project();
    sandbox.write("build/compile_commands.json", commands(0));
    sandbox.write("other/commands.json", commands(1));
    explored(&sandbox, &["--compile-commands", "other/commands.json"]).expect(1);
    sandbox.write(
        "unpick.toml",
        "target = ['src/main.c', 'src/half.c']\ncompile-commands = 'other/commands.json'\n",
    );
    sandbox.call(&["explore"]).expect(1);
    sandbox.call(&["explore", "--compile-commands", "build/compile_commands.json"]).expect(0);
    let answer = sandbox.call(&["run", "--time", "20", "--json"]);
    let parts = answer.expect(1).json()["parts"].clone();
    let localized = parts.as_array().expect("parts").iter().find(|part| part["name"] == "localize");
    assert!(localized.is_some_and(|part| part["status"] != 2), "{parts}");
    explored(&sandbox, &["--compile-commands", "nowhere.json"])
        .refused_in_json("explore", &["nowhere.json"]);
}

/// A change is tried with the options of the file that it changes.
#[test]
fn changes_are_tried_with_them() {
    let sandbox = Sandbox::new();
    sandbox.write("src/race.c", crate::programs::RACE.replace("seen + 1", "seen + STEP"));
    let commands =
        r#"[{ "directory": "src", "file": "race.c", "command": "cc -DSTEP=1 -c race.c" }]"#;
    sandbox.write("compile_commands.json", commands);
    let found = sandbox.call(&["localize", "src/race.c", "--json"]).expect(1).json();
    assert!(found["fixes"].as_array().is_some_and(|fixes| !fixes.is_empty()), "{found}");
}

#[test]
fn malformed() {
    let sandbox = project();
    sandbox.write("compile_commands.json", "[{ \"directory\": \".\", ]");
    explored(&sandbox, &[]).refused_in_json("explore", &["compile_commands.json", "line 1 column"]);
    sandbox.write("compile_commands.json", "[{ \"directory\": \".\", \"file\": \"a.c\" }]");
    explored(&sandbox, &[]).refused_in_json(
        "explore",
        &["compile_commands.json: a.c: neither `command` nor `arguments`"],
    );
}
