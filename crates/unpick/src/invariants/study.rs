//! What is learned from the runs while they come.

use super::claims::Claims;
use super::runs::{Kept, Repeater, knew_all};
use super::variables::{Named, variables};
use super::{From, Invariants};
use crate::common::Problem;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use unpick_engine::Learned;
use unpick_invariants::{
    Checked, Invariant, Observer, Point, Points, Regions, Sample, Variable, daikon,
};
use unpick_model::{Plan, Run};

/// Strategies that start over when something turns out to be shared: earlier runs come again.
const START_OVER: [&str; 4] = ["dfs", "dpor", "hapset", "pcb"];

pub struct Study<'a> {
    command: &'a Invariants,
    named: &'a Named<'a>,
    /// How much is known to be shared; with more, all begins again.
    learned: usize,
    pub observer: Observer<'a>,
    passing: Points,
    regions: Regions<'a>,
    /// Runs that pass and were seen; kept only if they would not come again.
    seen: Vec<Kept>,
    /// Runs that pass and were not seen with all that is known now.
    late: Vec<Kept>,
    pub failing: Vec<Kept>,
    pub passed: u64,
    claims: Claims,
}

/// What came of it.
pub struct Studied<'a> {
    pub variables: Vec<Variable>,
    pub points: BTreeMap<Point, Vec<Invariant>>,
    /// What the runs that pass have in common, against those that fail.
    pub differences: Checked,
    pub regions: Regions<'a>,
    pub claims: Claims,
    pub samples: u64,
}

impl<'a> Study<'a> {
    pub fn new(command: &'a Invariants, named: &'a Named<'a>, longest: usize) -> Study<'a> {
        Study {
            command,
            named,
            learned: 0,
            observer: Observer::new(Vec::new(), named, longest),
            passing: Points::new(&[]),
            regions: Regions::new(named),
            seen: Vec::new(),
            late: Vec::new(),
            failing: Vec::new(),
            passed: 0,
            claims: Claims::new(&command.claim, &[]),
        }
    }

    pub fn see(&mut self, plan: &Plan, run: &Run, learned: &Learned) {
        if learned.len() != self.learned {
            self.begin_again(learned);
        }
        if run.outcome.failed() {
            self.failing.push(Kept::of(plan, run));
            return;
        }
        self.passed += 1;
        let comes_again = self.starts_over();
        match knew_all(run, learned) {
            true => {
                self.look_at(run, &|| Kept::of(plan, run));
                if !comes_again {
                    self.seen.push(Kept::of(plan, run));
                }
            }
            false if comes_again => {}
            false => self.late.push(Kept::of(plan, run)),
        }
    }

    fn starts_over(&self) -> bool {
        self.command.strategies().all(|strategy| START_OVER.contains(&strategy))
    }

    fn begin_again(&mut self, learned: &Learned) {
        self.learned = learned.len();
        let variables = variables(self.named.0, learned);
        self.passing = Points::new(&variables);
        self.claims = Claims::new(&self.command.claim, &variables);
        self.observer = Observer::new(variables, self.named, self.observer.longest);
        self.regions = Regions::new(self.named);
        self.late.append(&mut self.seen);
        if self.starts_over() {
            self.failing.clear();
            self.passed = 0;
        }
    }

    /// A run that passes.
    fn look_at(&mut self, run: &Run, kept: &dyn Fn() -> Kept) {
        self.observer.learn(run);
        self.observer.observe(run, &mut |sample| self.passing.see(&sample));
        self.regions.see(run, true);
        if self.command.from.takes(&run.outcome) {
            self.claims.ask(&self.observer, run, kept);
        }
    }

    /// Looks at what is left, and then at what fails.
    pub fn finish(
        mut self,
        repeater: &mut Repeater,
    ) -> Result<(Studied<'a>, Vec<Kept>, Observer<'a>), Problem> {
        for kept in std::mem::take(&mut self.late) {
            if let Some(run) = repeater.run(&kept)? {
                self.look_at(&run, &|| kept.clone());
            }
        }
        let limit = self.command.confidence;
        let held = self.passing.conclude(limit, self.named);
        let variables = self.observer.variables.clone();
        let mut differences = Checked::new(&variables, &held);
        let mut failing = Points::new(&variables);
        for (number, kept) in self.failing.iter().enumerate() {
            let Some(run) = repeater.run(kept)? else { continue };
            let (from, passing) = (self.command.from, &mut self.passing);
            self.observer.learn(&run);
            self.observer.observe(&run, &mut |sample| {
                differences.see(&sample, number);
                match from {
                    From::Passing => {}
                    From::Failing => failing.see(&sample),
                    From::All => passing.see(&sample),
                }
            });
            self.regions.see(&run, false);
            if from.takes(&run.outcome) {
                self.claims.ask(&self.observer, &run, &|| kept.clone());
            }
        }
        let points = match self.command.from {
            From::Passing => held,
            From::Failing => failing.conclude(limit, self.named),
            From::All => self.passing.conclude(limit, self.named),
        };
        let samples = self.passing.samples + failing.samples;
        let (regions, claims) = (self.regions, self.claims);
        let studied = Studied { variables, points, differences, regions, claims, samples };
        Ok((studied, self.failing, self.observer))
    }
}

/// Writes samples for Daikon.
pub struct Export<'a> {
    variables: &'a [Variable],
    points: BTreeMap<Point, ()>,
    samples: std::io::BufWriter<std::fs::File>,
    runs: u64,
    problem: Option<std::io::Error>,
}

impl<'a> Export<'a> {
    pub fn begin(folder: &Path, variables: &'a [Variable]) -> std::io::Result<Export<'a>> {
        std::fs::create_dir_all(folder)?;
        let samples = std::fs::File::create(folder.join("samples.dtrace"))?;
        let samples = std::io::BufWriter::new(samples);
        Ok(Export { variables, points: BTreeMap::new(), samples, runs: 0, problem: None })
    }

    pub fn run(&mut self, observer: &Observer, run: &Run) {
        self.runs += 1;
        observer.observe(run, &mut |sample| self.sample(&sample));
    }

    fn sample(&mut self, sample: &Sample) {
        let Some(record) = daikon::record(sample, self.runs, self.variables) else { return };
        self.points.entry(sample.point.clone()).or_default();
        if let Err(error) = self.samples.write_all(record.as_bytes()) {
            self.problem.get_or_insert(error);
        }
    }

    pub fn end(mut self, folder: &Path) -> std::io::Result<()> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        self.samples.flush()?;
        let mut text = daikon::HEADER.to_string();
        for point in self.points.keys() {
            text.extend(daikon::declaration(point, self.variables));
        }
        std::fs::write(folder.join("points.decls"), text)
    }
}
