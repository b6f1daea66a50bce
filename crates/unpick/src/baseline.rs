//! Findings that are known: a file of their fingerprints, so that only new ones fail a build.
//!
//! A line is a kind and a fingerprint (`unpick_report::fingerprint`), and behind `#` what it was about. Suppressions say by
//! patterns what is never to be told; this says, finding by finding, what was there already, and it is still told.

use crate::common::{self, Problem};
use clap::Args;
use serde_json::json;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use unpick_model::{Finding, Verdict};
use unpick_report::Document;
use unpick_trace::Parts;

#[derive(Args, Clone, Debug, Default)]
pub struct Asked {
    /// Findings in this file are known: they are told as such, and only new ones make the status 1
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write what was found into this file, behind what --baseline has: all of it is known from then on
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
}

const HEAD: &str = "\
# Findings that are known to Unpick, one a line: its kind, its fingerprint, and what it was about.
# An edit elsewhere in the file leaves a fingerprint as it is. Take a line out to be told of the finding again.
";

impl Asked {
    pub fn is_given(&self) -> bool {
        self.baseline.is_some() || self.write_baseline.is_some()
    }

    /// The option for a part, which is to write nothing.
    pub fn reading(&self) -> Option<&Path> {
        self.baseline.as_deref()
    }

    pub fn read(&self) -> Result<Baseline, Problem> {
        let mut baseline = Baseline { asked: self.clone(), ..Baseline::default() };
        if let Some(file) = &self.baseline {
            let name = file.display();
            let text = std::fs::read(file).map_err(|error| {
                Problem::Input(format!("{name}: {error}; --write-baseline {name} writes one"))
            })?;
            baseline.known = parse(&String::from_utf8_lossy(&text), &name.to_string())?;
        }
        Ok(baseline)
    }
}

/// By fingerprint: the kind, and what it was about.
type Known = BTreeMap<String, (String, String)>;

#[derive(Default)]
pub struct Baseline {
    asked: Asked,
    known: Known,
}

fn parse(text: &str, name: &str) -> Result<Known, Problem> {
    let mut known = Known::new();
    for (number, line) in text.lines().enumerate() {
        let (words, about) = line.split_once('#').unwrap_or((line, ""));
        let words: Vec<&str> = words.split_whitespace().collect();
        let is_digest = |word: &str| {
            word.len() == 16 && word.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
        };
        match words[..] {
            [] => {}
            [kind, digest] if is_digest(digest) => {
                known.insert(digest.into(), (kind.into(), about.trim().into()));
            }
            _ => {
                let (at, line) = (number + 1, line.trim());
                return Err(Problem::Input(format!(
                    "{name}:{at}: `{line}` is not a kind and a fingerprint of 16 digits"
                )));
            }
        }
    }
    Ok(known)
}

fn written(known: &Known) -> String {
    let mut lines: Vec<String> = known
        .iter()
        .map(|(digest, (kind, about))| format!("{kind:<12} {digest}  # {about}\n"))
        .collect();
    lines.sort();
    HEAD.to_string() + &lines.concat()
}

/// `balance == 70, bank.c:17 in main`
fn about(finding: &Finding) -> String {
    let place = finding.sites.first().filter(|site| site.line > 0).map(|site| {
        let file = site.file.rsplit('/').next().unwrap_or_default();
        format!(", {file}:{} in {}", site.line, site.function)
    });
    let text = format!("{}{}", finding.message, place.unwrap_or_default());
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn kind(finding: &Finding) -> String {
    serde_json::to_value(finding.kind)
        .ok()
        .and_then(|kind| Some(kind.as_str()?.to_string()))
        .unwrap_or_default()
}

impl Baseline {
    pub fn is_given(&self) -> bool {
        self.asked.is_given()
    }

    pub fn knows(&self, finding: &Finding) -> bool {
        let digest = match &finding.fingerprint {
            Some(known) => known.clone(),
            None => unpick_report::fingerprint(finding, &common::sources),
        };
        self.known.contains_key(&digest)
    }

    /// What the failure of a saved run is: a search goes on behind one that is known.
    pub fn knows_failure(&self, trace: Option<&Path>) -> bool {
        let finding = trace
            .filter(|_| !self.known.is_empty())
            .and_then(|path| unpick_trace::open(path).ok())
            .and_then(|reader| unpick_report::finding(reader.head(), None, &[]));
        finding.is_some_and(|finding| self.knows(&finding))
    }

    /// Gives the findings their fingerprints, says which of them are known, new ones first, and writes the file that was
    /// asked for.
    pub fn apply(&mut self, document: &mut Document) -> Result<(), Problem> {
        let mut findings = std::mem::take(&mut document.findings);
        let told = self.mark(&mut [&mut findings])?;
        document.findings = findings;
        document.more.extend(told.map(|told| ("baseline".to_string(), told)));
        Ok(())
    }

    /// The same for several lists; also what the document is to say about it.
    pub fn mark(
        &mut self,
        lists: &mut [&mut Vec<Finding>],
    ) -> Result<Option<serde_json::Value>, Problem> {
        let read: RefCell<HashMap<String, Option<Vec<String>>>> = RefCell::default();
        let sources = |file: &str| {
            let mut read = read.borrow_mut();
            read.entry(file.to_string()).or_insert_with(|| common::sources(file)).clone()
        };
        for finding in lists.iter_mut().flat_map(|list| list.iter_mut()) {
            finding.fingerprint = Some(unpick_report::fingerprint(finding, &sources));
        }
        if !self.is_given() {
            return Ok(None);
        }
        let found: Known = (lists.iter().flat_map(|list| list.iter()))
            .filter_map(|one| Some((one.fingerprint.clone()?, (kind(one), about(one)))))
            .collect();
        let unseen = self.known.keys().filter(|digest| !found.contains_key(*digest)).count();
        if let Some(file) = &self.asked.write_baseline {
            let mut all = found.clone();
            all.append(&mut self.known);
            std::fs::write(file, written(&all)).map_err(|error| {
                Problem::Input(format!("cannot write {}: {error}", file.display()))
            })?;
            self.known = all;
        }
        for finding in lists.iter_mut().flat_map(|list| list.iter_mut()) {
            finding.known = Some(self.knows(finding));
        }
        lists.iter_mut().for_each(|list| list.sort_by_key(|finding| finding.known));
        let known = found.keys().filter(|digest| self.known.contains_key(*digest)).count();
        let file = self.asked.baseline.as_ref().or(self.asked.write_baseline.as_ref());
        let file = file.map_or(String::new(), |file| file.display().to_string());
        let new = found.len() - known;
        Ok(Some(json!({ "file": file, "known": known, "new": new, "unseen": unseen })))
    }
}

/// The exit status of a verdict. A bug that is known is none for who asks for new ones.
pub fn status(document: &Document) -> u8 {
    let known = |finding: &Finding| finding.known == Some(true);
    let nothing_new = !document.findings.is_empty() && document.findings.iter().all(known);
    match document.verdict {
        Verdict::Bug if nothing_new => 0,
        Verdict::Bug => 1,
        Verdict::Clean => 0,
        Verdict::Undecided => 3,
        Verdict::Error => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = "\n# ours\nrace 0123456789abcdef  # x # y\n  deadlock\tfedcba9876543210\n";
        let known = parse(text, "file").unwrap();
        assert_eq!(known["0123456789abcdef"], ("race".into(), "x # y".into()));
        assert_eq!(known.len(), 2);
        assert_eq!(parse(&written(&known), "file").unwrap(), known);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for wrong in ["race", "race 0123", "race 0123456789abcdeg", "race 0123456789abcdef more"] {
            let error = parse(&format!("# fine\n{wrong}\n"), "file").unwrap_err().to_string();
            assert!(error.starts_with(&format!("file:2: `{wrong}`")), "{error}");
        }
    }
}
