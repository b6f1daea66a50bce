//! The shared memory between the engine and one program.

use libc::c_int;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use unpick_proto::{
    Constraint, Control, Layout, MAGIC, MAX_MODULE_BYTES, MAX_WORLD_BYTES, Pick, RING, Record,
    Segment, SharedRange, Sleeper, VERSION,
};

pub struct Shm {
    file: OwnedFd,
    base: *mut u8,
}

// Owned by one executor at a time; what the program writes while we read is atomic.
unsafe impl Send for Shm {}

impl Shm {
    pub fn new() -> io::Result<Shm> {
        let file = out_of_the_way(memfd(c"unpick")?)?;
        if unsafe { libc::ftruncate(file.as_raw_fd(), Layout::BYTES as i64) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                Layout::BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_NORESERVE,
                file.as_raw_fd(),
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let shm = Shm { file, base: base.cast() };
        let control = shm.control();
        control.magic = MAGIC;
        control.version = VERSION;
        Ok(shm)
    }

    pub fn fd(&self) -> c_int {
        self.file.as_raw_fd()
    }

    #[allow(clippy::mut_from_ref)]
    pub fn control(&self) -> &mut Control {
        unsafe { &mut *self.base.cast::<Control>() }
    }

    fn table<T>(&self, offset: usize) -> *mut T {
        unsafe { self.base.add(offset).cast() }
    }

    pub fn set_segments(&self, segments: impl ExactSizeIterator<Item = Segment>) {
        self.control().segments = segments.len() as u32;
        let table = self.table::<Segment>(Layout::SEGMENTS);
        for (i, segment) in segments.enumerate() {
            unsafe { table.add(i).write(segment) };
        }
    }

    pub fn set_picks(&self, picks: impl ExactSizeIterator<Item = Pick>) {
        self.control().picks = picks.len() as u32;
        let table = self.table::<Pick>(Layout::PICKS);
        for (i, pick) in picks.enumerate() {
            unsafe { table.add(i).write(pick) };
        }
    }

    pub fn set_constraints(&self, constraints: impl ExactSizeIterator<Item = Constraint>) {
        self.control().constraints = constraints.len() as u32;
        let table = self.table::<Constraint>(Layout::CONSTRAINTS);
        for (i, constraint) in constraints.enumerate() {
            unsafe { table.add(i).write(constraint) };
        }
    }

    pub fn set_sleepers(&self, sleepers: impl ExactSizeIterator<Item = Sleeper>) {
        self.control().sleepers = sleepers.len() as u32;
        let table = self.table::<Sleeper>(Layout::SLEEPERS);
        for (i, sleeper) in sleepers.enumerate() {
            unsafe { table.add(i).write(sleeper) };
        }
    }

    pub fn set_shared(&self, index: usize, cell: SharedRange) {
        unsafe { self.table::<SharedRange>(Layout::SHARED).add(index).write(cell) };
    }

    pub fn shared(&self, index: usize) -> SharedRange {
        unsafe { self.table::<SharedRange>(Layout::SHARED).add(index).read() }
    }

    /// The files that were mapped at the end of a failing run, with their addresses.
    pub fn modules(&self) -> Vec<(PathBuf, u64)> {
        let length = (self.control().module_bytes as usize).min(MAX_MODULE_BYTES);
        let bytes =
            unsafe { std::slice::from_raw_parts(self.table::<u8>(Layout::MODULES), length) };
        let mut modules = Vec::new();
        let mut rest = bytes;
        while let Some((base, tail)) = rest.split_first_chunk::<8>() {
            let end = tail.iter().position(|&byte| byte == 0).unwrap_or(tail.len());
            modules
                .push((PathBuf::from(OsStr::from_bytes(&tail[..end])), u64::from_le_bytes(*base)));
            rest = tail.get(end + 1..).unwrap_or_default();
        }
        modules
    }

    /// How many records the program has written.
    pub fn written(&self) -> u64 {
        let records = &raw mut self.control().records;
        unsafe { AtomicU64::from_ptr(records) }.load(Ordering::Acquire)
    }

    /// What came from outside.
    pub fn world(&self) -> &[u8] {
        let length = (self.control().world_bytes as usize).min(MAX_WORLD_BYTES);
        unsafe { std::slice::from_raw_parts(self.table::<u8>(Layout::WORLD), length) }
    }

    pub fn set_world(&self, bytes: &[u8]) {
        let table = self.table::<u8>(Layout::WORLD);
        unsafe { table.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.control().world_bytes = bytes.len() as u64;
    }

    /// Those from number `from` up to `to` that lie in one piece; the rest is at the ring's beginning.
    pub fn records(&self, from: u64, to: u64) -> &[Record] {
        let at = from as usize % RING;
        let length = (to.saturating_sub(from) as usize).min(RING - at);
        unsafe { std::slice::from_raw_parts(self.table::<Record>(Layout::LOG).add(at), length) }
    }

    /// The records before number `count` have been read: there is room for others.
    pub fn set_drained(&self, count: u64) {
        let control = self.control();
        let drained = unsafe { AtomicU64::from_ptr(&raw mut control.drained) };
        drained.store(count, Ordering::SeqCst);
        let waits = unsafe { AtomicU32::from_ptr(&raw mut control.log_waits) };
        if waits.load(Ordering::SeqCst) != 0 {
            let (word, everybody) = (drained.as_ptr().cast::<u32>(), i32::MAX);
            unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, everybody) };
        }
    }
}

impl Drop for Shm {
    fn drop(&mut self) {
        unsafe { libc::munmap(self.base.cast(), Layout::BYTES) };
    }
}

/// The least number of a descriptor of ours: behind those that the program gets (see `executor`).
const OURS: libc::c_int = 300;

/// Room for these numbers, best made before there are threads: to enlarge the table of descriptors that threads share, Linux
/// waits until none of them can still be reading the old one, which takes longer than a hundred runs.
pub fn make_room() {
    // Nothing depends on it: where it fails, the first descriptor that is moved says why.
    drop(memfd(c"room").and_then(out_of_the_way));
}

/// Moves a descriptor of ours behind the numbers that the program gets.
pub fn out_of_the_way(file: OwnedFd) -> io::Result<OwnedFd> {
    let moved = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, OURS) };
    if moved < 0 {
        let error = io::Error::last_os_error();
        // The least number asked for is beyond what is allowed.
        let few = error.raw_os_error() == Some(libc::EINVAL);
        return Err(if few {
            io::Error::other("too few files may be open (ulimit -n)")
        } else {
            error
        });
    }
    Ok(unsafe { OwnedFd::from_raw_fd(moved) })
}

pub fn memfd(name: &std::ffi::CStr) -> io::Result<OwnedFd> {
    let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
