//! The typed value of a race, and its text.

use crate::discipline::SHARED;
use crate::finding::site;
use crate::places::{Lines, Sources, stack_lines};
use crate::text::{Paint, clean, cut};
use unpick_model::{Access, Event, Finding, FindingKind, Op, Trace};

/// One of the two accesses, with what was going on around it.
pub struct Side {
    pub event: Event,
    pub variable: Option<String>,
    /// The locks that its thread held, and whether as one of several readers.
    pub held: Vec<(String, bool)>,
    /// The event that created its thread.
    pub created: Option<Event>,
}

/// `read`, `atomic write`, …
pub fn access_words(op: Op) -> &'static str {
    match (op.is_atomic_access(), op.is_write()) {
        (false, false) => "read",
        (false, true) => "write",
        (true, false) => "atomic read",
        (true, true) => "atomic write",
    }
}

/// The finding; `trace` has the places and stacks.
pub fn race_finding(
    trace: &Trace,
    sides: [&Side; 2],
    trace_path: Option<&str>,
    confirmed: bool,
    predicted: bool,
) -> Finding {
    let sites = sides.map(|side| race_site(trace, side));
    let name = sites.iter().find_map(|site| site.variable.clone());
    let place = |site: &Access| {
        let file = site.file.rsplit('/').next().unwrap_or_default();
        if file.is_empty() { "?".into() } else { format!("{file}:{}", site.line) }
    };
    let [one, other] = &sites;
    let message = format!(
        "{}: {} at {} and {} at {}",
        name.unwrap_or_else(|| format!(
            "{:#x}",
            sides[0].event.address.max(sides[1].event.address)
        )),
        one.operation,
        place(one),
        other.operation,
        place(other)
    );
    Finding {
        kind: FindingKind::Race,
        message,
        confirmed,
        confirmed_by: if confirmed { vec!["replay".into()] } else { Vec::new() },
        predicted,
        trace: trace_path.map(str::to_string),
        schedule: trace.schedule.to_string(),
        sites: sites.into(),
        harm: None,
        tsan_report: None,
        fingerprint: None,
        known: None,
    }
}

fn race_site(trace: &Trace, side: &Side) -> Access {
    let event = &side.event;
    let place = trace.event_place(event).cloned();
    let stack = stack_lines(trace, event.pc, event.stack);
    let words = access_words(event.op);
    let mut found = site(event.thread.0, place, words, side.variable.clone(), stack);
    let lock = |(name, shared): &(String, bool)| match shared {
        true => format!("{name}{SHARED}"),
        false => name.clone(),
    };
    found.held = Some(side.held.iter().map(lock).collect());
    found.created_at = side.created.as_ref().and_then(|created| {
        let place = trace.event_place(created)?;
        Some(format!("{} ({}:{})", place.function, place.file, place.line))
    });
    found
}

/// Another finding beside races, in a line.
pub fn finding_line(finding: &Finding, color: bool) -> String {
    let how = if finding.predicted { " (predicted, and confirmed by a run)" } else { "" };
    let words = crate::wording::kind_words(finding.kind);
    let text = format!("{words}{}{how}", clean(&finding.message));
    match finding.known {
        Some(true) => Paint(color).warn(&format!("○ known: {text}")) + "\n",
        _ => Paint(color).bad(&format!("✗ {text}")) + "\n",
    }
}

/// A race as a terminal shows it: both accesses, each with its line, locks, calls and origin.
pub fn race_text(finding: &Finding, color: bool, sources: &Sources<'_>) -> String {
    let paint = Paint(color);
    let lines = Lines::new(sources);
    let how = match (finding.predicted, finding.confirmed) {
        (true, true) => " (predicted, and confirmed by a run)",
        (true, false) => " (predicted, not confirmed)",
        (false, true) => "",
        (false, false) => " (did not come back in a replay)",
    };
    let title = format!("race: {}{how}", clean(&finding.message));
    let mut text = vec![match (finding.known, finding.confirmed) {
        (Some(true), _) => paint.warn(&format!("○ known {title}")),
        (_, true) => paint.bad(&format!("✗ {title}")),
        (_, false) => paint.warn(&format!("? {title}")),
    }];
    // How it happens was told before.
    if finding.known == Some(true) {
        return text.remove(0) + "\n";
    }
    for site in &finding.sites {
        text.extend(side_text(site, &lines, paint));
    }
    if let Some(harm) = &finding.harm {
        text.push(format!("    harm: {}", clean(harm)));
    }
    if let Some(report) = &finding.tsan_report {
        text.push("    ThreadSanitizer under the same schedule:".into());
        text.extend(report.trim().lines().map(|line| paint.dim(&format!("    │ {}", clean(line)))));
    }
    text.join("\n") + "\n"
}

fn side_text(site: &Access, lines: &Lines<'_>, paint: Paint) -> Vec<String> {
    const CALLS: usize = 6;
    let file = site.file.rsplit('/').next().unwrap_or_default();
    let held = match site.held.as_deref() {
        None => String::new(),
        Some([]) => ", holding no lock".into(),
        Some(locks) => format!(", holding {}", clean(&locks.join(", "))),
    };
    let variable =
        site.variable.as_deref().map_or(String::new(), |name| format!(" {}", clean(name)));
    let mut text = vec![format!(
        "  T{} {}{variable} at {}:{} in {}{held}",
        site.thread,
        site.operation,
        clean(file),
        site.line,
        clean(&site.function)
    )];
    let source = lines.get(&site.file, site.line);
    if !source.is_empty() {
        text.push(format!("    {} {}", paint.dim(&format!("{} │", site.line)), cut(&source, 100)));
    }
    // How the library comes to call what the user gave it says little.
    let own = |call: &&String| {
        let file = call.rsplit_once('(').map_or("", |(_, place)| place);
        !unpick_model::is_system(file)
    };
    for call in site.stack.iter().skip(1).filter(own).take(CALLS) {
        text.push(paint.dim(&format!("    called from {}", clean(call))));
    }
    if let Some(created) = &site.created_at {
        text.push(paint.dim(&format!("    T{} was created in {}", site.thread, clean(created))));
    }
    text
}
