//! What a terminal shows at the end of an exploration: short, what failed first.

use crate::document::{Document, Stats};
use crate::interleaving::{ShowOptions, interleaving};
use crate::places::{Lines, Sources};
use crate::text::{Paint, clean, cut};
use crate::wording::{describe_outcome, failing_place, kind_words, last_words};
use unpick_model::{Finding, FindingKind, Trace, Verdict};

/// Findings beyond the first, warnings, and threads of a deadlock that are told one by one.
const MORE: usize = 3;

#[derive(Clone, Debug, Default)]
pub struct SummaryOptions {
    pub color: bool,
    /// Show the first failing run, so.
    pub show: Option<ShowOptions>,
}

/// `first` is the trace of the first finding.
pub fn summary(
    document: &Document,
    first: Option<&Trace>,
    options: &SummaryOptions,
    sources: &Sources<'_>,
) -> String {
    let paint = Paint(options.color);
    let mut lines = Vec::new();
    match document.findings.first() {
        Some(finding) => {
            lines.extend(failure(finding, first, sources, paint));
            if let (Some(show), Some(trace)) = (&options.show, first) {
                let show = ShowOptions { outcome: false, color: options.color, ..show.clone() };
                lines.push(String::new());
                lines.extend(interleaving(trace, &show, sources).lines().map(str::to_string));
                lines.push(String::new());
            }
            lines.extend(others(&document.findings[1..]));
            lines.push(format!("  {}", found(document)));
            lines.extend(commands(finding));
        }
        None => lines.push(nothing_found(document, paint)),
    }
    let warnings = &document.warnings;
    for warning in warnings.iter().take(MORE) {
        lines.push(paint.warn(&format!("  warning: {}", clean(warning))));
    }
    if warnings.len() > MORE {
        lines.push(format!("  … {} more warnings", warnings.len() - MORE));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The failure and its source line.
pub fn failure(
    finding: &Finding,
    trace: Option<&Trace>,
    sources: &Sources<'_>,
    paint: Paint,
) -> Vec<String> {
    // A run that races need not have failed.
    let trace = trace.filter(|_| finding.kind != FindingKind::Race);
    let Some(trace) = trace else { return vec![headline(finding, &one_line(finding), paint)] };
    let text = describe_outcome(trace);
    let mut told = text.lines();
    let mut lines = vec![headline(finding, told.next().unwrap_or(""), paint)];
    lines.extend(told.by_ref().take(2 * MORE).map(|line| format!("    {line}")));
    let left = told.count();
    if left > 0 {
        lines.push(format!("    … {left} more threads wait"));
    }
    if let Some(at) = failing_place(trace) {
        let source = Lines::new(sources).get(&at.file, at.line);
        if !source.is_empty() {
            lines.push(format!(
                "    {} {}",
                paint.dim(&format!("{} │", at.line)),
                cut(&source, 100)
            ));
        }
    }
    lines.extend(last_words(trace).iter().enumerate().map(|(number, line)| {
        let head = if number == 0 { "it wrote:" } else { "" };
        format!("    {head:9} {}", cut(line, 100))
    }));
    lines
}

/// What did not come back under its own schedule does not look like what did.
fn headline(finding: &Finding, text: &str, paint: Paint) -> String {
    match (finding.known, finding.confirmed) {
        (Some(true), _) => paint.warn(&format!("○ known: {text}")),
        (_, true) => paint.bad(&format!("✗ {text}")),
        (_, false) => paint.warn(&format!("? not confirmed: {text}")),
    }
}

fn others(findings: &[Finding]) -> Vec<String> {
    let mut lines: Vec<String> = findings
        .iter()
        .take(MORE)
        .map(|finding| {
            let doubt = match (finding.known, finding.confirmed) {
                (Some(true), _) => "known: ",
                (_, true) => "",
                (_, false) => "not confirmed: ",
            };
            format!("  also: {doubt}{}", one_line(finding))
        })
        .collect();
    if findings.len() > MORE {
        lines.push(format!("  … {} more findings", findings.len() - MORE));
    }
    lines
}

fn one_line(finding: &Finding) -> String {
    let kind = kind_words(finding.kind);
    let place = match finding.sites.first() {
        Some(site) if !site.file.is_empty() => {
            let file = site.file.rsplit('/').next().unwrap_or(&site.file);
            format!("   {}:{}", clean(file), site.line)
        }
        _ => String::new(),
    };
    format!("{kind}{}{place}", cut(&clean(&finding.message), 100))
}

/// `found in run 4; 115 runs (26 failed) with dpor in 0.08 s`, or, where nothing was run to find it,
/// `found in interleaving 4 of the model, 0.08 s`.
fn found(document: &Document) -> String {
    let stats = &document.stats;
    if let (0, Some(count)) = (stats.runs, stats.interleavings) {
        return format!("found in interleaving {count} of the model, {}", seconds(stats.seconds));
    }
    let first = match stats.runs_to_first_bug {
        Some(run) => format!("found in run {run}; "),
        None => String::new(),
    };
    let failing = format!(" ({} failed)", stats.failing);
    let every = match document.reason.as_deref() {
        _ if document.complete => ", every interleaving covered",
        Some("interrupted") => ", interrupted",
        _ => "",
    };
    format!("{first}{}{every}", runs(stats, &failing))
}

fn runs(stats: &Stats, failing: &str) -> String {
    let runs = if stats.runs == 1 { "run" } else { "runs" };
    let with = if stats.strategy.is_empty() {
        String::new()
    } else {
        format!(" with {}", clean(&stats.strategy))
    };
    format!("{} {runs}{failing}{with} in {}", stats.runs, seconds(stats.seconds))
}

fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.2} s") } else { format!("{seconds:.0} s") }
}

fn nothing_found(document: &Document, paint: Paint) -> String {
    let runs = runs(&document.stats, "");
    let reason = document.reason.as_deref().map(clean);
    let because = reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
    match document.verdict {
        Verdict::Clean if document.complete => {
            let count = match (document.stats.interleavings, document.stats.classes) {
                (Some(n), _) => format!(", {n} interleavings"),
                (None, Some(1)) => ", 1 class of interleavings".to_string(),
                (None, Some(n)) => format!(", {n} classes of interleavings"),
                (None, None) => String::new(),
            };
            // Where the search was bounded, `all` is all within the bound.
            let bounded = document.reason.as_deref().filter(|it| it.contains("at most"));
            match bounded {
                Some(bounds) => paint.good(&format!("✓ {} pass{count}, {runs}", clean(bounds))),
                None => paint.good(&format!("✓ no interleaving fails: all covered{count}, {runs}")),
            }
        }
        Verdict::Clean => {
            let text = paint.good(&format!("✓ no failure in {runs}"));
            format!("{text}\n  not every interleaving was covered{because}")
        }
        Verdict::Bug => paint.bad(&format!("✗ a bug was found{because}")),
        Verdict::Undecided => paint.warn(&format!("? undecided{because}, {runs}")),
        Verdict::Error => paint.bad(&format!("! unpick failed{because}")),
    }
}

/// The schedule, and how to go on.
fn commands(finding: &Finding) -> Vec<String> {
    // A cut schedule would be of no use: a long one is left to the trace.
    let schedule = match finding.schedule.matches('.').count() {
        0..60 => finding.schedule.clone(),
        dots => format!("({} segments, in the trace)", dots + 1),
    };
    let mut lines = vec![format!("  schedule  {schedule}")];
    if let Some(path) = &finding.trace {
        let path = quoted(path);
        lines.push(format!("  show      unpick trace show {path}"));
        lines.push(format!("  replay    unpick replay {path}"));
    }
    lines
}

/// As a shell takes it for one word.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        return path.to_string();
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}
