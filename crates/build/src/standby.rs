//! A compiler that has started already.
//!
//! Of the 28 ms that clang takes for a small file it spends 20 on loading itself. Where many small files are compiled, as
//! where changes are tried, or in the many calls of `unpick run`, one clang is stopped before its `main`
//! (`standby/standby.c`, preloaded) and forked for each file. Who is there to be asked is said by a name of a socket,
//! which calls of our own get in their environment. Whatever goes wrong, the compiler is started as usual.

use crate::{Family, Toolchain, process};
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// How often somebody who waits looks whether to go on.
const OFTEN: Duration = Duration::from_millis(50);
/// Beside the runtime.
const LIBRARY: &str = "libunpick_standby.so";
/// Names the socket for a call of our own.
pub const VARIABLE: &str = "UNPICK_STANDBY";

static NAME: OnceLock<String> = OnceLock::new();

/// It ends with this.
pub struct Standby(Child);

impl Drop for Standby {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The name that somebody put into our environment, which is then as if nobody had: programs that we run must not see
/// what differs from call to call. To be called before there are threads.
pub fn inherit() {
    if let Ok(name) = std::env::var(VARIABLE) {
        let _ = NAME.set(name);
        // Safe: nobody else is there yet.
        unsafe { std::env::remove_var(VARIABLE) };
    }
}

/// The name of the one that stands by, for a call of our own.
pub fn name() -> Option<&'static str> {
    NAME.get().map(String::as_str)
}

/// `None`: there is one already, or none can be had. To be called by a thread that lives as long as it is needed.
pub fn start(tools: &Toolchain) -> Option<Standby> {
    let library = tools.runtime.with_file_name(LIBRARY);
    if tools.family != Family::Clang || name().is_some() || !library.is_file() {
        return None;
    }
    let name = format!("unpick-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).ok()?;
    let socket = OwnedFd::from(UnixListener::bind_addr(&address).ok()?);
    let mut command = Command::new(&tools.cc);
    command.env("LD_PRELOAD", library);
    command.stdin(socket).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    // Safe: nothing but a system call.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    let child = command.spawn().ok()?;
    let _ = NAME.set(name);
    Some(Standby(child))
}

/// What a call is to know, besides its words.
pub(crate) struct Call<'a> {
    pub out: &'a Path,
    pub err: &'a Path,
    pub temporary: Option<&'a Path>,
}

/// The exit status; `None`: it has to be asked as usual.
pub(crate) fn ask(tool: &Path, words: &[OsString], call: &Call) -> Option<i32> {
    let is_clang = tool.file_name()?.to_str()?.starts_with("clang");
    let name = name().filter(|_| is_clang)?;
    let here = std::env::current_dir().ok()?;
    let address = SocketAddr::from_abstract_name(name).ok()?;
    let mut socket = UnixStream::connect_addr(&address).ok()?;
    let whole = |path: &Path| std::path::absolute(path).ok().map(|path| path.into_os_string());
    let nowhere = OsString::new();
    let temporary = call.temporary.and_then(whole).unwrap_or(nowhere);
    let head = [here.into_os_string(), whole(call.out)?, whole(call.err)?, temporary];
    let head = head.iter().map(OsString::as_os_str);
    let words = words.iter().map(OsString::as_os_str);
    let mut text = Vec::new();
    for word in head.chain([tool.as_os_str()]).chain(words) {
        text.extend_from_slice(OsStr::as_bytes(word));
        text.push(0);
    }
    socket.write_all(&text).ok()?;
    socket.shutdown(Shutdown::Write).ok()?;
    socket.set_read_timeout(Some(OFTEN)).ok()?;
    let mut status = [0; 4];
    loop {
        match socket.read(&mut status) {
            Ok(4) => break,
            Ok(_) => return None,
            // The compiler ends when nobody waits for it any more.
            Err(_) if process::is_interrupted() => return None,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return None,
        }
    }
    Some(i32::from_ne_bytes(status)).filter(|status| *status != 127)
}

/// What the compiler writes on its standard output, where it is content; `folder` takes what is temporary.
pub fn output(tool: &Path, words: &[OsString], folder: &Path) -> Option<Vec<u8>> {
    let file = || tempfile::NamedTempFile::new_in(folder).ok();
    if let (Some(out), Some(err)) = (file(), file()) {
        let call = Call { out: out.path(), err: err.path(), temporary: Some(folder) };
        if let Some(status) = ask(tool, words, &call) {
            return std::fs::read(out.path()).ok().filter(|_| status == 0);
        }
    }
    let mut command = Command::new(tool);
    let done = command.args(words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    done.status.success().then_some(done.stdout)
}
