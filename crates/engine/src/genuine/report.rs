//! What TSan's reports say: which threads accessed what, and where.

use std::collections::HashMap;
use unpick_model::Event;

/// One report.
#[derive(Debug)]
pub struct Report {
    pub text: String,
    accesses: Vec<Access>,
}

#[derive(Debug, Default, PartialEq)]
struct Access {
    /// Our number of its thread.
    thread: Option<u16>,
    address: u64,
    size: u64,
    /// The return addresses of its stack, the innermost first.
    stack: Vec<u64>,
}

impl Report {
    /// Is it about these two accesses? By thread, place and address.
    pub fn is_of(&self, first: &Event, second: &Event) -> bool {
        let [a, b] = &self.accesses[..] else { return false };
        (a.is(first) && b.is(second)) || (a.is(second) && b.is(first))
    }
}

impl Access {
    /// Of an atomic operation the innermost place is that of the bridge, which calls TSan for it.
    fn is(&self, event: &Event) -> bool {
        let innermost = if event.op.is_atomic_access() { 2 } else { 1 };
        let end = event.address + u64::from(event.size);
        self.thread == Some(event.thread.0)
            && self.stack.iter().take(innermost).any(|&pc| pc == event.pc)
            && self.address < end
            && event.address < self.address + self.size
    }
}

/// Lines of our number and the kernel's.
pub fn threads(text: &str) -> HashMap<u64, u16> {
    let line = |line: &str| {
        let (ours, kernels) = line.split_once(' ')?;
        Some((kernels.parse().ok()?, ours.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// `threads`: ours by the kernel's number.
pub fn read(log: &str, threads: &HashMap<u64, u16>) -> Vec<Report> {
    const LINE: &str = "==================\n";
    let of_races = |text: &&str| text.starts_with("WARNING: ThreadSanitizer: data race");
    log.split(LINE).filter(of_races).map(|text| one(text, threads)).collect()
}

/// Why TSan gave up.
pub fn failure(log: &str) -> Option<&str> {
    let fatal = |line: &&str| {
        line.contains("FATAL: ThreadSanitizer") || line.contains("ThreadSanitizer: CHECK failed")
    };
    log.lines().find(fatal)
}

fn one(text: &str, threads: &HashMap<u64, u16>) -> Report {
    let mut accesses: Vec<(Access, &str)> = Vec::new();
    // A paragraph begins with two blanks, the lines of its stack with four.
    let mut within = false;
    for line in text.lines() {
        if let Some(frame) = line.strip_prefix("    #") {
            if let (true, Some((access, _)), Some(pc)) = (within, accesses.last_mut(), place(frame))
                && access.stack.last() != Some(&pc)
            {
                access.stack.push(pc);
            }
        } else {
            let access = access(line);
            within = access.is_some();
            accesses.extend(access);
        }
    }
    let accesses = accesses.into_iter().map(|(access, by)| {
        let thread = kernel_id(text, by).and_then(|id| threads.get(&id).copied());
        Access { thread, ..access }
    });
    Report { accesses: accesses.collect(), text: text.to_string() }
}

/// `  Previous write of size 4 at 0x5555 by thread T1 (mutexes: …):`, and by whom.
fn access(line: &str) -> Option<(Access, &str)> {
    let (_, rest) = line.split_once(" of size ")?;
    let (size, rest) = rest.split_once(" at 0x")?;
    let (address, by) = rest.split_once(" by ")?;
    let access = Access {
        size: size.parse().ok()?,
        address: u64::from_str_radix(address, 16).ok()?,
        ..Access::default()
    };
    Some((access, by))
}

/// `3 0x5555 …`: a line of a stack, behind its first characters.
fn place(frame: &str) -> Option<u64> {
    let pc = frame.split(' ').nth(1)?.strip_prefix("0x")?;
    u64::from_str_radix(pc, 16).ok()
}

/// The kernel's number of the thread `by`, which the report says in another paragraph; for the main thread it is
/// that of the process.
fn kernel_id(text: &str, by: &str) -> Option<u64> {
    let number = |text: &str| -> Option<u64> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text[..digits].parse().ok()
    };
    if by.starts_with("main thread") {
        return number(text.split_once("(pid=")?.1);
    }
    let name = by.strip_prefix("thread ")?.split([' ', ':']).next()?;
    let begin = format!("  Thread {name} ");
    let line = text.lines().find(|line| line.starts_with(&begin))?;
    number(line.split_once("(tid=")?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "==================
WARNING: ThreadSanitizer: data race (pid=70)
  Write of size 4 at 0x1008 by thread T2 (mutexes: write M0):
    #0 0x40 g() x.cpp:7 (x+0x40)
    #1 0x41 start x.cpp:9 (x+0x41)

  Previous atomic read of size 8 at 0x1008 by main thread:
    #0 0x50 f() x.cpp:3 (x+0x50)

  Location is global 'v' of size 4 at 0x1008 (x+0x1008)

  Thread T2 (tid=72, running) created by main thread at:
    #0 0x60 pthread_create (x+0x60)

SUMMARY: ThreadSanitizer: data race x.cpp:7 in g()
==================
==================
WARNING: ThreadSanitizer: thread leak (pid=70)
==================
";

    #[test]
    fn failures() {
        assert_eq!(failure(LOG), None);
        let why = "FATAL: ThreadSanitizer: unexpected memory mapping 0x1-0x2";
        assert_eq!(failure(&format!("{LOG}{why}\n")), Some(why));
    }

    #[test]
    fn accesses() {
        let threads = threads("0 70\n1 71\n2 72\n");
        let reports = read(LOG, &threads);
        assert_eq!(reports.len(), 1);
        let write = Access { thread: Some(2), address: 0x1008, size: 4, stack: vec![0x40, 0x41] };
        let read = Access { thread: Some(0), address: 0x1008, size: 8, stack: vec![0x50] };
        assert_eq!(reports[0].accesses, [write, read]);
    }
}
