//! The whole story of a bug as one HTML page that needs nothing but itself.
//!
//! **What.** [`page`] puts together the document of `unpick run`, the failing run, the run that passes where one is
//! known, and the source text. What is there to read (what failed, why, the tables) is plain HTML, made here. What is
//! there to play with (lanes, stepper, filters) is drawn by the script in `assets/` from data that lies in the page.
//!
//! **Decisions.**
//! - Everything that needs the meaning of events is done here: words, values, who read from whom, who held what, how two
//!   runs line up. The script only lays out and reacts, and draws no more than what is visible.
//! - No text of the program can end up as markup: [`html::escape`] for what is shown, [`html::embed`] for data.
//! - Of a long run the last [`MOST`] events are shown.
//!
//! **What it misses.** What lies beyond 64 bytes of a large value: it is shown as not known.

mod align;
mod differences;
mod files;
mod flows;
mod html;
mod memory;
mod objects;
mod run;
mod steps;
mod tables;

use files::Files;
use run::Drawn;
use serde_json::{Value, json};
use unpick_model::Trace;
use unpick_report::Sources;

/// Events of a run, at most.
pub const MOST: usize = 250_000;

/// A run, or the end of a long one.
#[derive(Clone, Copy)]
pub struct Excerpt<'a> {
    pub trace: &'a Trace,
    /// Events that come before it.
    pub before: usize,
}

/// What the page is about.
pub struct Subject<'a> {
    /// The document of `unpick run`.
    pub story: &'a Value,
    pub failing: Option<Excerpt<'a>>,
    /// The nearest run that passes.
    pub alternate: Option<Excerpt<'a>>,
    pub sources: &'a Sources<'a>,
}

const STYLE: &str = include_str!("../assets/page.css");
/// In this order: each uses those before it.
const SCRIPTS: [&str; 5] = [
    include_str!("../assets/data.js"),
    include_str!("../assets/lanes.js"),
    include_str!("../assets/overview.js"),
    include_str!("../assets/beside.js"),
    include_str!("../assets/stepper.js"),
];

/// The accesses of a race, where that is what was found.
fn races(finding: &Value) -> &Value {
    if finding["kind"] == "race" { &finding["sites"] } else { &Value::Null }
}

pub fn page(subject: &Subject) -> String {
    let mut files = Files::default();
    let block = subject.failing.and_then(|excerpt| run::block(excerpt.trace));
    let mut draw = |excerpt: Excerpt| run::draw(excerpt, &mut files, block);
    let (failing, alternate) = (subject.failing.map(&mut draw), subject.alternate.map(&mut draw));
    let explanation = &subject.story["explanation"];
    let aligned = match (&failing, &alternate) {
        (Some(failing), Some(alternate)) => {
            let rows = align::aligned(&failing.keys, &alternate.keys);
            let (left, right): (Vec<i64>, Vec<i64>) = rows.into_iter().unzip();
            json!({ "failing": left, "alternate": right })
        }
        _ => Value::Null,
    };
    let differences = |drawn: &Option<Drawn>, side: &str| match drawn {
        Some(drawn) => differences::of(explanation, side, drawn),
        None => Value::Null,
    };
    let data = json!({
        "differences": {
            "failing": differences(&failing, "failing"),
            "alternate": differences(&alternate, "alternate"),
        },
        "aligned": aligned,
        "cause": explanation["causes"][0],
        "races": races(&subject.story["findings"][0]),
        "sites": subject.story["sites"],
        "failing": failing.as_ref().map(|drawn| &drawn.json),
        "alternate": alternate.as_ref().map(|drawn| &drawn.json),
        "files": files.in_json(subject.story, subject.sources),
    });
    let parts = html::Parts {
        title: tables::title(subject),
        before: tables::what_failed(subject),
        steps: subject.failing.map(|excerpt| steps::table(excerpt, subject.sources)),
        after: tables::findings(subject),
        data: html::embed(&data),
        style: STYLE,
        script: SCRIPTS.concat(),
    };
    html::whole(&parts)
}
