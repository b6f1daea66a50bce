//! The page about a bug in a real browser: it opens, steps and filters, and what is drawn is what the trace and the
//! document say. Without Chromium these tests are left out, and say so.

#[path = "page/browser.rs"]
mod browser;
#[path = "page/synthetic.rs"]
mod synthetic;

use browser::Browser;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_model::{Event, Op, Trace};
use unpick_page::{Excerpt, Subject};

/// A story in a folder of its own.
struct Story {
    _folder: tempfile::TempDir,
    root: PathBuf,
    document: Value,
    failing: Trace,
    alternate: Option<Trace>,
}

fn unpick() -> PathBuf {
    let path = match std::env::var_os("UNPICK_BIN") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick"),
    };
    path.canonicalize().unwrap_or_else(|_| panic!("{}: `make build` first", path.display()))
}

/// Runs the whole tool on a program of the repository.
fn story(program: &str) -> Story {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("its path");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(program);
    std::fs::copy(&source, root.join("program.c")).expect("the program");
    let call = ["run", "program.c", "--time", "20"];
    let said = Command::new(unpick()).args(call).current_dir(&root).output().expect("the tool");
    let told = String::from_utf8_lossy(&said.stdout);
    assert_eq!(said.status.code(), Some(1), "{told}{}", String::from_utf8_lossy(&said.stderr));
    assert!(told.contains("page   unpick-out/report.html"), "{told}");
    let text = std::fs::read(root.join("unpick-out/story.json")).expect("the story");
    let document: Value = serde_json::from_slice(&text).expect("a document");
    let trace = |named: &Value| {
        named.as_str().map(|path| unpick_trace::read(root.join(path)).expect("a trace"))
    };
    let failing = trace(&document["findings"][0]["trace"]).expect("the failing run");
    let alternate = trace(&document["explanation"]["alternate_trace"]);
    Story { _folder: folder, root, document, failing, alternate }
}

impl Story {
    fn page(&self) -> PathBuf {
        self.root.join("unpick-out/report.html")
    }
}

fn browser() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        eprintln!(
            "skipped: there is no `chromium` here (scripts/install-deps --tests installs it)"
        );
    }
    browser
}

/// The events that have a step in the page, with their numbers in the trace.
fn shown(trace: &Trace) -> Vec<(usize, &Event)> {
    let events = trace.events.iter().enumerate();
    events.filter(|(_, event)| !event.op.is_bookkeeping() && !event.private).collect()
}

const CHOSEN: &str = "document.querySelector('.step.chosen')";

/// Chooses which runs are shown.
fn mode(browser: &mut Browser, mode: &str) {
    browser.value(&format!("document.querySelector('input[value={mode}]').click()"));
}

fn into_lanes(browser: &mut Browser) {
    browser.value("document.querySelector('.lanes').focus()");
}

/// Every step of the page, from its first to its last, beside the trace: who, what, where, and the values then.
fn step_through(browser: &mut Browser, trace: &Trace) {
    into_lanes(browser);
    browser.press("Home");
    let mut values: HashMap<String, String> = HashMap::new();
    for (index, event) in shown(trace) {
        let seen = browser.value(
            "(() => { const step = document.querySelector('.step.chosen'); return { \
             step: step.dataset.step, thread: step.dataset.thread, words: document.querySelector('.moment-words code').textContent, drawn: step.querySelector('.words').textContent, \
             line: document.querySelector('.line.here .number')?.textContent, title: document.querySelector('.source-panel h3').textContent, \
             values: Object.fromEntries([...document.querySelectorAll('.values tbody tr')].map((row) => \
             [row.dataset.variable, row.querySelector('.value').textContent])) }; })()",
        );
        let at = format!("event {index} of {}: {seen}", trace.events.len());
        assert_eq!(seen["step"], (index + 1).to_string(), "{at}");
        assert_eq!(seen["thread"], event.thread.0.to_string(), "{at}");
        let words = seen["words"].as_str().expect("words");
        // In the lanes long words lack their middle.
        let drawn = seen["drawn"].as_str().expect("words");
        match drawn.split_once('…') {
            Some((begin, end)) => {
                assert!(words.starts_with(begin) && words.ends_with(end), "{at}")
            }
            None => assert_eq!(drawn, words, "{at}"),
        }
        if let Some(place) = trace.event_place(event) {
            assert_eq!(seen["line"], place.line.to_string(), "{at}");
            assert_eq!(
                seen["title"],
                format!("program.c:{} in {}", place.line, place.function),
                "{at}"
            );
        }
        if let Some(name) = trace.name(event.name) {
            assert!(words.contains(name), "{at}");
        }
        // The programs have small numbers only.
        if event.op.is_access() && event.size == 4 {
            let name = trace.name(event.name).expect("a name").to_string();
            let number = |bits: u64| (bits as u32 as i32).to_string();
            assert!(words.ends_with(&number(event.after)) || event.op == Op::Read, "{at}");
            assert!(words.contains(&number(event.before)), "{at}");
            let now = if event.op.is_write() { event.after } else { event.before };
            values.insert(name, number(now));
        }
        for (name, value) in &values {
            assert_eq!(seen["values"][name], value.as_str(), "{name} at {at}");
        }
        browser.press("ArrowRight");
    }
    assert_eq!(browser.number("document.querySelectorAll('.step.chosen.ended').length"), 1);
}

/// What the lanes draw in all rows, seen by scrolling through them.
fn drawn(browser: &mut Browser, selector: &str, keys: &[&str]) -> BTreeSet<String> {
    let script = format!(
        "(async () => {{ const seen = new Set(), lanes = document.querySelector('.lanes'); \
         for (let top = 0; top <= lanes.scrollHeight; top += 200) {{ lanes.scrollTop = top; \
         await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); \
         for (const one of document.querySelectorAll('{selector}')) \
         seen.add({}.map((key) => one.dataset[key]).join(' ')); }} return [...seen]; }})()",
        json!(keys)
    );
    let seen = browser.value(&script);
    seen.as_array().expect("a list").iter().map(|one| one.as_str().expect("text").into()).collect()
}

/// The row of an event in the page: those before it that are shown.
fn row(trace: &Trace, index: usize) -> usize {
    shown(trace).iter().take_while(|(at, _)| *at < index).count()
}

/// Who holds which lock from which row to which.
fn holds(trace: &Trace) -> BTreeSet<String> {
    let mut open: BTreeMap<(u16, u64), usize> = BTreeMap::new();
    let mut all = BTreeSet::new();
    for (index, event) in shown(trace) {
        let key = (event.thread.0, event.address);
        match event.op {
            Op::Lock => {
                open.insert(key, row(trace, index));
            }
            Op::Unlock => {
                let name = trace.name(event.name).expect("a name");
                let from = open.remove(&key).expect("it is held");
                all.insert(format!("{} {name} {from} {}", key.0, row(trace, index)));
            }
            _ => {}
        }
    }
    all
}

/// The event that an operation of the difference is, by its row.
fn operation(document: &Value, trace: &Trace, side: &str, name: &Value) -> Option<usize> {
    let event = &document["explanation"]["dsp_events"][side][name.as_str()?];
    let key = (event["thread"].as_u64()? as u16, event["count"].as_u64()?);
    shown(trace).iter().position(|(_, event)| (event.thread.0, event.count) == key)
}

#[test]
fn a_bank_that_loses_money() {
    let Some(mut browser) = browser() else { return };
    let story = story("corpus/dsp/bank/bank.c");
    let (failing, document) = (&story.failing, &story.document);
    let alternate = story.alternate.as_ref().expect("a run that passes");
    browser.size(1400, 1000);
    browser.open(&story.page());

    let message = document["findings"][0]["message"].as_str().expect("a message");
    let headline = browser.text("document.querySelector('h1').textContent");
    assert_eq!(headline, format!("assertion failed: {message}"));
    let why = browser.text("document.querySelector('.why').textContent");
    assert!(
        why.contains(document["explanation"]["sentence"].as_str().expect("a sentence")),
        "{why}"
    );

    // It begins where the explanation does.
    let cause = &document["explanation"]["causes"][0];
    let thread = cause["thread"].as_str().expect("a thread");
    assert_eq!(browser.text(&format!("{CHOSEN}.dataset.thread")), thread);
    let line = browser.text("document.querySelector('.line.here .number').textContent");
    assert_eq!(line, cause["line"].to_string());

    mode(&mut browser, "failing");
    step_through(&mut browser, failing);
    let ended = browser.text("document.querySelector('.moment-words code').textContent");
    assert!(ended.contains(message), "{ended}");
    let line = &document["findings"][0]["sites"][0]["line"];
    assert_eq!(
        browser.text("document.querySelector('.line.here .number').textContent"),
        line.to_string()
    );
    assert_eq!(
        drawn(&mut browser, ".lanes .hold", &["thread", "lock", "from", "to"]),
        holds(failing)
    );

    mode(&mut browser, "alternate");
    step_through(&mut browser, alternate);
    assert_eq!(
        drawn(&mut browser, ".lanes .hold", &["thread", "lock", "from", "to"]),
        holds(alternate)
    );

    mode(&mut browser, "both");
    for (side, trace) in [("failing", failing), ("alternate", alternate)] {
        let steps = drawn(&mut browser, &format!(".step[data-side={side}]:not(.ended)"), &["step"]);
        let all: BTreeSet<String> =
            shown(trace).iter().map(|(at, _)| (at + 1).to_string()).collect();
        assert_eq!(steps, all, "{side}");
        let operations =
            document["explanation"]["dsp"]["operations"].as_array().expect("operations");
        let expected: BTreeSet<String> = operations
            .iter()
            .filter_map(|name| operation(document, trace, side, name))
            .map(|row| row.to_string())
            .collect();
        assert!(!expected.is_empty());
        let marked = drawn(&mut browser, &format!(".step.differs[data-side={side}]"), &["event"]);
        assert_eq!(marked, expected, "{side}");
        let edges = document["explanation"]["dsp"][side].as_array().expect("edges").iter();
        let flows: BTreeSet<String> = edges
            .filter(|edge| edge["kind"] == "data-flow")
            .map(|edge| {
                let row =
                    |name| operation(document, trace, side, name).map_or(-1, |row| row as i64);
                format!("{} {}", row(&edge["from"]), row(&edge["to"]))
            })
            .collect();
        let arrows =
            drawn(&mut browser, &format!(".arrow.flow[data-side={side}]"), &["from", "to"]);
        assert_eq!(arrows, flows, "{side}");
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn filters_keys_and_tables() {
    let Some(mut browser) = browser() else { return };
    let story = story("corpus/figures/000-fig1/fig1.c");
    let (trace, document) = (&story.failing, &story.document);
    browser.size(1400, 1000);
    browser.open(&story.page());
    mode(&mut browser, "failing");

    // By thread.
    browser.value("document.querySelector('.threads input[value=\"1\"]').click()");
    let expected: BTreeSet<String> = shown(trace)
        .iter()
        .filter(|(_, event)| event.thread.0 != 1)
        .map(|(at, _)| (at + 1).to_string())
        .collect();
    assert_eq!(drawn(&mut browser, ".step:not(.ended)", &["step"]), expected);
    browser.value("document.querySelector('.threads input[value=\"1\"]').click()");

    // By variable: with all of its readings drawn.
    let variable = "x";
    let select = format!(
        "(() => {{ const it = document.getElementById('variable'); it.value = '{variable}'; it.dispatchEvent(new Event('change')); }})()"
    );
    browser.value(&select);
    let on = |event: &Event| event.op.is_access() && trace.name(event.name) == Some(variable);
    let expected: BTreeSet<String> = shown(trace)
        .iter()
        .filter(|(_, event)| on(event))
        .map(|(at, _)| (at + 1).to_string())
        .collect();
    assert_eq!(drawn(&mut browser, ".step:not(.ended)", &["step"]), expected);
    let mut writer = None;
    let mut flows = BTreeSet::new();
    for (row, (_, event)) in shown(trace).iter().enumerate().filter(|(_, (_, event))| on(event)) {
        if event.op == Op::Read {
            flows.extend(writer.map(|from: usize| format!("{from} {row}")));
        } else {
            writer = Some(row);
        }
    }
    assert!(!flows.is_empty());
    let arrows = drawn(&mut browser, ".arrow", &["from", "to"]);
    assert_eq!(arrows, flows);
    let steps = browser.text("document.querySelector('.place').textContent");
    assert!(steps.contains(&format!("of {} steps", expected.len())), "{steps}");
    browser.value(&select.replace("'x'", "''"));

    // Keys.
    into_lanes(&mut browser);
    browser.press("End");
    assert_eq!(browser.number("document.querySelectorAll('.step.chosen.ended').length"), 1);
    browser.press("Home");
    let threads: Vec<u16> = shown(trace).iter().map(|(_, event)| event.thread.0).collect();
    let mut at = 0;
    for key in ["n", "n", "ArrowDown", "ArrowRight", "n", "p", "ArrowUp", "p", "ArrowLeft"] {
        let same = |row: &usize| threads[*row] == threads[at];
        at = match key {
            "n" => (at + 1..threads.len()).find(same).unwrap_or(at),
            "p" => (0..at).rev().find(same).unwrap_or(at),
            "ArrowDown" | "ArrowRight" => at + 1,
            _ => at - 1,
        };
        browser.press(key);
        assert_eq!(browser.text(&format!("{CHOSEN}.dataset.event")), at.to_string(), "after {key}");
        let active =
            browser.text("document.querySelector('.lanes').getAttribute('aria-activedescendant')");
        assert_eq!(active, format!("step-failing-{at}"));
    }
    // Buttons do the same.
    browser.value("document.querySelector('[data-act=\"Next step\"]').click()");
    assert_eq!(browser.text(&format!("{CHOSEN}.dataset.event")), (at + 1).to_string());

    // Tables.
    let table = |title: &str| {
        format!(
            "[...document.querySelectorAll('.finding')].filter((one) => one.querySelector('h3').textContent === '{title}')\
             .flatMap((one) => [...one.querySelectorAll('tbody tr')]).length"
        )
    };
    let count = |list: &Value| list.as_array().map_or(0, Vec::len) as i64;
    let races = document["races"]["findings"].as_array().into_iter().flatten();
    let races = races.filter(|finding| finding["kind"] == "race").count() as i64;
    assert_eq!(browser.number(&table("Races")), races);
    let broken = count(&document["invariants"]["differences"]);
    assert_eq!(browser.number(&table("What failing runs break")), broken);
    let blamed = count(&document["localization"]["sites"]);
    assert_eq!(browser.number(&table("Lines to blame")), blamed);
    let fixes = browser.number("document.querySelectorAll('.diff').length");
    assert_eq!(fixes, count(&document["localization"]["fixes"]));
    let replay = browser.text("document.getElementById('again').textContent");
    let file = document["findings"][0]["trace"].as_str().expect("a trace");
    assert!(replay.contains(&format!("unpick replay {file}")), "{replay}");

    shapes(&mut browser, &story.page());
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_deadlock_ends_where_threads_wait() {
    let Some(mut browser) = browser() else { return };
    let story = story("tests/cases/explain/deadlock/deadlock.c");
    browser.size(1400, 1000);
    browser.open(&story.page());
    mode(&mut browser, "failing");
    into_lanes(&mut browser);
    browser.press("End");
    let sites = story.document["findings"][0]["sites"].as_array().expect("sites");
    let waits = browser.number("document.querySelectorAll('.lanes .waits').length");
    assert_eq!(waits, sites.len() as i64);
    // Each thread is shown at the line at which it waits, and one of these is the line of the end.
    for site in sites {
        let shown = format!(
            "[...document.querySelectorAll('.line[data-line=\"{}\"] .who b')].map((it) => it.textContent).join()",
            site["line"]
        );
        assert_eq!(browser.text(&shown), format!("T{}", site["thread"]));
    }
    let here = browser.text("document.querySelector('.line.here').dataset.line");
    assert!(sites.iter().any(|site| format!("{}", site["line"]) == here), "{here}");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_freed_block_has_no_value() {
    let Some(mut browser) = browser() else { return };
    let story = story("tests/cases/explain/freed/freed.c");
    browser.size(1400, 1000);
    browser.open(&story.page());
    mode(&mut browser, "failing");
    let freed = story.failing.events.iter().position(|event| event.op == Op::Free);
    let freed = (freed.expect("it is freed") + 1).to_string();
    let steps = drawn(&mut browser, ".step:not(.ended)", &["step"]);
    assert!(steps.contains(&freed), "{steps:?} without {freed}");
    into_lanes(&mut browser);
    browser.press("End");
    let values = "[...document.querySelectorAll('.values .value')].map((it) => it.textContent)";
    let freed = browser.value(&format!("{values}.filter((it) => it === 'freed').length"));
    assert_eq!(freed, 1);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Narrow and wide, dark, on paper, without scripts.
fn shapes(browser: &mut Browser, page: &Path) {
    for width in [1800, 1400, 1000, 700, 380] {
        browser.size(width, 900);
        let wide = browser.number("document.documentElement.scrollWidth");
        assert!(wide <= i64::from(width), "{wide} points are needed of {width}");
    }
    browser.size(1400, 1000);
    for scheme in ["light", "dark"] {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        browser.ask("Emulation.setEmulatedMedia", json!({ "features": features }));
        let contrasts = browser.value(CONTRASTS);
        for (name, contrast) in contrasts.as_object().expect("colours") {
            let contrast = contrast.as_f64().expect("a number");
            assert!(contrast >= 4.5, "{name} in {scheme}: {contrast}");
        }
        let dark = browser.value(
            "getComputedStyle(document.documentElement).backgroundColor === 'rgb(21, 24, 28)'",
        );
        assert_eq!(dark, scheme == "dark");
    }
    browser.ask("Emulation.setEmulatedMedia", json!({ "media": "print", "features": [] }));
    let shows =
        |id: &str| format!("getComputedStyle(document.getElementById('{id}')).display !== 'none'");
    assert_eq!(browser.value(&shows("stage")), false);
    assert_eq!(browser.value(&shows("steps")), true);
    browser.ask("Emulation.setEmulatedMedia", json!({ "media": "" }));
    browser.ask("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.open(page);
    assert_eq!(browser.value(&shows("stage")), false);
    assert_eq!(browser.value(&shows("steps")), true);
    assert!(browser.number("document.querySelectorAll('#steps tbody tr').length") > 10);
    browser.ask("Emulation.setScriptExecutionDisabled", json!({ "value": false }));
}

/// How well each colour of text is seen on what is behind it, as the accessibility guidelines count it.
const CONTRASTS: &str = "(() => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const hex = style.getPropertyValue(name).trim();
    const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const names = ['--ink', '--soft', '--faint', '--accent', '--bad', '--good', '--differs-mark', ...Array.from({ length: 8 }, (_, at) => `--t${at}`)];
  return Object.fromEntries(names.map((name) => {
    const [one, other] = [light(name), light('--raised')].sort((a, b) => b - a);
    return [name, (one + 0.05) / (other + 0.05)];
  }));
})()";

fn write_page(trace: &Trace, story: &Value, text: &[String], folder: &Path) -> PathBuf {
    let sources = |file: &str| (file == synthetic::FILE).then(|| text.to_vec());
    let failing = Some(Excerpt { trace, before: 0 });
    let subject = Subject { story, failing, alternate: failing, sources: &sources };
    let path = folder.join("report.html");
    std::fs::write(&path, unpick_page::page(&subject)).expect("the page");
    path
}

#[test]
fn a_hundred_thousand_events() {
    const EVENTS: usize = 100_000;
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let trace = synthetic::trace(EVENTS, |number| format!("name_{number}"));
    let text: Vec<String> = (1..=400).map(|line| format!("    work({line});")).collect();
    let page = write_page(&trace, &json!({ "verdict": "bug" }), &text, folder.path());
    let size = page.metadata().expect("its size").len();
    browser.size(1400, 1000);
    let begun = std::time::Instant::now();
    browser.open(&page);
    let opened = begun.elapsed();
    for runs in ["failing", "both"] {
        mode(&mut browser, runs);
        // Each step, with the layout that it takes.
        let step = browser.value(
            "(() => { const lanes = document.querySelector('.lanes'), times = []; lanes.focus(); \
             lanes.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true })); \
             for (let at = 0; at < 300; at++) { const begun = performance.now(); \
             lanes.dispatchEvent(new KeyboardEvent('keydown', { key: at % 30 ? 'ArrowDown' : 'PageDown', bubbles: true })); \
             document.querySelector('.lanes-body').getBoundingClientRect(); times.push(performance.now() - begun); } \
             times.sort((a, b) => a - b); return [times[150], times[290]]; })()",
        );
        println!(
            "{EVENTS} events, {runs}: {size} bytes, opened in {opened:.1?}; a step takes {:.1} ms (median), {:.1} ms (97 %); a frame has 16.7 ms",
            step[0].as_f64().unwrap_or_default(),
            step[1].as_f64().unwrap_or_default()
        );
        into_lanes(&mut browser);
        browser.press("End");
        assert_eq!(browser.number("document.querySelectorAll('.step.chosen.ended').length"), 1);
        browser.press("ArrowUp");
        assert_eq!(browser.text(&format!("{CHOSEN}.dataset.step")), EVENTS.to_string());
        let nodes = browser.number("document.getElementById('stage').querySelectorAll('*').length");
        assert!(nodes < 3000, "{nodes} elements are in the page at once");
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn hostile_names_stay_text() {
    const EVIL: &str =
        "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>&amp;'\"";
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let trace = synthetic::trace(40, |number| format!("{EVIL}{number}"));
    let story = json!({
        "verdict": "bug",
        "warnings": [EVIL],
        "findings": [{ "kind": EVIL, "message": EVIL, "trace": EVIL, "sites": [{ "file": EVIL, "line": 1, "function": EVIL }] }],
        "explanation": { "sentence": EVIL, "dsp": { "failing": [{ "kind": "data-flow", "from": EVIL, "to": EVIL, "location": EVIL }] } },
        "races": { "findings": [{ "kind": "race", "message": EVIL, "sites": [{ "thread": 1, "variable": EVIL, "held": [EVIL], "file": EVIL, "line": 1, "operation": EVIL }] }] },
        "invariants": { "differences": [{ "text": EVIL, "point": EVIL, "broken_by": { "values": { EVIL: EVIL } } }],
            "atomic_regions": [{ "file": EVIL, "function": EVIL, "from_line": 1, "to_line": 2 }] },
        "localization": { "fixes": [{ "diff": EVIL }], "sites": [{ "file": EVIL, "line": 1, "told": EVIL }] },
        "parts": [{ "name": EVIL, "reason": EVIL, "status": 1, "seconds": 1.0 }],
        "sites": [{ "file": EVIL, "line": 1, "why": EVIL }],
    });
    let text = vec![EVIL.to_string(); 400];
    let page = write_page(&trace, &story, &text, folder.path());
    browser.size(1400, 1000);
    browser.open(&page);
    mode(&mut browser, "failing");
    into_lanes(&mut browser);
    browser.press("Home");
    assert_ne!(browser.text("document.title"), "broken");
    assert_eq!(browser.number("document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.number("document.scripts.length"), 2);
    let words = browser.text("document.querySelector('.moment-words code').textContent");
    assert!(words.contains(EVIL), "{words}");
    assert_eq!(browser.text("document.querySelector('.line.here code').textContent"), EVIL);
    assert!(browser.text("document.querySelector('.why').textContent").contains(EVIL));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_story_that_is_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = || {
        let said =
            Command::new(unpick()).arg("report").arg(folder.path()).output().expect("the tool");
        (said.status.code(), String::from_utf8_lossy(&said.stderr).into_owned())
    };
    let (status, said) = report();
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("story.json") && said.contains("unpick run"), "{said}");
    std::fs::write(folder.path().join("story.json"), "{ broken").expect("a file");
    let (status, said) = report();
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("not JSON"), "{said}");
    assert!(!folder.path().join("report.html").exists());
}
