//! Small changes to a file's synchronisation that might remove a failure: candidates, to be tried.
//!
//! They are made from what is written there, not from a proof: which of them helps is seen by running the changed program.
//! The smallest come first. What is known: pthread's calls and C++'s own locks, conditions and threads, in one file at a time;
//! not templates, nor a thread that is kept in an array.

use crate::edits::{Edit, after, apply, before, released_before, removed};
use crate::foresight::{Effect, Hold, Lock};
use crate::guards::{hold_longer_by_guards, is_of_guard, taken_together};
use crate::joins::{calls_that_join, join_before_next, join_earlier};
use crate::orders::store_orders;
use crate::regions::atomic_regions;
use crate::releases::releases;
use crate::syntax::{Block, Source, Statement, Wait};
use crate::words::{
    LOCKS, TELLS_ONE, Words, argument, is_call, locks, tells as tells_somebody, unlocks,
};
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
        taken_together(source, block, &mut fixes);
        hold_longer(source, block, &mut fixes);
        hold_longer_by_guards(source, block, &mut fixes);
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

/// Another mutex in all of a function.
fn other_lock(source: &Source, fixes: &mut Vec<Fix>) {
    let functions: BTreeSet<usize> = source.blocks.iter().map(|block| block.function_at).collect();
    for function in functions {
        let blocks = || source.blocks.iter().filter(|block| block.function_at == function);
        let statements = || {
            let all = blocks().flat_map(|block| &block.statements);
            // A lock of C++'s keeps the mutex that it was made for.
            all.filter(|one| (locks(one) || unlocks(one)) && !is_of_guard(one))
        };
        let used: BTreeSet<&str> = statements().map(argument).collect();
        let Some(block) = blocks().next() else { continue };
        for own in used {
            let named = |mutex: &str| source.words.named(mutex);
            for other in source.mutexes_in(block).filter(|other| named(other) != own) {
                let uses = statements().filter(|statement| argument(statement) == own);
                let edit = |at: &Range<usize>| Edit { at: at.clone(), text: named(other) };
                let edits = uses.filter_map(|one| one.argument_at.as_ref()).map(edit).collect();
                let globals = source.mutexes.iter().find(|global| named(global) == own);
                let effect = match globals {
                    Some(own) => Effect::Exchanges {
                        function: block.function.clone(),
                        own: own.clone(),
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
                // A guard gives back by itself.
                if statement.guard.is_none() {
                    let release = source.words.unlock(argument(statement));
                    edits.extend(on_the_way.iter().map(|at| released_before(source, at, &release)));
                }
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
            let waits =
                inside.find(|one| LOCKS.iter().any(|name| one.calls.contains(*name)) && stays(one));
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
    let tells = |one: &Statement| tells_somebody(one) && argument(one) == wait.condition;
    let releases = |one: &Statement| unlocks(one) && argument(one) == wait.mutex;
    let announced = |edit: Edit| apply(source, FixKind::Announce, vec![edit]);
    // Those are told who do not wait for it.
    for other in all.iter().filter(|one| tells_somebody(one) && !tells(one)) {
        let at = other.argument_at.clone();
        fixes.extend(at.map(|at| announced(Edit { at, text: wait.condition.clone() })));
    }
    for (at, told) in all.iter().enumerate().filter(|(_, one)| tells(one)) {
        // Changed while the lock is still held.
        let release = all[..at].iter().rposition(releases);
        let held = release.filter(|from| !all[*from..at].iter().any(locks)).unwrap_or(at);
        let guarded = all[..at].iter().rev().find_map(|one| last_guarded(source, block, one, wait));
        for looked in &wait.looks_at {
            let changes = match (source.words, looked.is_flag) {
                (Words::Cxx, true) => &[" = true", " = false"][..],
                _ => &["--", "++", " = 0", " = 1"],
            };
            for change in changes {
                let text = format!("{}{change};", looked.variable);
                fixes.push(announced(match guarded {
                    Some(last) => after(source, last, &text),
                    None => before(source, &all[held], &text),
                }));
            }
        }
        if is_call(told, &TELLS_ONE) {
            let (one, all) = match source.words {
                Words::Posix => ("_signal", "_broadcast"),
                Words::Cxx => (".notify_one", ".notify_all"),
            };
            let text = source.text[told.text.clone()].replacen(one, all, 1);
            fixes.push(announced(Edit { at: told.text.clone(), text }));
        }
    }
    let tell_all = source.words.tell_all(&wait.condition);
    for (at, release) in all.iter().enumerate().filter(|(_, one)| releases(one)) {
        let waits_here = all[..at].iter().any(|one| one.wait.is_some());
        if !all[at..].iter().any(tells) && !waits_here {
            fixes.push(announced(before(source, release, &tell_all)));
        }
    }
    let guards = |one: &Statement| one.guard.is_some() && argument(one) == wait.mutex;
    let function = || source.beside(block).flat_map(|block| &block.statements);
    if let Some(last) = all.last().filter(|_| all.iter().any(guards))
        && !function().any(|one| tells(one) || one.wait.is_some())
    {
        fixes.push(announced(match last.leaves {
            true => before(source, last, &tell_all),
            false => after(source, last, &tell_all),
        }));
    }
}

/// The last statement inside of this one that is done under a guard of what the wait gives back.
fn last_guarded<'a>(
    source: &'a Source,
    block: &Block,
    statement: &Statement,
    wait: &Wait,
) -> Option<&'a Statement> {
    let guards = |one: &Statement| one.guard.is_some() && argument(one) == wait.mutex;
    let mut inside = source.beside(block).filter(|inner| {
        statement.text.start <= inner.text.start && inner.text.end <= statement.text.end
    });
    inside.find(|inner| inner.statements.iter().any(guards))?.statements.last()
}
