//! Waiting for a run that is under way, and for what it takes meanwhile.

use super::Executor;
use super::decoding::Decoding;
use super::output::cut;
use crate::surroundings::Client;
use crate::watch;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unpick_proto::{self as proto, RING};

/// How often a run that is under way is looked at. One that is shorter is never disturbed.
pub(super) const LOOK: Duration = Duration::from_millis(2);
/// So many of them are between two looks at what the program takes.
const LOOKS: u32 = 25;

/// A run that got no processor has so many times its limit at most.
const PATIENCE: u32 = 20;

/// The most processes that a run may have at a time.
const MAX_PROCESSES: usize = 1000;

pub(super) enum Waited {
    Ended,
    TimeUp,
    Exceeded(String),
}

impl Executor {
    fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Waits until `file` has something to read, the run's time is up, or ours, or it takes too much. When
    /// the client has ended, the program is asked to end, too. The time that we take ourselves to read a long
    /// log is not the run's, and neither is the time in which other programs had all processors.
    pub(super) fn wait_for_run(
        &mut self,
        file: i32,
        warden: i32,
        limit: Duration,
        decoding: &mut Decoding,
    ) -> Waited {
        let begun = Instant::now();
        let mut ours = Duration::ZERO;
        let allowed = limit;
        let longest = allowed.saturating_mul(PATIENCE);
        let mut limit = allowed;
        for slice in 1.. {
            let left = limit.saturating_sub(begun.elapsed().saturating_sub(ours)).min(LOOK);
            let client = self.client.as_ref().and_then(Client::ended).filter(|_| !self.dismissed);
            let ready = wait_for_any([Some(file), client], left);
            if ready[0] {
                return Waited::Ended;
            }
            if ready[1] {
                self.dismiss(warden);
            }
            self.look_at_client();
            ours += decoding.drain(&self.shm);
            if slice % LOOKS == 0 {
                // What nobody will look at must not fill the memory.
                cut(&self.stdout);
                cut(&self.stderr);
                // Looking at all processes costs more than looking at one.
                if let Some(why) = self.exceeded(warden, slice % (5 * LOOKS) == 0) {
                    return Waited::Exceeded(why);
                }
            }
            if self.is_over() {
                break;
            }
            if begun.elapsed().saturating_sub(ours) >= limit {
                let more =
                    self.running(warden).map_or(Duration::ZERO, |(pid, _)| watch::starved(pid));
                let until = (allowed + more).min(longest);
                if until <= limit {
                    break;
                }
                limit = until;
            }
        }
        Waited::TimeUp
    }

    /// What the program takes too much of.
    fn exceeded(&self, warden: i32, all: bool) -> Option<String> {
        let control = self.shm.control();
        let log = (RING * size_of::<proto::Record>()) as u64;
        let too_large = |pid: i32| watch::resident(pid).saturating_sub(log) > self.config.memory;
        let below = if all { watch::below(warden) } else { Vec::new() };
        if below.len() > MAX_PROCESSES {
            return Some(format!("the program has more than {MAX_PROCESSES} processes"));
        }
        let large = below.into_iter().any(too_large)
            || too_large(control.pid) && watch::descends(control.pid, warden);
        large.then(|| {
            let mebibytes = self.config.memory >> 20;
            format!(
                "the program takes more than {mebibytes} MiB of memory (--memory raises the limit)"
            )
        })
    }

    /// The process of the run under way, as far as it is really one of ours.
    pub(super) fn running(&self, warden: i32) -> Option<(i32, i32)> {
        let (pid, holder) = (self.shm.control().pid, self.shm.control().holder);
        watch::descends(pid, warden).then_some((pid, holder))
    }

    /// The program is about to give up waiting: has the client nothing to do, either?
    fn look_at_client(&self) {
        let asked = self.shm.control().giving_up;
        if asked != self.shm.control().client_idle
            && self.client.as_ref().is_some_and(|client| !client.is_busy())
        {
            self.shm.control().client_idle = asked;
        }
    }

    fn dismiss(&mut self, warden: i32) {
        if self.client.as_mut().and_then(Client::status).is_some()
            && let Some((pid, _)) = self.running(warden)
        {
            self.dismissed = true;
            watch::signal(pid, libc::SIGTERM);
            self.shm.control().alone = 1;
        }
    }
}

/// The watchdog's question to the thread that runs: where are you?
pub(super) fn ask(pid: i32, holder: i32) {
    if holder > 0 {
        unsafe { libc::syscall(libc::SYS_tgkill, pid, holder, 63) };
    }
}

/// Which of the descriptors have something to read, or an end; waits until one has.
fn wait_for_any(files: [Option<i32>; 2], patience: Duration) -> [bool; 2] {
    let mut polls =
        files.map(|file| libc::pollfd { fd: file.unwrap_or(-1), events: libc::POLLIN, revents: 0 });
    let milliseconds = patience.as_millis().min(i32::MAX as u128) as i32;
    unsafe { libc::poll(polls.as_mut_ptr(), 2, milliseconds) };
    polls.map(|poll| poll.revents != 0)
}
