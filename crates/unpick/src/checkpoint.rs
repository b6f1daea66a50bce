//! An exploration that was stopped, kept in the output folder: `explore --continue` goes on from there.
//!
//! It holds what the strategy has left to try, what is learned, the counts, and the schedules of the failing
//! runs; those are run again when it is continued, so that what is told in the end is all that was found. It is
//! written every few seconds, beside the old one, so that a killed exploration loses little, and removed when
//! there is nothing left to do. Its last line is a checksum: what has been damaged is not believed.

use crate::common::Problem;
use crate::explore::Explore;
use crate::failures::Failure;
use crate::target::Target;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use unpick_engine::{Config, Executor, Learned, Strategy, Summary};
use unpick_model::{Plan, Schedule, SharedRange};

/// Raised when the meaning changes.
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
pub struct Checkpoint {
    version: u32,
    /// What was explored, and how: it must be the same again.
    what: Vec<String>,
    strategy: Box<RawValue>,
    learned: Vec<(u64, u64)>,
    pub summary: Summary,
    failures: Vec<KeptFailure>,
}

#[derive(Serialize, Deserialize)]
struct KeptFailure {
    schedule: Schedule,
    /// How much was learned when it was found.
    shared: usize,
    world: Vec<u8>,
    saved: Option<PathBuf>,
}

/// Where it is kept.
pub fn path(command: &Explore, target: &Target) -> PathBuf {
    command.common.out.join(format!("{}.explore", target.name))
}

/// All that a continuation must have in common with what it continues.
fn identity(command: &Explore, target: &Target, config: &Config, steps: u64) -> Vec<String> {
    let build = unpick_symbols::build_id(&target.program).unwrap_or_default();
    vec![
        format!("program {build}"),
        format!("arguments {:?}", target.args),
        format!("strategy {}", command.strategy),
        format!("seed {}", command.common.seed),
        command.limits(steps),
        format!("surroundings {:?}", config.surroundings),
    ]
}

pub fn save(
    (command, target, config, steps): (&Explore, &Target, &Config, u64),
    strategy: &dyn Strategy,
    learned: &Learned,
    summary: &Summary,
    failures: &[Failure],
) -> Result<bool, Problem> {
    let Some(strategy) = strategy.save() else { return Ok(false) };
    let path = path(command, target);
    let failures = failures.iter().map(|failure| KeptFailure {
        schedule: failure.run.schedule.clone(),
        shared: failure.shared.len(),
        world: failure.run.world.clone(),
        saved: failure.saved.clone(),
    });
    #[derive(Serialize)]
    struct Written<'a> {
        version: u32,
        what: Vec<String>,
        strategy: Box<RawValue>,
        learned: Vec<(u64, u64)>,
        summary: &'a Summary,
        failures: Vec<KeptFailure>,
    }
    let written = Written {
        version: VERSION,
        what: identity(command, target, config, steps),
        strategy,
        learned: learned.ranges().iter().map(|range| (range.address, range.bytes)).collect(),
        summary,
        failures: failures.collect(),
    };
    let wrong =
        |error: std::io::Error| Problem::Input(format!("cannot write {}: {error}", path.display()));
    let beside = path.with_extension("explore-new");
    let text = serde_json::to_string(&written).map_err(|error| wrong(error.into()))?;
    let written =
        std::fs::write(&beside, sealed(text)).and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written.map_err(wrong)?;
    Ok(true)
}

fn sealed(text: String) -> String {
    let checksum = crc32fast::hash(text.as_bytes());
    format!("{text}\n{checksum:08x}\n")
}

/// What was sealed, if it is as it was.
fn unsealed(bytes: &[u8]) -> Option<&[u8]> {
    let seal = bytes.len().checked_sub("\n01234567\n".len())?;
    let (text, seal) = bytes.split_at(seal);
    (seal == format!("\n{:08x}\n", crc32fast::hash(text)).as_bytes()).then_some(text)
}

/// Nothing is left to do.
pub fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}

pub fn load(
    (command, target, config, steps): (&Explore, &Target, &Config, u64),
    strategy: &mut dyn Strategy,
) -> Result<Checkpoint, Problem> {
    let path = path(command, target);
    let wrong = |what: &str| Problem::Input(format!("{}: {what}", path.display()));
    let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Problem::Input(format!(
            "nothing to continue: there is no {} (an exploration that has ended, or that had too much left to try, leaves none)",
            path.display()
        )),
        _ => wrong(&error.to_string()),
    })?;
    let text = unsealed(&bytes).ok_or_else(|| {
        wrong("damaged, or kept by another version of Unpick: its checksum is not that of what it holds")
    })?;
    let checkpoint: Checkpoint = serde_json::from_slice(text)
        .map_err(|error| wrong(&format!("not an exploration that was stopped: {error}")))?;
    if checkpoint.version != VERSION {
        return Err(wrong("kept by another version of Unpick"));
    }
    let now = identity(command, target, config, steps);
    if let Some((before, now)) =
        checkpoint.what.iter().zip(&now).find(|(before, now)| before != now)
    {
        return Err(wrong(&format!("it was another exploration: {before}, and now {now}")));
    }
    if !strategy.restore(&checkpoint.strategy) {
        return Err(wrong("damaged: the strategy cannot go on from it"));
    }
    Ok(checkpoint)
}

impl Checkpoint {
    pub fn learned(&self) -> Learned {
        let range = |&(address, bytes): &(u64, u64)| SharedRange { address, bytes };
        Learned::from_ranges(&self.learned.iter().map(range).collect::<Vec<_>>())
    }

    /// Runs the failing schedules once more.
    pub fn failures(
        &self,
        config: &Config,
        adjust: &dyn Fn(&mut Plan),
    ) -> Result<Vec<Failure>, Problem> {
        let learned = self.learned();
        let mut failures = Vec::new();
        for kept in &self.failures {
            let shared = learned.ranges()[..kept.shared.min(learned.len())].to_vec();
            let mut executor = Executor::start(config.clone(), Learned::from_ranges(&shared))?;
            let mut plan = Plan::replay(kept.schedule.clone(), &kept.world);
            adjust(&mut plan);
            let run = executor.execute(&plan)?;
            failures.push(Failure { run, shared, plan, saved: kept.saved.clone() });
        }
        Ok(failures)
    }
}
