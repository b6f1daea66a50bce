//! Small changes to a file's synchronisation that might remove a failure: candidates, to be tried.
//!
//! They are made from what is written there, not from a proof: which of them helps is seen by running the changed program.
//! The smallest come first. What is known: pthread's calls, in one file at a time; not C++'s own locks, nor a thread that is
//! kept in an array.

use crate::edits::{Edit, after, apply, before, released_before, removed};
use crate::foresight::{Effect, Hold, Lock};
use crate::joins::{calls_that_join, join_before_next, join_earlier};
use crate::orders::store_orders;
use crate::regions::atomic_regions;
use crate::releases::releases;
use crate::syntax::{Block, Source, Statement, Wait};
use std::collections::BTreeSet;
use std::ops::Range;

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FixKind {
    /// `if` around a wait becomes `while`.
    WaitAgain,
    /// An atomic is written before something else.
    StoreOrder,
    /// A lock is given back where its function is left with it.
    GiveBack,
    /// Two locks are taken the other way round.
    LockOrder,
    /// A function takes another lock than it did.
    OtherLock,
    /// An unlock comes before another lock is taken.
    HoldShorter,
    /// An unlock comes later, or a lock earlier.
    HoldLonger,
    /// A lock is held across a range.
    AtomicRegion,
    /// What a waiting thread looks at is changed, or it is told.
    Announce,
    /// A thread is waited for before something else happens.
    JoinEarlier,
    /// A thread is waited for before another one begins.
    OneAfterAnother,
}

impl FixKind {
    pub fn name(self) -> &'static str {
        match self {
            FixKind::WaitAgain => "wait-again",
            FixKind::StoreOrder => "store-order",
            FixKind::GiveBack => "give-back",
            FixKind::LockOrder => "lock-order",
            FixKind::OtherLock => "other-lock",
            FixKind::HoldShorter => "hold-shorter",
            FixKind::HoldLonger => "hold-longer",
            FixKind::Announce => "announce",
            FixKind::JoinEarlier => "join-earlier",
            FixKind::OneAfterAnother => "one-after-another",
            FixKind::AtomicRegion => "atomic-region",
        }
    }
}

impl FixKind {
    /// What is missing, in words.
    pub fn words(self) -> &'static str {
        match self {
            FixKind::WaitAgain => "what was waited for is not looked at again",
            FixKind::StoreOrder => {
                "others learn of this too early, too late, or in the wrong order"
            }
            FixKind::GiveBack => "it is left with a lock in hand",
            FixKind::LockOrder => "locks are taken in the other order elsewhere",
            FixKind::OtherLock => "another lock protects this",
            FixKind::HoldShorter => "another lock is waited for with this one in hand",
            FixKind::HoldLonger => "the lock is not held long enough",
            FixKind::AtomicRegion => "this has to be done without interruption",
            FixKind::Announce => "whoever waits is not told, or nothing has changed for them",
            FixKind::JoinEarlier => "a thread has not ended by then",
            FixKind::OneAfterAnother => "a thread has not ended when this one begins",
        }
    }
}

/// A changed file.
#[derive(Clone, Debug)]
pub struct Fix {
    pub kind: FixKind,
    pub text: String,
    /// Lines of the original that it changes.
    pub lines: Range<u32>,
    /// Those to look at, the first one first.
    pub places: Vec<u32>,
    pub effect: Effect,
}

impl Fix {
    pub fn with_effect(self, effect: Effect) -> Fix {
        Fix { effect, ..self }
    }
}

/// What the failing run says about the file.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Lines at which threads touch what others touch, too.
    pub contested: BTreeSet<u32>,
    /// Threads wait for each other, or for nobody.
    pub stuck: bool,
    /// Somebody may have kept a lock.
    pub held: bool,
}

/// Changes, the smallest first.
pub fn candidates(source: &Source, evidence: &Evidence) -> Vec<Fix> {
    let mut fixes = Vec::new();
    for block in &source.blocks {
        wait_again(source, block, &mut fixes);
        lock_order(source, block, &mut fixes);
        hold_longer(source, block, &mut fixes);
        join_earlier(source, block, &mut fixes);
        join_before_next(source, block, &mut fixes);
        calls_that_join(source, block, &mut fixes);
    }
    store_orders(source, &mut fixes);
    other_lock(source, &mut fixes);
    atomic_regions(source, evidence, &mut fixes);
    if evidence.held {
        releases(source, &mut fixes);
    }
    if evidence.stuck {
        announce(source, &mut fixes);
        hold_shorter(source, &mut fixes);
    }
    fixes.sort_by_key(|fix| fix.kind);
    let mut seen = BTreeSet::new();
    fixes.retain(|fix| fix.text != source.text && seen.insert(fix.text.clone()));
    fixes
}

pub fn is_call(statement: &Statement, names: &[&str]) -> bool {
    statement.call.as_ref().is_some_and(|(name, _)| names.contains(&name.as_str()))
}

pub fn locks(statement: &Statement) -> bool {
    is_call(statement, &["pthread_mutex_lock"])
}

pub fn unlocks(statement: &Statement) -> bool {
    is_call(statement, &["pthread_mutex_unlock"])
}

pub fn argument(statement: &Statement) -> &str {
    statement.call.as_ref().and_then(|(_, arguments)| arguments.first()).map_or("", String::as_str)
}

/// Whoever comes to it comes behind it.
pub fn stays(statement: &Statement) -> bool {
    !statement.jumps && statement.returns.is_empty()
}

fn wait_again(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    for at in block.statements.iter().filter_map(|statement| statement.waits_once) {
        if source.text[at..].starts_with("if") {
            let edit = Edit { at: at..at + 2, text: "while".into() };
            fixes.push(apply(source, FixKind::WaitAgain, vec![edit]));
        }
    }
}

/// Of two locks that are taken one after the other, the second first.
fn lock_order(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    for (i, one) in block.statements.iter().enumerate().filter(|(_, one)| locks(one)) {
        for two in &block.statements[i + 1..] {
            if unlocks(two) {
                break;
            }
            if locks(two) && argument(two) != argument(one) {
                let text = |statement: &Statement| source.text[statement.text.clone()].to_string();
                let edits = vec![
                    Edit { at: one.text.clone(), text: text(two) },
                    Edit { at: two.text.clone(), text: text(one) },
                ];
                fixes.push(apply(source, FixKind::LockOrder, edits));
            }
        }
    }
}

/// Another mutex of the file in all of a function.
fn other_lock(source: &Source, fixes: &mut Vec<Fix>) {
    let functions: BTreeSet<&str> =
        source.blocks.iter().map(|block| block.function.as_str()).collect();
    for function in functions {
        let statements = || {
            let blocks = source.blocks.iter().filter(|block| block.function == function);
            blocks.flat_map(|block| &block.statements).filter(|one| locks(one) || unlocks(one))
        };
        let used: BTreeSet<&str> = statements().map(argument).collect();
        for own in used {
            for other in source.mutexes.iter().filter(|other| format!("&{other}") != own) {
                let mut edits = Vec::new();
                for statement in statements().filter(|statement| argument(statement) == own) {
                    let text =
                        source.text[statement.text.clone()].replace(own, &format!("&{other}"));
                    edits.push(Edit { at: statement.text.clone(), text });
                }
                let effect = match own.strip_prefix('&') {
                    Some(own) => Effect::Exchanges {
                        function: function.into(),
                        own: own.into(),
                        other: other.clone(),
                    },
                    None => Effect::Unknown,
                };
                fixes.push(apply(source, FixKind::OtherLock, edits).with_effect(effect));
            }
        }
    }
}

/// An unlock further down, a lock further up.
fn hold_longer(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let all = &block.statements;
    for (at, statement) in all.iter().enumerate() {
        let text = source.text[statement.text.clone()].to_string();
        let holds = |lines: Range<u32>, stays: bool| {
            let lock = Lock::At(statement.lines.start);
            Effect::Holds(vec![Hold { function: block.function.clone(), lines, lock, stays }])
        };
        if unlocks(statement) {
            let from = statement.lines.start;
            for later in all[at + 1..].iter().take_while(|later| stays(later)) {
                let edits = vec![removed(source, statement), after(source, later, &text)];
                let same = |one: &Statement| {
                    (locks(one) || unlocks(one)) && argument(one) == argument(statement)
                };
                // What would be taken twice is taken once.
                let between = all[at + 1..].iter().filter(|one| one.text.end <= later.text.end);
                let doubled: Vec<&Statement> = between.filter(|one| same(one)).collect();
                if doubled.is_empty() {
                    let effect = holds(from..later.lines.end, false);
                    fixes.push(apply(source, FixKind::HoldLonger, edits).with_effect(effect));
                } else if doubled.len() == 2 && locks(doubled[0]) && unlocks(doubled[1]) {
                    let edits = vec![removed(source, statement), removed(source, doubled[0])];
                    let effect = holds(from..doubled[0].lines.end, true);
                    fixes.push(apply(source, FixKind::HoldLonger, edits).with_effect(effect));
                }
            }
        }
        if locks(statement) {
            let mut on_the_way = Vec::new();
            for earlier in
                all[..at].iter().rev().take_while(|one| !one.jumps && !locks(one) && !unlocks(one))
            {
                on_the_way.extend(earlier.returns.iter());
                let mut edits = vec![before(source, earlier, &text), removed(source, statement)];
                let release = format!("pthread_mutex_unlock({});", argument(statement));
                edits.extend(on_the_way.iter().map(|at| released_before(source, at, &release)));
                let effect = holds(earlier.lines.start..statement.lines.end, true);
                fixes.push(apply(source, FixKind::HoldLonger, edits).with_effect(effect));
            }
        }
    }
}

/// An unlock before a statement that may wait for another lock: each alone, and all of them.
fn hold_shorter(source: &Source, fixes: &mut Vec<Fix>) {
    let mut everywhere = Vec::new();
    for block in &source.blocks {
        let all = &block.statements;
        for (at, unlock) in all.iter().enumerate().filter(|(_, one)| unlocks(one)) {
            let own = |one: &&Statement| !(locks(one) && argument(one) == argument(unlock));
            let mut inside = all[..at].iter().rev().take_while(own);
            let waits = inside.find(|one| one.calls.contains("pthread_mutex_lock") && stays(one));
            let Some(waits) = waits else { continue };
            let text = source.text[unlock.text.clone()].to_string();
            let edits = || [before(source, waits, &text), removed(source, unlock)];
            everywhere.extend(edits());
            fixes.push(apply(source, FixKind::HoldShorter, edits().into()));
        }
    }
    fixes.push(apply(source, FixKind::HoldShorter, everywhere));
}

/// For threads that wait in vain: whoever tells them changes what they look at; whoever changes it tells them.
fn announce(source: &Source, fixes: &mut Vec<Fix>) {
    let all = || source.blocks.iter().flat_map(|block| &block.statements);
    for wait in all().filter_map(|statement| statement.wait.as_ref()) {
        for block in &source.blocks {
            announce_in(source, block, wait, fixes);
        }
    }
}

fn announce_in(source: &Source, block: &Block, wait: &Wait, fixes: &mut Vec<Fix>) {
    let all = &block.statements;
    let tells = |one: &Statement| {
        is_call(one, &["pthread_cond_signal", "pthread_cond_broadcast"])
            && argument(one) == wait.condition
    };
    let releases = |one: &Statement| unlocks(one) && argument(one) == wait.mutex;
    // Those are told who do not wait for it.
    let others = |one: &&Statement| {
        is_call(one, &["pthread_cond_signal", "pthread_cond_broadcast"]) && !tells(one)
    };
    for other in all.iter().filter(others) {
        let text = source.text[other.text.clone()].replace(argument(other), &wait.condition);
        let edit = Edit { at: other.text.clone(), text };
        fixes.push(apply(source, FixKind::Announce, vec![edit]));
    }
    for (at, told) in all.iter().enumerate().filter(|(_, one)| tells(one)) {
        // Changed while the lock is still held.
        let release = all[..at].iter().rposition(releases);
        let held = release.filter(|from| !all[*from..at].iter().any(locks)).unwrap_or(at);
        for variable in &wait.looks_at {
            for change in ["--", "++", " = 0", " = 1"] {
                let edit = before(source, &all[held], &format!("{variable}{change};"));
                fixes.push(apply(source, FixKind::Announce, vec![edit]));
            }
        }
        if is_call(told, &["pthread_cond_signal"]) {
            let text = source.text[told.text.clone()].replace("signal", "broadcast");
            let edit = Edit { at: told.text.clone(), text };
            fixes.push(apply(source, FixKind::Announce, vec![edit]));
        }
    }
    for (at, release) in all.iter().enumerate().filter(|(_, one)| releases(one)) {
        let waits_here = all[..at].iter().any(|one| one.wait.is_some());
        if !all[at..].iter().any(tells) && !waits_here {
            let text = format!("pthread_cond_broadcast({});", wait.condition);
            fixes.push(apply(source, FixKind::Announce, vec![before(source, release, &text)]));
        }
    }
}
