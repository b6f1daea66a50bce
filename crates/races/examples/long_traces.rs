//! Prediction on traces of growing length: time and memory, printed as JSON lines. For `make bench`.
//!
//! The trace is made piece by piece, like that of a program that holds real traffic: eight threads update records
//! under sixteen locks, now and then two locks at once, and sometimes a counter without any.

use std::time::{Duration, Instant};
use unpick_model::{Event, Op, Schedule, StackId, ThreadId};
use unpick_races::{Options, Predictor};

const THREADS: usize = 8;
const LOCKS: usize = 16;
const RECORDS: usize = 4096;
const PLACES: u64 = 400;

struct Traffic {
    state: u64,
    counts: [u64; THREADS],
    memory: Vec<u64>,
}

impl Traffic {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.state;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (value ^ (value >> 31)) % n
    }

    fn event(&mut self, thread: usize, op: Op, address: u64, value: [u64; 2], pc: u64) -> Event {
        let count = self.counts[thread];
        self.counts[thread] += 1;
        Event {
            thread: ThreadId(thread as u16),
            count,
            op,
            address,
            size: if op.is_access() { 8 } else { 0 },
            before: value[0],
            after: value[1],
            pc,
            stack: StackId(0),
            private: false,
            name: 0,
        }
    }

    fn update(&mut self, thread: usize, cell: usize, pc: u64, events: &mut Vec<Event>) {
        let address = 0x10_0000 + cell as u64 * 8;
        let now = self.memory[cell];
        let next = self.below(1000);
        events.push(self.event(thread, Op::Read, address, [now, now], pc));
        events.push(self.event(thread, Op::Write, address, [now, next], pc + 4));
        self.memory[cell] = next;
    }

    /// What one thread does at a time.
    fn request(&mut self, events: &mut Vec<Event>) {
        let thread = self.below(THREADS as u64) as usize;
        let own = thread as u64 + 1;
        let lock = self.below(LOCKS as u64) as usize;
        let pc = 0x1000 + self.below(PLACES) * 16;
        let address = |lock: usize| 0x1_0000 + lock as u64 * 64;
        let second = (self.below(8) == 0 && lock + 1 < LOCKS).then_some(lock + 1);
        let take = [0, own];
        let give = [own, 0];
        events.push(self.event(thread, Op::Lock, address(lock), take, pc));
        if let Some(second) = second {
            events.push(self.event(thread, Op::Lock, address(second), take, pc + 1));
        }
        for _ in 0..1 + self.below(4) {
            // Each record has its lock.
            let record = self.below((RECORDS / LOCKS) as u64) as usize * LOCKS + lock;
            self.update(thread, record, pc + 2, events);
        }
        if let Some(second) = second {
            events.push(self.event(thread, Op::Unlock, address(second), give, pc + 7));
        }
        events.push(self.event(thread, Op::Unlock, address(lock), give, pc + 8));
        if self.below(50) == 0 {
            let counter = RECORDS + self.below(4) as usize;
            self.update(thread, counter, 0x9000, events);
        }
    }
}

/// Peak memory of this process in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn main() {
    let lengths: Vec<usize> = std::env::args().skip(1).filter_map(|n| n.parse().ok()).collect();
    for length in lengths {
        let mut traffic = Traffic { state: 7, counts: [0; THREADS], memory: vec![0; RECORDS + 4] };
        let mut predictor = Predictor::new(Options::default());
        let mut spent = Duration::ZERO;
        let mut events = Vec::new();
        let mut made = 0;
        while made < length {
            events.clear();
            while events.len() < 8192.min(length - made) {
                traffic.request(&mut events);
            }
            made += events.len();
            let since = Instant::now();
            predictor.take(&events);
            spent += since.elapsed();
        }
        let since = Instant::now();
        let result = predictor.finish(&Schedule::default());
        spent += since.elapsed();
        let sound = result.found.iter().filter(|prediction| prediction.sound).count();
        println!(
            "{{\"events\": {made}, \"seconds\": {:.3}, \"ns_an_event\": {:.0}, \"parts\": {}, \"predicted\": {}, \
             \"sound\": {sound}, \"too_far\": {}, \"peak_bytes\": {}}}",
            spent.as_secs_f64(),
            spent.as_nanos() as f64 / made as f64,
            result.parts,
            result.found.len(),
            result.too_far,
            peak(),
        );
    }
}
