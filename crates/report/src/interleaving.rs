//! A run as a table: a column a thread, a row an event, so that who did what in between meets the eye.
//!
//! Two to four threads stand side by side where the width suffices for it (only what function a created
//! thread runs may be cut off there: its column says it again, a value would be missed); otherwise there
//! is one column, with the thread's name in front. Rows are numbered by their place in the
//! whole trace, whatever is left out, so that the numbers agree between views and exports. `>` marks a
//! row whose thread is not the one of the row before.

use crate::operations::Words;
use crate::places::{Lines, ShortNames, Sources};
use crate::text::{Paint, clean, cut, fit, width};
use crate::wording::{describe_outcome, mark};
use std::collections::BTreeSet;
use unpick_model::{Event, Op, Outcome, Place, ThreadId, Trace};

/// A thread's column is never wider; in a list, never narrower.
const WIDEST: usize = 48;
const NARROWEST: usize = 16;
/// A place is never wider; source text narrower than this is left out.
const PLACE: usize = 28;
const SOURCE: usize = 16;

#[derive(Clone, Debug)]
pub struct ShowOptions {
    /// Columns of the terminal.
    pub width: usize,
    /// With ANSI colours.
    pub color: bool,
    /// Also bookkeeping and private accesses.
    pub all: bool,
    /// Only events on this variable (`account` also means `account.balance` and `account[3]`).
    pub variable: Option<String>,
    /// Only events of this thread.
    pub thread: Option<ThreadId>,
    /// Only the last so many rows.
    pub limit: Option<usize>,
    /// Only these, by their number in the trace.
    pub chosen: Option<BTreeSet<usize>>,
    /// End with how the run ended.
    pub outcome: bool,
    /// The trace is a part of a longer one: so many events come before it.
    pub before: usize,
}

impl Default for ShowOptions {
    fn default() -> Self {
        ShowOptions {
            width: 100,
            color: false,
            all: false,
            variable: None,
            thread: None,
            limit: None,
            chosen: None,
            outcome: true,
            before: 0,
        }
    }
}

/// What `unpick trace show` prints.
pub fn interleaving(trace: &Trace, options: &ShowOptions, sources: &Sources<'_>) -> String {
    let paint = Paint(options.color);
    let table = Table::new(trace, options, sources);
    let mut out = String::new();
    if options.before > 0 && options.limit.is_some() {
        out.push_str(&format!("{}\n", paint.dim("… earlier steps left out")));
    } else if table.left_out > 0 {
        let steps = if table.left_out == 1 { "step" } else { "steps" };
        let note = format!("… {} earlier {steps} left out", table.left_out);
        out.push_str(&format!("{}\n", paint.dim(&note)));
    }
    if table.rows.is_empty() {
        out.push_str("(no step to show)\n");
    } else {
        match table.side_by_side(options.width) {
            Some(layout) => table.print_columns(&layout, options.width, paint, &mut out),
            None => table.print_list(options.width, paint, &mut out),
        }
    }
    if options.outcome {
        out.push_str(&ending(trace, table.step_width, paint));
    }
    out
}

/// How many rows [`interleaving()`] has for the events of `trace`.
pub fn rows(trace: &Trace, options: &ShowOptions) -> usize {
    trace.events.iter().filter(|event| is_shown(trace, event, options)).count()
}

/// `✗ assertion failed: …`, below the rows.
fn ending(trace: &Trace, indent: usize, paint: Paint) -> String {
    let mut out = String::new();
    for (i, line) in describe_outcome(trace).lines().enumerate() {
        let text =
            if i == 0 { format!("{} {line}", mark(&trace.outcome)) } else { format!("  {line}") };
        let text = match trace.outcome {
            Outcome::Passed => paint.good(&text),
            Outcome::Failed { .. } => paint.bad(&text),
            _ => paint.warn(&text),
        };
        out.push_str(&format!("{}{text}\n", " ".repeat(indent + 1)));
    }
    out
}

/// A row's event in words.
pub struct Step<'a> {
    /// Its place in the whole trace, from 1 on.
    pub number: usize,
    pub thread: ThreadId,
    /// Another thread had the row before.
    pub switched: bool,
    pub operation: String,
    pub place: Option<&'a Place>,
    may_be_cut: bool,
}

/// The rows that options ask for, and how many events before them are left out. What a thread does again and again while
/// nobody else does anything is one row.
pub fn steps<'a>(trace: &'a Trace, options: &ShowOptions) -> (Vec<Step<'a>>, usize) {
    let shown: Vec<usize> = (trace.events.iter().enumerate())
        .filter(|(i, event)| match &options.chosen {
            Some(chosen) => chosen.contains(i),
            None => is_shown(trace, event, options),
        })
        .map(|(i, _)| i)
        .collect();
    let words = Words::new(trace);
    // From the end, for the last ones are wanted.
    let mut steps: Vec<(Step, u64)> = Vec::new();
    let mut left_out = shown.len();
    let mut later = None;
    for &i in shown.iter().rev() {
        let event = &trace.events[i];
        let step = Step {
            number: options.before + i + 1,
            thread: event.thread,
            switched: false,
            operation: words.operation(event, trace.wide(i)),
            place: trace.event_place(event),
            may_be_cut: matches!(event.op, Op::ThreadCreate { .. }),
        };
        let alone = |next: usize| trace.events[i..next].iter().all(|it| it.thread == event.thread);
        let is_same = |next: &Step| {
            next.thread == step.thread
                && next.operation == step.operation
                && next.place == step.place
        };
        let enough = options.limit.is_some_and(|limit| steps.len() >= limit);
        match steps.last_mut() {
            Some((next, times)) if !options.all && is_same(next) && later.is_some_and(alone) => {
                next.number = step.number;
                *times += 1;
            }
            _ if enough => break,
            _ => steps.push((step, 1)),
        }
        left_out -= 1;
        later = Some(i);
    }
    let mut before = left_out.checked_sub(1).map(|last| trace.events[shown[last]].thread);
    let in_order = steps.into_iter().rev().map(|(step, times)| {
        let switched = before.is_some_and(|before| before != step.thread);
        before = Some(step.thread);
        let operation = match times {
            1 => step.operation,
            _ => format!("{} ×{times}", step.operation),
        };
        Step { switched, operation, ..step }
    });
    (in_order.collect(), left_out)
}

struct Row {
    step: usize,
    thread: ThreadId,
    switched: bool,
    operation: String,
    may_be_cut: bool,
    place: String,
    source: String,
}

struct Table<'a> {
    trace: &'a Trace,
    rows: Vec<Row>,
    left_out: usize,
    /// The threads that have a row, by number.
    threads: Vec<ThreadId>,
    step_width: usize,
    place_width: usize,
}

struct Layout {
    /// A width for each of the table's threads.
    columns: Vec<usize>,
}

impl<'a> Table<'a> {
    fn new(trace: &'a Trace, options: &ShowOptions, sources: &Sources<'_>) -> Table<'a> {
        let files = ShortNames::new(trace);
        let lines = Lines::new(sources);
        let (steps, left_out) = steps(trace, options);
        let mut rows = Vec::new();
        for step in steps {
            let (place, source) = match step.place {
                Some(at) => {
                    let place = format!("{}:{}", files.of(&at.file), at.line);
                    (place, lines.get(&at.file, at.line))
                }
                None => Default::default(),
            };
            let Step { number, thread, switched, operation, may_be_cut, .. } = step;
            rows.push(Row { step: number, thread, switched, operation, may_be_cut, place, source });
        }
        let mut threads: Vec<ThreadId> = rows.iter().map(|row| row.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let digits = rows.last().map_or(0, |row| row.step.to_string().len());
        let place_width = rows.iter().map(|row| width(&row.place)).max().unwrap_or(0).min(PLACE);
        Table { trace, rows, left_out, threads, step_width: digits.max(3), place_width }
    }

    fn thread_name(&self, thread: ThreadId) -> String {
        thread_name(self.trace, thread)
    }

    /// Columns that the number and the mark take.
    fn gutter(&self) -> usize {
        self.step_width + 3
    }

    /// `None`: too many threads, or too narrow for them.
    fn side_by_side(&self, columns: usize) -> Option<Layout> {
        if !(2..=4).contains(&self.threads.len()) {
            return None;
        }
        let widest = |thread: ThreadId, essential: bool| {
            let rows = self.rows.iter().filter(|row| row.thread == thread);
            let rows = rows.filter(|row| !(essential && row.may_be_cut));
            rows.map(|row| width(&row.operation)).max().unwrap_or(0).min(WIDEST)
        };
        let wants: Vec<Want> = (self.threads.iter())
            .map(|&thread| {
                let name = width(&self.thread_name(thread)).min(WIDEST);
                let least = widest(thread, true).max(name.min(NARROWEST));
                Want { least, best: widest(thread, false).max(name) }
            })
            .collect();
        let between = 3 * (wants.len() - 1) + 2;
        let available = columns.checked_sub(self.gutter() + between + self.place_width)?;
        share(&wants, available).map(|columns| Layout { columns })
    }

    fn print_columns(&self, layout: &Layout, columns: usize, paint: Paint, out: &mut String) {
        let bar = format!(" {} ", paint.dim("│"));
        let used = self.gutter() + layout.columns.iter().map(|it| it + 3).sum::<usize>() - 1;
        let source_width = columns.saturating_sub(used + self.place_width + 2);
        let head: Vec<String> = (self.threads.iter().zip(&layout.columns))
            .map(|(&thread, &column)| {
                paint.thread(thread.index(), &fit(&self.thread_name(thread), column))
            })
            .collect();
        let head = format!("{:>1$}   {2}", "#", self.step_width, head.join(&bar));
        push_line(out, &head);
        for row in &self.rows {
            let cells: Vec<String> = (self.threads.iter().zip(&layout.columns))
                .map(|(&thread, &column)| {
                    let text = if thread == row.thread { row.operation.as_str() } else { "" };
                    paint.thread(thread.index(), &fit(text, column))
                })
                .collect();
            let mut line = format!("{}{}  ", self.row_start(row, paint), cells.join(&bar));
            self.push_place(row, source_width, paint, &mut line);
            push_line(out, &line);
        }
    }

    fn print_list(&self, columns: usize, paint: Paint, out: &mut String) {
        let names: Vec<String> = self.rows.iter().map(|row| self.thread_name(row.thread)).collect();
        let name_width = names.iter().map(|name| width(name)).max().unwrap_or(0).min(WIDEST / 2);
        let widest = self.rows.iter().map(|row| width(&row.operation)).max().unwrap_or(0);
        let fixed = self.gutter() + name_width + 2 + 2 + self.place_width;
        let operations = widest.min(WIDEST + 20).min(columns.saturating_sub(fixed).max(NARROWEST));
        let source_width = columns.saturating_sub(fixed + operations + 2);
        for (row, name) in self.rows.iter().zip(&names) {
            let name = paint.thread(row.thread.index(), &fit(name, name_width));
            let operation = fit(&row.operation, operations);
            let mut line = format!("{}{name}  {operation}  ", self.row_start(row, paint));
            self.push_place(row, source_width, paint, &mut line);
            push_line(out, &line);
        }
    }

    fn row_start(&self, row: &Row, paint: Paint) -> String {
        let mark = if row.switched { paint.bold(">") } else { " ".into() };
        format!("{:>1$} {mark} ", row.step, self.step_width)
    }

    fn push_place(&self, row: &Row, source_width: usize, paint: Paint, line: &mut String) {
        line.push_str(&fit(&row.place, self.place_width));
        if source_width >= SOURCE && !row.source.is_empty() {
            line.push_str("  ");
            line.push_str(&paint.dim(&cut(&row.source, source_width)));
        }
    }
}

/// `T1 withdraw`.
pub(crate) fn thread_name(trace: &Trace, thread: ThreadId) -> String {
    match trace.threads.get(thread.index()) {
        Some(info) if !info.entry.is_empty() => format!("{thread} {}", clean(&info.entry)),
        _ => thread.to_string(),
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

pub(crate) fn is_shown(trace: &Trace, event: &Event, options: &ShowOptions) -> bool {
    // That a thread gives in to a request to end explains what follows.
    let hidden = (event.op.is_bookkeeping() && event.op != Op::Cancelled) || event.private;
    (options.all || !hidden)
        && options.thread.is_none_or(|thread| thread == event.thread)
        && options.variable.as_ref().is_none_or(|variable| {
            trace.name(event.name).is_some_and(|name| is_part_of(name, variable))
        })
}

/// `name` is `variable` or something inside it.
fn is_part_of(name: &str, variable: &str) -> bool {
    name.strip_prefix(variable)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '-']))
}

struct Want {
    least: usize,
    best: usize,
}

/// Gives each what is best for it as far as there is enough, from left to right, and the least to all.
fn share(wants: &[Want], available: usize) -> Option<Vec<usize>> {
    let least: usize = wants.iter().map(|want| want.least).sum();
    let mut spare = available.checked_sub(least)?;
    let given = wants.iter().map(|want| {
        let more = want.best.saturating_sub(want.least).min(spare);
        spare -= more;
        want.least + more
    });
    Some(given.collect())
}
