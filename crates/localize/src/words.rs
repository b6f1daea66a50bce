//! How locks are written: in the words of POSIX, or in C++'s.
//!
//! A C++ program that calls pthread's functions itself is answered in these.

use crate::syntax::{Source, Statement};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Words {
    #[default]
    Posix,
    Cxx,
}

/// What a mutex is declared as, before its name.
const DECLARED: [&str; 2] = ["static pthread_mutex_t ", "static std::mutex "];
const INCLUDED: &str = "#include <mutex>";

impl Words {
    /// In which words a type is a mutex.
    pub fn of_mutex(written: &str) -> Option<Words> {
        match written {
            "pthread_mutex_t" => Some(Words::Posix),
            "std::mutex" | "mutex" => Some(Words::Cxx),
            _ => None,
        }
    }

    /// A mutex as a call or a guard names it.
    pub fn named(self, mutex: &str) -> String {
        match self {
            Words::Posix => format!("&{mutex}"),
            Words::Cxx => mutex.to_string(),
        }
    }

    /// A statement that takes what is named so.
    pub fn lock(self, named: &str) -> String {
        match self {
            Words::Posix => format!("pthread_mutex_lock({named});"),
            Words::Cxx => format!("{named}.lock();"),
        }
    }

    pub fn unlock(self, named: &str) -> String {
        match self {
            Words::Posix => format!("pthread_mutex_unlock({named});"),
            Words::Cxx => format!("{named}.unlock();"),
        }
    }

    /// A statement that takes it and has the block give it back.
    pub fn guard(variable: &str, mutex: &str) -> String {
        format!("std::lock_guard<std::mutex> {variable}({mutex});")
    }

    pub fn declaration(self, mutex: &str) -> String {
        match self {
            Words::Posix => format!("{}{mutex} = PTHREAD_MUTEX_INITIALIZER;", DECLARED[0]),
            Words::Cxx => format!("{}{mutex};", DECLARED[1]),
        }
    }

    /// What has to stand at the file's beginning for that, and where: among the headers of the system that are included without
    /// a condition, in the order of their names.
    pub fn include(self, source: &Source) -> Option<(usize, String)> {
        if self == Words::Posix || source.text.lines().any(|line| line.trim() == INCLUDED) {
            return None;
        }
        let (mut next, mut depth, mut at) = (0, 0, None);
        for line in source.text.split_inclusive('\n') {
            let begin = next;
            next += line.len();
            let directive = line.trim_start();
            depth += i32::from(directive.starts_with("#if"));
            depth -= i32::from(directive.starts_with("#endif"));
            if depth == 0 && directive.starts_with("#include <") {
                at = match directive < INCLUDED {
                    true => Some(next),
                    false => at.or(Some(begin)),
                };
            }
        }
        Some((at.unwrap_or(0), format!("{INCLUDED}\n")))
    }

    /// A lock that is added says nothing about where it is missing.
    pub fn only_declares(text: &str) -> bool {
        text.starts_with(INCLUDED) || DECLARED.iter().any(|declared| text.contains(declared))
    }

    pub fn tell_all(self, condition: &str) -> String {
        match self {
            Words::Posix => format!("pthread_cond_broadcast({condition});"),
            Words::Cxx => format!("{condition}.notify_all();"),
        }
    }

    pub fn join(self, thread: &str) -> String {
        match self {
            Words::Posix => format!("pthread_join({thread}, NULL);"),
            Words::Cxx => format!("{thread}.join();"),
        }
    }
}

/// Calls that take a mutex; C++'s with its class in front.
pub const LOCKS: [&str; 3] = ["pthread_mutex_lock", "std::mutex::lock", "std::unique_lock::lock"];
pub const UNLOCKS: [&str; 3] =
    ["pthread_mutex_unlock", "std::mutex::unlock", "std::unique_lock::unlock"];
pub const CREATES: [&str; 2] = ["pthread_create", "std::thread::thread"];
pub const JOINS: [&str; 2] = ["pthread_join", "std::thread::join"];
pub const WAITS: [&str; 2] = ["pthread_cond_wait", "std::condition_variable::wait"];
pub const TELLS_ONE: [&str; 2] = ["pthread_cond_signal", "std::condition_variable::notify_one"];
pub const TELLS_ALL: [&str; 2] = ["pthread_cond_broadcast", "std::condition_variable::notify_all"];

pub fn is_call(statement: &Statement, names: &[&str]) -> bool {
    statement.call.as_ref().is_some_and(|(name, _)| names.contains(&name.as_str()))
}

pub fn locks(statement: &Statement) -> bool {
    is_call(statement, &LOCKS) || statement.guard.is_some()
}

pub fn unlocks(statement: &Statement) -> bool {
    is_call(statement, &UNLOCKS)
}

pub fn tells(statement: &Statement) -> bool {
    is_call(statement, &TELLS_ONE) || is_call(statement, &TELLS_ALL)
}

/// The lock, condition or thread that it is about, as it is written.
pub fn argument(statement: &Statement) -> &str {
    let call = statement.call.as_ref().and_then(|(_, arguments)| arguments.first());
    let guarded = statement.guard.as_ref().and_then(|guard| guard.mutexes.first());
    call.or(guarded).map_or("", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn included(text: &str) -> Option<String> {
        let mut source = Source { text: text.into(), ..Source::default() };
        let (at, added) = Words::Cxx.include(&source)?;
        source.text.insert_str(at, &added);
        Some(source.text)
    }

    #[test]
    fn the_header_comes_among_others_of_the_system() {
        let lines = |names: &[&str]| -> String {
            names.iter().map(|name| format!("#include {name}\n")).collect()
        };
        let told = |names: &[&str]| included(&lines(names));
        let wanted: String = lines(&["<map>", "<mutex>", "<thread>"]);
        assert_eq!(told(&["<map>", "<thread>"]), Some(wanted));
        assert_eq!(told(&["<thread>"]), Some(lines(&["<mutex>", "<thread>"])));
        assert_eq!(told(&["<mutex>"]), None);
        let chosen = "#ifdef A\n#include <map>\n#endif\nint x;\n";
        assert_eq!(included(chosen), Some(format!("#include <mutex>\n{chosen}")));
        assert_eq!(Words::Posix.include(&Source::default()), None);
    }
}
