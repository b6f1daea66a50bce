//! Random small programs: how many interleavings they have, by the tool and by the oracle.
//!
//! `UNPICK_GENERATED=n` makes n programs, `UNPICK_GENERATED_SEED` others. A program on which the two
//! disagree is made smaller before it is shown.

#[path = "generated/many.rs"]
mod many;
#[allow(dead_code, unused_imports)]
mod oracle;
#[allow(dead_code)]
#[path = "generated/program.rs"]
mod program;
#[path = "generated/tool.rs"]
mod tool;

use many::{Checked, check_many};
use program::{Program, Text, Texts};
use tool::{build, compare, explore};

/// Programs with more interleavings are left out.
const MOST: u128 = 3000;

fn check(
    program: &Program,
    (texts, coarser): &(Texts, Vec<Text>),
    index: u64,
) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    build(folder.path(), &texts.c, &[])?;
    let models: Vec<oracle::Model> = std::iter::once(&texts.model)
        .chain(coarser)
        .map(oracle::Model::read)
        .collect::<Result<_, _>>()?;
    let counts: Vec<oracle::Count> = models.iter().map(|m| m.count()).collect::<Result<_, _>>()?;
    let jobs = if index.is_multiple_of(4) { "2" } else { "1" };
    let json = explore(folder.path(), &["--strategy", "dfs", "--jobs", jobs])?;
    compare("dfs", "interleavings", &json, &counts)?;
    if !program.yields() {
        let bound = (index % 3) as u32;
        let args =
            ["--strategy", "pcb", "--no-reduction", "--bound", &bound.to_string(), "--jobs", jobs];
        let bounded: Vec<oracle::Count> =
            models.iter().map(|m| m.count_bounded(bound)).collect::<Result<_, _>>()?;
        let json = explore(folder.path(), &args)?;
        compare(&format!("pcb {bound}"), "interleavings", &json, &bounded)?;
    }
    Ok(Checked { failing: counts[0].failing > 0, redundant: 0 })
}

#[test]
fn the_tool_counts_as_the_oracle() {
    check_many(60, MOST, |random, _| Program::random(random), check);
}

/// Found by the test above. The first failure of each run cuts the others short; what they share, and
/// what the failing thread said, must not depend on what happens to them afterwards.
#[test]
fn failures_that_hide_others() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
void *one(void *arg) { assert(arg); return arg; }
void *two(void *arg) { x = 1; return arg; }
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    int a = x;
    if (a) abort();
    assert(a);
    return 0;
}
"#;
    build(folder.path(), source, &[]).unwrap();
    let json = explore(folder.path(), &["--strategy", "dfs", "--jobs", "1"]).unwrap();
    let mut found: Vec<String> = Vec::new();
    for finding in json["findings"].as_array().unwrap() {
        let (kind, line) = (finding["kind"].as_str().unwrap(), &finding["sites"][0]["line"]);
        let message = finding["message"].as_str().unwrap();
        found.push(format!("{kind} {message} {line} {}", finding["confirmed"]));
    }
    found.sort();
    assert_eq!(found, ["abort abort 13 true", "assertion a 14 true", "assertion arg 6 true"]);
    assert_eq!(json["complete"], true);
}
