//! `unpick doctor`: what is there and what is missing on this machine, and how to get it.
//!
//! Each check is about something that a part of Unpick really needs, and says which. The last ones are no questions but
//! attempts: a small program is compiled, explored, replayed and checked.

mod machine;
mod tools;
mod trial;

use crate::common::{self, Common, Problem};
use clap::Args;
use serde_json::{Value, json};
use std::io::IsTerminal;
use unpick_model::Verdict;
use unpick_report::Document;

#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fine,
    /// Something does not work without it.
    Lacking,
    /// Nothing works without it.
    Missing,
}

struct Check {
    name: &'static str,
    state: State,
    /// What there is, or what does not work.
    said: String,
    /// How to get it.
    remedy: Option<String>,
}

impl Check {
    fn fine(name: &'static str, said: impl Into<String>) -> Check {
        Check { name, state: State::Fine, said: said.into(), remedy: None }
    }

    fn lacking(name: &'static str, said: impl Into<String>, remedy: &str) -> Check {
        Check { name, state: State::Lacking, said: said.into(), remedy: Some(remedy.into()) }
    }

    fn missing(name: &'static str, said: impl Into<String>, remedy: &str) -> Check {
        Check { state: State::Missing, ..Check::lacking(name, said, remedy) }
    }

    fn in_json(&self) -> Value {
        let state = match self.state {
            State::Fine => "fine",
            State::Lacking => "lacking",
            State::Missing => "missing",
        };
        json!({ "name": self.name, "state": state, "said": self.said, "remedy": self.remedy })
    }

    fn in_words(&self, color: bool) -> String {
        let (mark, paint) = match self.state {
            State::Fine => ('✓', "32"),
            State::Lacking => ('!', "33"),
            State::Missing => ('✗', "31"),
        };
        let mark = match color {
            true => format!("\x1b[{paint}m{mark}\x1b[0m"),
            false => mark.to_string(),
        };
        // What somebody else said may have many lines.
        let said = self.said.trim_end().replace('\n', "\n                     ");
        let remedy = self.remedy.iter().map(|it| format!("\n                     → {it}"));
        format!("{mark} {:<18} {said}{}\n", self.name, remedy.collect::<String>())
    }
}

pub fn run(command: &Doctor) -> Result<u8, Problem> {
    let common = &command.common;
    // It takes a few seconds.
    let shown = !common.quiet && !common.json && std::io::stderr().is_terminal();
    if shown {
        eprint!("looking around, and trying everything once …");
    }
    let mut checks = tools::checks();
    checks.extend(machine::checks(common));
    let folder = machine::output_folder(common);
    let writable = folder.state == State::Fine;
    checks.push(folder);
    if writable {
        checks.extend(trial::checks(common));
    }
    if shown {
        eprint!("\r\x1b[K");
    }
    let of = |state: State| checks.iter().filter(move |check| check.state == state);
    let missing: Vec<&str> = of(State::Missing).map(|check| check.name).collect();
    let lacking = of(State::Lacking).count();
    let status = u8::from(!missing.is_empty());
    if common.json {
        let verdict = if missing.is_empty() { Verdict::Clean } else { Verdict::Error };
        let mut document = Document::new("doctor", verdict);
        document.complete = writable;
        document.reason = (status != 0).then(|| format!("not right: {}", missing.join(", ")));
        document.more.insert("checks".into(), checks.iter().map(Check::in_json).collect());
        common::print(&format!("{}\n", document.to_json_text()));
        return Ok(status);
    }
    let shown = checks.iter().filter(|check| !common.quiet || check.state != State::Fine);
    let told: String = shown.map(|check| check.in_words(common.color())).collect();
    let sum = match (status, lacking) {
        (0, 0) => "all is there, and works\n".into(),
        (0, count) => format!("what is needed is there, and works; {count} more could be\n"),
        _ => format!("not right: {}\n", missing.join(", ")),
    };
    common::print(&format!("{told}{sum}"));
    Ok(status)
}
