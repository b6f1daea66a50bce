//! What events are about, numbered: variables and locks, each under a name of its own.

use serde_json::{Value, json};
use std::collections::HashMap;
use unpick_model::{Event, Op};
use unpick_report::Teller;

#[derive(Default)]
pub struct Objects {
    numbers: HashMap<(u64, String, bool), usize>,
    named: HashMap<String, usize>,
    list: Vec<Value>,
}

impl Objects {
    pub fn of(&mut self, event: &Event, teller: &Teller) -> Option<usize> {
        match event.op {
            op if op.is_access() => {
                let name = teller.object(event.name, event.address);
                Some(self.number(event.address, name, true))
            }
            op if synchronises(op) => Some(self.lock(event.address, teller)),
            _ => None,
        }
    }

    pub fn lock(&mut self, address: u64, teller: &Teller) -> usize {
        self.number(address, teller.mutex(address), false)
    }

    /// Two of the same name get a number each.
    fn number(&mut self, address: u64, name: String, variable: bool) -> usize {
        let next = self.list.len();
        let key = (address, name, variable);
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let same = self.named.entry(key.1.clone()).or_default();
        *same += 1;
        let name = if *same == 1 { key.1.clone() } else { format!("{} #{same}", key.1) };
        self.list.push(json!({ "name": name, "variable": variable }));
        self.numbers.insert(key, next);
        next
    }

    pub fn into_json(self) -> Vec<Value> {
        self.list
    }
}

/// Is about a lock or the like, which the event's address names.
fn synchronises(op: Op) -> bool {
    matches!(
        op,
        Op::Lock
            | Op::TryLock { .. }
            | Op::TimedLock { .. }
            | Op::Unlock
            | Op::MutexDestroy
            | Op::CondWait { .. }
            | Op::CondTimeout { .. }
            | Op::CondReacquire { .. }
            | Op::CondSignal { .. }
            | Op::CondBroadcast { .. }
            | Op::CondDestroy
            | Op::ReadLock
            | Op::WriteLock
            | Op::TryReadLock { .. }
            | Op::TryWriteLock { .. }
            | Op::RwUnlock
            | Op::RwDestroy
            | Op::BarrierArrive
            | Op::BarrierLeave
            | Op::BarrierDestroy
            | Op::SemWait { .. }
            | Op::SemTryWait { .. }
            | Op::SemPost
            | Op::SemDestroy
            | Op::SemGetValue
            | Op::OnceEnter { .. }
            | Op::OnceDone
            | Op::HandLock
            | Op::HandUnlock
    )
}
