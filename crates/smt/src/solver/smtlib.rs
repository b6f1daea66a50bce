//! Any solver that speaks SMT-LIB 2.6, as a process.
//!
//! Each term is defined once and for all by a name of its own, so that the text grows with the number of terms
//! however much they share. SMT-LIB has no way from a float to its pattern; there the pattern is an unknown of which
//! it is asserted what it is the pattern of.

mod print;
mod process;

use super::{Answer, Solver, Statistics};
use crate::eval::{Model, Value};
use crate::term::{Quick, Sort, Term, Terms};
use num_bigint::BigUint;
use print::Printer;
use process::Process;
use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Level {
    assertions: Vec<Term>,
    /// Floats whose patterns are asserted here.
    patterns: HashSet<Term, Quick>,
    unknowns: BTreeSet<Term>,
}

/// A process as a solver. It is started when it is first asked something, and again after it had to be ended
/// because it took too long.
pub struct SmtLib {
    command: Vec<String>,
    process: Option<Process>,
    printer: Printer,
    levels: Vec<Level>,
    /// How many levels the process has, with all that is on them.
    told: usize,
    statistics: Statistics,
}

impl SmtLib {
    /// The program and its arguments; it reads commands from its standard input.
    pub fn new(command: &[&str]) -> SmtLib {
        SmtLib {
            command: command.iter().map(|part| part.to_string()).collect(),
            process: None,
            printer: Printer::default(),
            levels: vec![Level::default()],
            told: 0,
            statistics: Statistics::default(),
        }
    }

    pub fn cvc5() -> SmtLib {
        SmtLib::new(&["cvc5", "--incremental", "--produce-models", "--fp-exp", "--lang=smt2"])
    }

    /// Told again from the start where the process is new.
    fn begin(&mut self) -> Result<(), String> {
        if self.process.is_some() {
            return Ok(());
        }
        let mut process = Process::start(&self.command)?;
        process.tell(
            "(set-option :print-success false)\n(set-option :global-declarations true)\n\
             (set-option :produce-models true)\n(set-logic QF_BVFP)\n",
        )?;
        self.process = Some(process);
        self.printer = Printer::default();
        self.told = 0;
        self.levels.iter_mut().for_each(|level| level.patterns.clear());
        Ok(())
    }

    fn tell(&mut self, text: &str) -> Result<(), String> {
        self.process.as_mut().ok_or("no process")?.tell(text)
    }

    /// Levels that the process does not have yet. The top one may still grow, so that is told anew each time.
    fn bring_up_to_date(&mut self, terms: &Terms) -> Result<(), String> {
        while self.told < self.levels.len() {
            let assertions = self.levels[self.told].assertions.clone();
            let text = format!("(push 1)\n{}", self.assertions(terms, self.told, &assertions));
            self.tell(&text)?;
            self.told += 1;
        }
        Ok(())
    }

    /// Assertions, with the patterns of floats in them that no level below has.
    fn assertions(&mut self, terms: &Terms, at: usize, assertions: &[Term]) -> String {
        let mut text = String::new();
        for &assertion in assertions {
            self.printer.define(terms, assertion, &mut text);
            for float in self.printer.floats_below(terms, assertion) {
                if self.levels[..=at].iter().any(|level| level.patterns.contains(&float)) {
                    continue;
                }
                self.levels[at].patterns.insert(float);
                text.push_str(&self.printer.pattern(terms, float));
            }
            self.levels[at].unknowns.extend(terms.unknowns_of(assertion));
            text.push_str(&format!("(assert {})\n", self.printer.name(terms, assertion)));
        }
        text
    }

    fn ask(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        patience: Duration,
    ) -> Result<Answer, String> {
        let deadline = Instant::now() + patience;
        self.begin()?;
        self.bring_up_to_date(terms)?;
        self.levels.push(Level::default());
        let text = self.assertions(terms, self.levels.len() - 1, assumptions);
        let assumed = self.levels.pop().unwrap_or_default();
        self.tell(&format!("(push 1)\n{text}(check-sat)\n"))?;
        let process = self.process.as_mut().ok_or("no process")?;
        let answer = match process.hear(deadline)?.as_str() {
            "sat" => {
                let unknowns: BTreeSet<Term> = self
                    .levels
                    .iter()
                    .chain([&assumed])
                    .flat_map(|level| level.unknowns.iter().copied())
                    .collect();
                Answer::Sat(self.model(terms, &unknowns, deadline)?)
            }
            "unsat" => Answer::Unsat,
            "unknown" => Answer::Unknown(format!("{} does not know", self.command[0])),
            other => return Err(format!("{} said {other}", self.command[0])),
        };
        self.tell("(pop 1)\n")?;
        Ok(answer)
    }

    fn model(
        &mut self,
        terms: &Terms,
        unknowns: &BTreeSet<Term>,
        deadline: Instant,
    ) -> Result<Model, String> {
        let mut model = Model::new();
        if unknowns.is_empty() {
            return Ok(model);
        }
        let names: Vec<String> =
            unknowns.iter().map(|&unknown| self.printer.name(terms, unknown)).collect();
        self.tell(&format!("(get-value ({}))\n", names.join(" ")))?;
        let process = self.process.as_mut().ok_or("no process")?;
        let mut text = process.hear(deadline)?;
        while text.matches('(').count() > text.matches(')').count() {
            text.push(' ');
            text.push_str(&process.hear(deadline)?);
        }
        // ((u1 #b01) (u2 true))
        let words: Vec<&str> =
            text.split(['(', ')', ' ']).filter(|word| !word.is_empty()).collect();
        let pairs: Vec<&[&str]> = words.chunks(2).collect();
        if pairs.len() != unknowns.len() {
            return Err(format!("{} gave a model that is not understood: {text}", self.command[0]));
        }
        for (pair, &unknown) in pairs.into_iter().zip(unknowns) {
            let value = pair.get(1).and_then(|text| value(terms.sort(unknown), text));
            let value = value.ok_or_else(|| {
                format!("{} gave a value that is not understood", self.command[0])
            })?;
            model.set(unknown, value);
        }
        Ok(model)
    }
}

fn value(sort: Sort, text: &str) -> Option<Value> {
    match sort {
        Sort::Bool => text.parse().ok().map(Value::Truth),
        Sort::Bits(_) => {
            let (digits, radix) = match text.strip_prefix("#b") {
                Some(digits) => (digits, 2),
                None => (text.strip_prefix("#x")?, 16),
            };
            Some(Value::of(sort, BigUint::parse_bytes(digits.as_bytes(), radix)?))
        }
    }
}

impl Solver for SmtLib {
    fn push(&mut self) {
        self.levels.push(Level::default());
    }

    fn pop(&mut self, levels: usize) {
        let left = self.levels.len().saturating_sub(levels).max(1);
        self.levels.truncate(left);
        self.untell(left);
    }

    fn assert(&mut self, _: &Terms, term: Term) {
        let top = self.levels.len() - 1;
        self.untell(top);
        self.levels[top].assertions.push(term);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], patience: Duration) -> Answer {
        let start = Instant::now();
        let answer = self.ask(terms, assumptions, patience).unwrap_or_else(|why| {
            // Whatever it was: the next question goes to a new process.
            self.process = None;
            Answer::Unknown(why)
        });
        self.statistics.checks += 1;
        self.statistics.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn name(&self) -> &str {
        &self.command[0]
    }
}

impl SmtLib {
    /// The process keeps so many levels at most; the rest is told again.
    fn untell(&mut self, left: usize) {
        if self.told <= left {
            return;
        }
        let gone = self.told - left;
        if self.process.is_some() && self.tell(&format!("(pop {gone})\n")).is_err() {
            self.process = None;
        }
        self.told = left;
        for level in self.levels.iter_mut().skip(left) {
            level.patterns.clear();
        }
    }
}
