//! The JSON document, and the summary on a terminal.

mod common;

use common::*;
use serde_json::json;
use unpick_model::*;
use unpick_report::{Document, ShowOptions, Stats, SummaryOptions, finding, summary};

fn explored() -> Document {
    let mut document = Document::new("explore", Verdict::Bug);
    document.reason = Some("first failure".into());
    document.stats = Stats {
        strategy: "dpor".into(),
        runs: 115,
        passing: 89,
        failing: 26,
        runs_to_first_bug: Some(4),
        classes: None,
        redundant: None,
        strayed: None,
        repeated: None,
        interleavings: None,
        events: 2411,
        seconds: 0.080_04,
        jobs: 2,
        identical: None,
        learned: 3,
    };
    document.findings.push(finding(&bank(), Some("unpick-out/a b.unpick"), &["replay"]).unwrap());
    document
}

#[test]
fn the_contract() {
    let mut document = explored();
    document.more.insert("optimal".into(), true.into());
    assert_eq!(
        document.to_json(),
        json!({
            "schema": "unpick/1", "command": "explore", "verdict": "bug", "complete": false,
            "reason": "first failure", "memory_model": "sc", "optimal": true,
            "stats": { "strategy": "dpor", "runs": 115, "passing": 89, "failing": 26,
                       "runs_to_first_bug": 4, "events": 2411, "seconds": 0.08, "jobs": 2, "learned": 3 },
            "findings": [ { "kind": "assertion", "message": "balance == 200", "confirmed": true,
                            "confirmed_by": ["replay"], "predicted": false,
                            "trace": "unpick-out/a b.unpick", "schedule": "u1:0+2.1+2.2+4.1+2.0+3",
                            "sites": [ { "thread": 0, "file": "/home/u/bank.c", "line": 18, "column": 5,
                                         "function": "main", "operation": "assert",
                                         "stack": ["main (/home/u/bank.c:18)"] } ] } ],
            "warnings": [],
        })
    );
    let text = document.to_json_text();
    assert!(text.starts_with("{\n  \"schema\": \"unpick/1\",\n  \"command\": \"explore\","));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), document.to_json());
}

#[test]
fn a_summary_of_a_bug() {
    let expected = "\
✗ assertion failed: balance == 200   bank.c:18 in main
    18 │ assert(balance == 200);
  found in run 4; 115 runs (26 failed) with dpor in 0.08 s
  schedule  u1:0+2.1+2.2+4.1+2.0+3
  show      unpick trace show 'unpick-out/a b.unpick'
  replay    unpick replay 'unpick-out/a b.unpick'
";
    let options = SummaryOptions::default();
    assert_eq!(summary(&explored(), Some(&bank()), &options, &sources), expected);
}

#[test]
fn what_is_not_confirmed_looks_otherwise() {
    let mut document = explored();
    document.findings[0].confirmed = false;
    let options = SummaryOptions::default();
    for trace in [Some(&bank()), None] {
        let text = summary(&document, trace, &options, &sources);
        assert!(text.starts_with("? not confirmed: assertion failed"), "{text}");
        assert!(!text.contains('✗'), "{text}");
    }
}

#[test]
fn a_summary_with_the_run_and_more() {
    let mut document = explored();
    document.complete = true;
    document.findings.push(finding(&deadlock(), None, &[]).unwrap());
    document.warnings = (1..=5).map(|i| format!("number {i}")).collect();
    let show = ShowOptions { limit: Some(2), width: 80, ..ShowOptions::default() };
    let options = SummaryOptions { show: Some(show), ..SummaryOptions::default() };
    let expected = "\
✗ assertion failed: balance == 200   bank.c:18 in main
    18 │ assert(balance == 200);

… 11 earlier steps left out
 13   T0 main  join T2             bank.c:17  pthread_join(b, 0);
 14   T0 main  read balance = 150  bank.c:18  assert(balance == 200);

  also: not confirmed: deadlock: T0 waits for T1 to end; T1 waits for mutex b (held by T2); T2 waits for mutex a (held by T1)   dead.c:20
  found in run 4; 115 runs (26 failed) with dpor in 0.08 s, every interleaving covered
  schedule  u1:0+2.1+2.2+4.1+2.0+3
  show      unpick trace show 'unpick-out/a b.unpick'
  replay    unpick replay 'unpick-out/a b.unpick'
  warning: number 1
  warning: number 2
  warning: number 3
  … 2 more warnings
";
    assert_eq!(summary(&document, Some(&bank()), &options, &sources), expected);
}

#[test]
fn summaries_without_a_bug() {
    let tell = |verdict, complete, reason: Option<&str>| {
        let mut document = explored();
        document.findings.clear();
        (document.verdict, document.complete) = (verdict, complete);
        document.reason = reason.map(str::to_string);
        document.stats.interleavings = complete.then_some(20);
        summary(&document, None, &SummaryOptions::default(), &no_sources)
    };
    assert_eq!(
        tell(Verdict::Clean, true, None),
        "✓ no interleaving fails: all covered, 20 interleavings, 115 runs with dpor in 0.08 s\n"
    );
    assert_eq!(
        tell(Verdict::Clean, false, Some("time limit")),
        "✓ no failure in 115 runs with dpor in 0.08 s\n  \
         not every interleaving was covered (time limit)\n"
    );
    assert_eq!(
        tell(Verdict::Undecided, false, Some("run limit")),
        "? undecided (run limit), 115 runs with dpor in 0.08 s\n"
    );
}
