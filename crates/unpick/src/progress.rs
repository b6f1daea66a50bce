//! The live line: on a terminal only, on standard error, a few times a second.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use unpick_engine::Summary;

pub struct Progress {
    shown: bool,
    begun: Instant,
    last: Instant,
    strategy: String,
}

impl Progress {
    pub fn new(quiet: bool, strategy: &str) -> Progress {
        let now = Instant::now();
        Progress {
            shown: !quiet && std::io::stderr().is_terminal(),
            begun: now,
            last: now - Duration::from_secs(1),
            strategy: strategy.to_string(),
        }
    }

    pub fn tick(&mut self, summary: &Summary) {
        if !self.shown || self.last.elapsed() < Duration::from_millis(120) {
            return;
        }
        self.last = Instant::now();
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = summary.runs as f64 / seconds.max(0.001);
        eprint!(
            "\r\x1b[K{}: {} runs, {} failing, {:.0} a second, {:.0} s",
            self.strategy, summary.runs, summary.failing, rate, seconds
        );
        let _ = std::io::stderr().flush();
    }

    pub fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
