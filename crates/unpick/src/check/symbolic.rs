//! The symbolic engine on the bitcode of the built program.

use super::{Races, Scene, Schedule, Shrink};
use crate::common::{self, Problem};
use std::io::{IsTerminal, Write};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unpick_check::{Order, Progress, RaceMethod, Reduction, Report, Settings};
use unpick_ir::Program;

/// The program's bitcode, linked and read.
pub fn read(scene: &Scene) -> Result<Program, Problem> {
    if let (Some(why), Some(_)) = (&scene.made.lacks, &scene.made.native) {
        return Err(Problem::Undecided(why.clone()));
    }
    let bitcode: Vec<&[u8]> = scene.made.bitcode.iter().map(|unit| &unit[..]).collect();
    unpick_ir::read(&bitcode).map_err(|error| Problem::Undecided(error.to_string()))
}

pub fn settings(scene: &Scene, deadline: Instant) -> Settings {
    let command = scene.command;
    Settings {
        properties: scene.properties.clone(),
        unwind: command.unwind,
        preemptions: command.context_bound,
        order: match command.schedule {
            Schedule::Reverse => Order::Reverse,
            Schedule::RoundRobin => Order::RoundRobin,
            Schedule::Ascending => Order::Ascending,
        },
        reduction: match command.reduction {
            Shrink::Dpor => Reduction::Dpor,
            Shrink::Monotonic => Reduction::Monotonic,
            Shrink::None => Reduction::None,
        },
        incremental: !command.no_incremental,
        races: match command.races {
            Races::Clocks => RaceMethod::Clocks,
            Races::Flags => RaceMethod::Flags,
        },
        all_visible: command.all_visible,
        merge: !command.no_merge,
        induction: command.k_induction,
        deadline: Some(deadline),
        memory: Some(command.common.memory(1)),
    }
}

/// Searches until the deadline.
pub fn search(scene: &Scene, deadline: Instant) -> Result<Report, Problem> {
    common::in_a_large_thread(|| read(scene).map(|program| look(scene, program, deadline)))
}

fn look(scene: &Scene, program: Program, deadline: Instant) -> Report {
    let common = &scene.command.common;
    let settings = settings(scene, deadline);
    let memory = common.memory(1);
    let mut line = Line::new(common.quiet || common.json);
    let mut looked = Instant::now();
    let mut pause = |progress: &Progress| {
        if common::interrupted().load(Ordering::Relaxed) {
            return Some("interrupted".to_string());
        }
        let now = Instant::now();
        if now >= deadline {
            return Some("time limit".into());
        }
        line.tick(progress);
        if now.duration_since(looked) > Duration::from_millis(200) {
            looked = now;
            if unpick_symex::resident() > memory {
                return Some(format!("memory limit of {} MiB (--memory)", memory >> 20));
            }
        }
        None
    };
    let report = unpick_check::check(Rc::new(program), &settings, &mut pause);
    line.clear();
    report
}

/// The live line, on a terminal only.
struct Line {
    shown: bool,
    begun: Instant,
    last: Instant,
}

impl Line {
    fn new(quiet: bool) -> Line {
        let now = Instant::now();
        Line { shown: !quiet && std::io::stderr().is_terminal(), begun: now, last: now }
    }

    fn tick(&mut self, progress: &Progress) {
        if !self.shown || self.last.elapsed() < Duration::from_millis(120) {
            return;
        }
        self.last = Instant::now();
        let seconds = self.begun.elapsed().as_secs_f64();
        let text: String =
            text(progress, seconds).chars().take(common::width().saturating_sub(1)).collect();
        eprint!("\r\x1b[K{text}");
        let _ = std::io::stderr().flush();
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

fn text(progress: &Progress, seconds: f64) -> String {
    let Progress { counts, unwind, solver_time, solver_calls, .. } = progress;
    format!(
        "check: {} interleavings, {} steps deep, loops unwound {unwind} times, {solver_calls} questions to the solver \
         ({:.1} s), {seconds:.0} s",
        counts.interleavings,
        counts.depth,
        solver_time.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_it_is() {
        let mut progress = Progress { unwind: 16, solver_calls: 3, ..Progress::default() };
        progress.counts.interleavings = 12;
        progress.counts.depth = 40;
        assert_eq!(
            text(&progress, 2.0),
            "check: 12 interleavings, 40 steps deep, loops unwound 16 times, 3 questions to the solver (0.0 s), 2 s"
        );
    }
}
