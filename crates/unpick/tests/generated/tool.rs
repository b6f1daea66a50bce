//! The tool on a program of one's own, and what it says against what the oracle counts.

use crate::oracle::Count;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN").map(PathBuf::from).unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick")
    })
}

/// `prog` in the folder, of this source.
pub fn build(folder: &Path, source: &str, args: &[&str]) -> Result<(), String> {
    std::fs::write(folder.join("prog.c"), source).map_err(|e| e.to_string())?;
    let built = Command::new(unpick())
        .args(["cc", "-pthread", "prog.c", "-o", "prog"])
        .args(args)
        .current_dir(folder)
        .output()
        .map_err(|e| format!("{}: {e} (is it built?)", unpick().display()))?;
    if !built.status.success() {
        return Err(format!("does not compile: {}", String::from_utf8_lossy(&built.stderr)));
    }
    Ok(())
}

pub fn explore(folder: &Path, args: &[&str]) -> Result<Value, String> {
    let output = Command::new(unpick())
        .args(["explore", "--all", "--json", "--out", "out"])
        .args(args)
        .arg("prog")
        .current_dir(folder)
        .output()
        .map_err(|e| format!("{}: {e} (is it built?)", unpick().display()))?;
    serde_json::from_slice(&output.stdout).map_err(|e| {
        format!("{args:?}: {e}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr))
    })
}

/// `what` is the number of the document's `stats` that is compared. Where runs fail, the tool learns what is
/// shared also from what the other threads would have done afterwards: it may then take more for shared than
/// really is, so that any of the counts behind the first will do.
pub fn compare(strategy: &str, what: &str, json: &Value, counts: &[Count]) -> Result<(), String> {
    let stats = &json["stats"];
    let total = stats[what].as_u64().map(u128::from);
    let failing = u128::from(stats["failing"].as_u64().unwrap_or(0));
    let exact = counts[0];
    let verdict = if exact.failing > 0 { "bug" } else { "clean" };
    // Runs of a pass that ended when something was found to be shared are counted, too; and those that a second
    // job made ahead of the search and that it did not want, and those made in vain.
    let one_pass = stats["learned"] == 0;
    let vain = ["repeated", "redundant"].map(|key| stats[key].as_u64().unwrap_or(0));
    let ahead = u128::from(vain.iter().sum::<u64>());
    let same = |count: &Count| {
        let most = if one_pass { count.failing + ahead } else { u128::MAX };
        total == Some(count.total) && (count.failing..=most).contains(&failing)
    };
    // Nothing in these programs depends on more than the schedule: every finding is confirmed.
    let findings = json["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let confirmed =
        findings.iter().all(|f| f["confirmed_by"].as_array().is_some_and(|by| !by.is_empty()))
            && findings.is_empty() == (exact.failing == 0)
            && !json["warnings"].to_string().contains("did not repeat");
    let right = json["verdict"] == verdict && json["complete"] == true && confirmed;
    if right && (same(&exact) || (exact.failing > 0 && !one_pass && counts.iter().any(same))) {
        return Ok(());
    }
    Err(format!(
        "{strategy}: the tool says {} ({total:?} {what}, {failing} failing, complete {}, {}, warnings {}); \
         the oracle {verdict} ({}, {} failing)",
        json["verdict"],
        json["complete"],
        json["reason"],
        json["warnings"],
        exact.total,
        exact.failing
    ))
}
