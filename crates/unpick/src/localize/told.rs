//! A diagnosis as it is told: in JSON, in words, and the sites in the order in which a reader should look at them.

use super::attempt::Attempts;
use crate::common;
use serde_json::{Value, json};
use unpick_ir::Program;
use unpick_localize::{Clue, Diagnosis, Fix, Pair, Part, Site, Suspect, Switch, is_count, sites};
use unpick_report::Document;

/// A diagnosis as it is told.
#[derive(Default)]
pub struct Told {
    pub head: String,
    /// Of each suspect: what is known, as JSON and in words.
    pub lines: Vec<Value>,
    pub texts: Vec<String>,
    pub suspects: Vec<Suspect>,
    /// What helps only together, as JSON and in words.
    pub pairs: Vec<Value>,
    pub pair_texts: Vec<String>,
    pub files: Vec<String>,
    pub switches: Vec<Value>,
    pub tail: String,
}

impl Told {
    pub fn of(program: &Program, document: &Document, diagnosis: Diagnosis) -> Told {
        let mut suspects = diagnosis.suspects;
        suspects.iter_mut().for_each(|suspect| at_its_declaration(program, suspect));
        by_line(&mut suspects);
        let failure = &diagnosis.failure;
        let file = program.files.get(failure.place.file as usize).map_or("", |file| name(file));
        let message = &document.findings[0].message;
        let mut tail = String::new();
        if suspects.is_empty() {
            tail.push_str("  no other value at a single place makes this run end well");
            let neither = diagnosis.asked_pairs > 0 && diagnosis.pairs.is_empty();
            tail.push_str(if neither { ", nor at two\n" } else { "\n" });
        }
        if let Some(cut) = &diagnosis.cut {
            tail.push_str(&format!("  not all places were looked at: {cut}\n"));
        }
        let pairs = match diagnosis.asked_pairs {
            0 => String::new(),
            asked => format!(", {asked} pairs of them"),
        };
        tail.push_str(&format!("  {} places asked{pairs}\n", diagnosis.asked));
        Told {
            head: format!("✗ {message}   {file}:{}\n", failure.place.line),
            lines: suspects.iter().map(|suspect| in_json(program, suspect)).collect(),
            texts: suspects.iter().map(|suspect| in_words(program, suspect)).collect(),
            pairs: diagnosis.pairs.iter().map(|pair| pair_in_json(program, pair)).collect(),
            pair_texts: diagnosis.pairs.iter().map(|pair| pair_in_words(program, pair)).collect(),
            suspects,
            switches: diagnosis.trail.switches.iter().map(|one| switch(program, one)).collect(),
            files: program.files.iter().map(|file| name(file).to_string()).collect(),
            tail,
        }
    }

    pub fn without_lines(document: &Document) -> Told {
        Told { head: format!("✗ {}\n", document.findings[0].message), ..Told::default() }
    }

    /// The lines to look at, the first one first.
    pub fn sites(&self, attempts: &Attempts) -> Vec<Site> {
        let fixes: Vec<(String, &Fix)> = attempts
            .verified
            .iter()
            .map(|one| (name(&one.file.to_string_lossy()).to_string(), &one.fix))
            .collect();
        let file_of = |suspect: &Suspect| {
            self.files.get(suspect.spot.place.file as usize).cloned().unwrap_or_default()
        };
        sites(&self.suspects, &fixes, &file_of)
    }

    pub fn site_in_json(&self, site: &Site, attempts: &Attempts) -> Value {
        let (why, told) = match site.clue {
            Clue::Change(at) => ("change", attempts.verified[at].fix.kind.words().to_string()),
            Clue::Value(at) => ("value", self.in_short(at)),
        };
        json!({ "file": site.file, "line": site.line, "why": why, "told": told })
    }

    /// `constant 1 -> 2 would help in every interleaving`
    fn in_short(&self, at: usize) -> String {
        let line = &self.lines[at];
        let of = |key: &str| line[key].as_str().unwrap_or_default().to_string();
        let helps = match self.suspects[at].everywhere {
            Some(true) => "would help in every interleaving",
            _ => "would help here",
        };
        format!("{} {} -> {} {helps}", of("what"), of("had"), of("value"))
    }

    pub fn words(&self, sites: &[Site], attempts: &Attempts) -> String {
        let mut text = self.head.clone();
        for Site { file, line, clue } in sites.iter().take(SHOWN) {
            text.push_str(&match clue {
                Clue::Value(number) => self.texts[*number].clone(),
                Clue::Change(number) => {
                    let what = attempts.verified[*number].fix.kind.words();
                    format!("  {file}:{line}  {what} (the change below)\n")
                }
            });
        }
        self.pair_texts.iter().for_each(|pair| text.push_str(pair));
        text + &self.tail
    }
}

/// A constant that has a name and one use is wrong where the name gets its number: the compiler put that into the use.
fn at_its_declaration(program: &Program, suspect: &mut Suspect) {
    let (Part::Constant(_), Some(had)) = (suspect.spot.part, suspect.had) else { return };
    let lines = common::sources(&file_of(program, suspect)).unwrap_or_default();
    let value = number(suspect, had);
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        parts.filter(|part| !part.is_empty()).map(str::to_string).collect()
    };
    let uses = |name: &str| lines.iter().flat_map(|line| words(line)).filter(|w| w == name).count();
    for name in words(&statement(program, suspect)) {
        let gives = |line: &&String| {
            let defined = format!("#define {name} {value}");
            let constant = line.contains("const ") && line.contains(&format!(" {name} = {value};"));
            line.trim() == defined || constant
        };
        let at = lines.iter().position(|line| gives(&line));
        if let Some(at) = at.filter(|_| uses(&name) == 2) {
            suspect.spot.place.line = at as u32 + 1;
            return;
        }
    }
}

/// All that is known of a line together, the lines as a reader should look at them.
fn by_line(suspects: &mut [Suspect]) {
    let file_of = |suspect: &Suspect| suspect.spot.place.file.to_string();
    let lines = sites(suspects, &[], &file_of);
    suspects.sort_by_key(|suspect| {
        let here =
            |site: &Site| site.line == suspect.spot.place.line && site.file == file_of(suspect);
        lines.iter().position(here)
    });
}

/// Who runs, and until it is about to do what, for the so manieth time.
fn switch(program: &Program, switch: &Switch) -> Value {
    let until = switch.until.map(|step| {
        let file = program.files.get(step.place.file as usize).map_or("", |file| name(file));
        json!({ "file": file, "line": step.place.line, "passed": step.nth })
    });
    json!({ "thread": switch.thread, "until": until })
}

fn file_of(program: &Program, suspect: &Suspect) -> String {
    program.files.get(suspect.spot.place.file as usize).cloned().unwrap_or_default()
}

/// As C would write it.
fn number(suspect: &Suspect, value: u128) -> String {
    let width = suspect.spot.width;
    match (width, value) {
        (1, 0) => "false".into(),
        (1, _) => "true".into(),
        _ if width < 128 && value >> (width - 1) & 1 == 1 => {
            (value as i128 - (1i128 << width)).to_string()
        }
        _ => value.to_string(),
    }
}

fn part_words(program: &Program, suspect: &Suspect) -> &'static str {
    match suspect.spot.part {
        _ if is_count(program, &suspect.spot) => "how many",
        Part::Assigned => "assigned",
        Part::Constant(_) => "constant",
        Part::Condition => "condition",
        Part::Read => "read",
        Part::Initial(_) | Part::Member(..) => "initial value",
    }
}

fn statement(program: &Program, suspect: &Suspect) -> String {
    let lines = common::sources(&file_of(program, suspect)).unwrap_or_default();
    let line = lines.get((suspect.spot.place.line as usize).saturating_sub(1));
    line.map_or(String::new(), |line| line.trim().to_string())
}

fn in_json(program: &Program, suspect: &Suspect) -> Value {
    let mut line = json!({
        "file": file_of(program, suspect),
        "line": suspect.spot.place.line,
        "column": suspect.spot.place.column,
        "what": part_words(program, suspect),
        "had": suspect.had.map(|had| number(suspect, had)),
        "value": number(suspect, suspect.value),
        "everywhere": suspect.everywhere,
        "in_assertion": suspect.in_assertion,
        "avoids_it": suspect.avoids_it,
        "statement": statement(program, suspect),
    });
    if !suspect.visits.is_empty() {
        let visit = |(had, value): &(Option<u128>, u128)| json!({ "had": had.map(|had| number(suspect, had)), "value": number(suspect, *value) });
        line["visits"] = suspect.visits.iter().map(visit).collect();
    }
    line
}

fn pair_in_json(program: &Program, pair: &Pair) -> Value {
    let lines: Vec<Value> = pair.suspects.iter().map(|one| in_json(program, one)).collect();
    json!({ "lines": lines, "everywhere": pair.everywhere })
}

fn pair_in_words(program: &Program, pair: &Pair) -> String {
    let helps = helps(pair.everywhere);
    let one = |suspect: &Suspect| {
        let place = format!("{}:{}", name(&file_of(program, suspect)), suspect.spot.place.line);
        let (part, change) = (part_words(program, suspect), change(suspect));
        format!("  {place}  {}\n      {part} {change}\n", statement(program, suspect))
    };
    let both: String = pair.suspects.iter().map(one).collect();
    format!("{both}      both together  {helps}\n")
}

/// Visits that are shown.
const VISITS: usize = 6;

/// `1 -> 2`; with a value for each visit, all of these.
fn change(suspect: &Suspect) -> String {
    let arrow = |had: Option<u128>, value: u128| {
        let had = had.map_or(String::new(), |had| format!("{} -> ", number(suspect, had)));
        format!("{had}{}", number(suspect, value))
    };
    if suspect.visits.len() < 2 {
        return arrow(suspect.had, suspect.value);
    }
    let visits = suspect.visits.iter().take(VISITS).map(|(had, value)| arrow(*had, *value));
    let more = if suspect.visits.len() > VISITS { ", …" } else { "" };
    format!("{}{more} (visit by visit)", visits.collect::<Vec<_>>().join(", "))
}

fn helps(everywhere: Option<bool>) -> &'static str {
    match everywhere {
        Some(true) => "in every interleaving",
        Some(false) => "in this interleaving",
        None => "in this interleaving, others not decided",
    }
}

/// Lines that are shown.
const SHOWN: usize = 8;

fn in_words(program: &Program, suspect: &Suspect) -> String {
    let (helps, change) = (helps(suspect.everywhere), change(suspect));
    let own = match (suspect.in_assertion, suspect.avoids_it) {
        (true, _) => " (what is asserted may be wrong itself)",
        (_, true) => " (nobody looks there any more)",
        _ => "",
    };
    format!(
        "  {}:{}  {}\n      {} {change}  {helps}{own}\n",
        name(&file_of(program, suspect)),
        suspect.spot.place.line,
        statement(program, suspect),
        part_words(program, suspect),
    )
}

pub fn name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
