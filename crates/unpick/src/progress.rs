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
        let line = line(&self.strategy, summary, rate, seconds);
        eprint!("\r\x1b[K{}", cut(&line, crate::common::width()));
        let _ = std::io::stderr().flush();
    }

    pub fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

/// Runs, rate, how long the longest was, what is known of the space, failures by kind.
fn line(strategy: &str, summary: &Summary, rate: f64, seconds: f64) -> String {
    let mut parts = vec![format!("{} runs", summary.runs), format!("{rate:.0} a second")];
    parts.push(format!("{} steps deep", summary.longest));
    if let Some(classes) = summary.classes {
        parts.push(format!("{classes} classes"));
        if summary.redundant > 0 {
            parts.push(format!("{} in vain", summary.redundant));
        }
    }
    if let Some(explored) = summary.explored {
        parts.push(format!("about {} explored", percent(explored)));
    }
    if summary.failures.is_empty() {
        parts.push("none failing".to_string());
    }
    parts.extend(summary.failures.iter().map(|(kind, runs)| format!("{runs} {kind}")));
    parts.push(format!("{seconds:.0} s"));
    format!("{strategy}: {}", parts.join(", "))
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 0.01 { "<0.01 %".to_string() } else { format!("{percent:.2} %") }
}

/// One line of the terminal, or it could not be taken back.
fn cut(line: &str, width: usize) -> String {
    line.chars().take(width.saturating_sub(1).max(20)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_known() {
        let mut summary = Summary { runs: 12, longest: 30, ..Summary::default() };
        assert_eq!(
            line("random", &summary, 4.0, 3.0),
            "random: 12 runs, 4 a second, 30 steps deep, none failing, 3 s"
        );
        summary.classes = Some(9);
        summary.redundant = 2;
        summary.explored = Some(0.125);
        summary.failures.insert("deadlock".into(), 3);
        assert_eq!(
            line("dpor", &summary, 4.0, 3.0),
            "dpor: 12 runs, 4 a second, 30 steps deep, 9 classes, 2 in vain, about 12.50 % explored, 3 deadlock, 3 s"
        );
        assert_eq!(cut(&"x".repeat(100), 40).len(), 39);
    }
}
