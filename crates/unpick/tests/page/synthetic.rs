//! Runs that nobody made: long ones, and ones whose names are hostile.

use unpick_model::{
    Event, Op, Outcome, Output, Place, Record, StackFrame, StackId, ThreadId, ThreadInfo, Trace,
};

pub const FILE: &str = "synthetic.c";
const THREADS: u16 = 8;
const VARIABLES: u64 = 40;

fn event(thread: u16, count: u64, op: Op, address: u64, before: u64, after: u64) -> Event {
    let name = match address {
        0 => 0,
        address if address >= 0x9000 => (VARIABLES + 1) as u32,
        address => ((address - 0x1000) / 8 + 1) as u32,
    };
    Event {
        thread: ThreadId(thread),
        count,
        op,
        address,
        size: if op.is_access() { 4 } else { 0 },
        before,
        after,
        pc: 1 + count % 300,
        stack: StackId(0),
        private: false,
        name,
    }
}

/// Threads take turns: each locks, reads and writes a variable, and unlocks.
pub fn trace(events: usize, names: impl Fn(u64) -> String) -> Trace {
    let mut list = Vec::new();
    let mut counts = vec![0; usize::from(THREADS)];
    let mut values = vec![0; VARIABLES as usize];
    let mut turn = 0u64;
    while list.len() < events {
        let thread = (turn * 7 / 3 % u64::from(THREADS)) as u16;
        let variable = turn % VARIABLES;
        let (address, value) = (0x1000 + 8 * variable, values[variable as usize]);
        let mut add = |op, address, before, after| {
            let count = &mut counts[usize::from(thread)];
            list.push(event(thread, *count, op, address, before, after));
            *count += 1;
        };
        add(Op::Lock, 0x9000, 0, 0);
        add(Op::Read, address, value, value);
        add(Op::Write, address, value, turn);
        add(Op::Unlock, 0x9000, 0, 0);
        values[variable as usize] = turn;
        turn += 1;
    }
    list.truncate(events);
    let place = |line: u64| Place {
        file: FILE.into(),
        line: line as u32,
        column: 1,
        function: names(VARIABLES + 1),
    };
    Trace {
        program: Default::default(),
        strategy: String::new(),
        seed: 1,
        schedule: Default::default(),
        shared: Vec::new(),
        record: Record::Visible,
        max_steps: u64::MAX,
        outcome: Outcome::Failed {
            failure: unpick_model::Failure::Assertion,
            thread: ThreadId(1),
            message: names(VARIABLES + 2),
            pc: 7,
            stack: StackId(0),
            said: None,
        },
        threads: (0..THREADS)
            .map(|id| ThreadInfo { entry: names(u64::from(id)), created_by: None })
            .collect(),
        events: list,
        wide: Vec::new(),
        stacks: vec![StackFrame { parent: StackId(0), call_pc: 0, frame: 0 }],
        places: (1..=301).map(|line| (line, place(line))).collect(),
        names: (0..=VARIABLES).map(&names).collect(),
        output: Output::default(),
        world: Vec::new(),
    }
}
