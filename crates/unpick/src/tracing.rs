//! From a run to a trace with names, saved.

use crate::common::Problem;
use crate::target::Target;
use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use unpick_model::{Event, Failure, Outcome, Plan, Program, Run, SharedRange, ThreadInfo, Trace};
use unpick_report::ShowOptions;
use unpick_symbols::{Namer, Symbols};
use unpick_trace::{Difference, Parts, Reader, Saving, Spool, TraceError, op_name};

/// The trace of a run without its events. `plan`: the one that the run was found with.
pub fn head_of(
    run: &Run,
    target: &Target,
    shared: &[SharedRange],
    plan: &Plan,
    strategy: &str,
) -> Trace {
    Trace {
        program: Program {
            path: path_text(&target.program),
            build_id: unpick_symbols::build_id(&target.program).unwrap_or_default(),
            args: target.args.clone(),
            surroundings: Default::default(),
        },
        strategy: strategy.to_string(),
        seed: plan.seed,
        schedule: run.schedule.clone(),
        shared: shared.to_vec(),
        record: plan.record,
        max_steps: plan.limits.steps,
        outcome: run.outcome.clone(),
        threads: vec![ThreadInfo::default(); run.threads.max(1) as usize],
        events: Vec::new(),
        wide: Vec::new(),
        stacks: run.stacks.clone(),
        places: Default::default(),
        names: Vec::new(),
        output: run.output.clone(),
        world: run.world.clone(),
    }
}

/// The step bound under which a run is repeated: its own where it reached that, none otherwise.
pub fn replay_bound(outcome: &Outcome, bound: u64) -> u64 {
    let reached = matches!(outcome, Outcome::StepLimit)
        || matches!(outcome, Outcome::Failed { failure: Failure::Livelock, .. });
    if reached { bound } else { u64::MAX / 2 }
}

/// Where two runs of the same schedule went apart, in words.
pub fn describe_difference(difference: &Difference, symbols: &Symbols) -> String {
    let Difference { index, expected, found } = difference;
    let place = |event: &Event| {
        symbols.place(event.pc).map_or(String::new(), |place| {
            let file = place.file.rsplit('/').next().unwrap_or_default();
            format!(" at {file}:{} in {}", place.line, place.function)
        })
    };
    let address = |event: &Option<Event>| event.map(|event| event.address);
    let elsewhere = address(expected) != address(found);
    let happened = |event: &Option<Event>| match event {
        Some(event) => format!(
            "{} of {} -> {}{} by {}{}",
            op_name(event.op),
            event.before,
            event.after,
            if elsewhere { format!(" in {:#x}", event.address) } else { String::new() },
            event.thread,
            place(event)
        ),
        None => "the end of the run".to_string(),
    };
    let (one, other) = (happened(expected), happened(found));
    format!("the first difference is event {}: {one}, and then {other}", index + 1)
}

/// Gives the events their names and saves them under the first free name `STEM-N.unpick`; where the very same run was saved
/// before, that file stands for it.
pub fn save(
    head: Trace,
    events: &mut Spool,
    symbols: &Symbols,
    folder: &Path,
    stem: &str,
) -> Result<(PathBuf, Reader<File>), Problem> {
    for n in 1.. {
        let path = folder.join(format!("{stem}-{n}.unpick"));
        // Another process may be looking for a name, too.
        match File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(Problem::Input(format!("{}: {error}", path.display()))),
            Ok(_) => {}
        }
        if let Err(error) = save_as(head, events, symbols, &path) {
            let _ = std::fs::remove_file(&path);
            return Err(error.into());
        }
        let earlier = (1..n).map(|n| folder.join(format!("{stem}-{n}.unpick")));
        let same = earlier.into_iter().find(|earlier| are_equal(earlier, &path).unwrap_or(false));
        let path = match same {
            Some(same) => {
                let _ = std::fs::remove_file(&path);
                same
            }
            None => path,
        };
        let reader = unpick_trace::open(&path)?;
        return Ok((path, reader));
    }
    unreachable!("the folder has room for another name")
}

fn are_equal(one: &Path, other: &Path) -> std::io::Result<bool> {
    Ok(std::fs::metadata(one)?.len() == std::fs::metadata(other)?.len()
        && std::fs::read(one)? == std::fs::read(other)?)
}

/// The head with its names, of a trace that is not (yet) saved.
pub fn named_head(head: Trace, events: &mut Spool, symbols: &Symbols) -> Result<Trace, Problem> {
    let mut namer = Namer::new(head, symbols);
    for part in 0..events.parts() {
        namer.survey(events.part(part)?.0);
    }
    namer.conclude();
    Ok(namer.head().clone())
}

/// Walks through the events twice: what they are called depends on those that come after them.
pub fn save_as(
    head: Trace,
    events: &mut Spool,
    symbols: &Symbols,
    path: &Path,
) -> Result<(), TraceError> {
    let mut namer = Namer::new(head, symbols);
    for part in 0..events.parts() {
        namer.survey(events.part(part)?.0);
    }
    namer.conclude();
    let mut saving = Saving::begin(namer.head(), path)?;
    for part in 0..events.parts() {
        let (plain, wide) = events.part(part)?;
        let mut named = plain.to_vec();
        let names = namer.name(&mut named);
        saving.events(&named, wide, &names)?;
    }
    saving.commit()
}

/// The end of a trace, as much of it as has the rows that are asked for, if that is not too much.
pub fn tail(reader: &mut Reader<File>, options: &mut ShowOptions) -> Result<Trace, Problem> {
    const MOST: usize = 16;
    let parts = reader.parts();
    let (mut from, mut rows) = (parts, 0);
    while from > 0 && parts - from < MOST && options.limit.is_none_or(|limit| rows <= limit) {
        from -= 1;
        rows += unpick_report::rows(reader.load_part(from)?.0, options);
    }
    let (trace, before) = reader.span(from..parts)?;
    options.before = before;
    Ok(trace)
}

/// A path as text, also one that is not UTF-8.
pub fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.to_string(),
        None => {
            let hex: String =
                path.as_os_str().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{ENCODED}{hex}")
        }
    }
}

const ENCODED: &str = "bytes:";

/// The way back from [`path_text`].
pub fn path_of(text: &str) -> PathBuf {
    let decode = || {
        let hex = text.strip_prefix(ENCODED)?;
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = hex.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?;
        Some(PathBuf::from(OsStr::from_bytes(&bytes)))
    };
    decode().unwrap_or_else(|| PathBuf::from(text))
}
