//! The names of operations: `R-x_51-1-2`, `S-lock_261-1`, `branch-3`.

/// An operation as traces and schedules name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Named {
    Read {
        location: String,
        thread: u32,
        number: u32,
    },
    Write {
        location: String,
        thread: u32,
        number: u32,
    },
    /// `object` is empty where there is none; schedules number them.
    Sync {
        kind: String,
        object: String,
        thread: u32,
    },
    Branch {
        thread: u32,
    },
}

impl Named {
    pub fn thread(&self) -> u32 {
        match self {
            Named::Read { thread, .. }
            | Named::Write { thread, .. }
            | Named::Sync { thread, .. }
            | Named::Branch { thread } => *thread,
        }
    }
}

/// `Main.java@12` and its parts.
pub(super) fn place(text: &str) -> Option<crate::execution::Place> {
    let (file, line) = text.rsplit_once('@')?;
    Some(crate::execution::Place { file: file.to_string(), line: line.parse().ok()? })
}

/// An operation of a trace (`numbered` false: `S-lock_261-1`, `branch-1`) or a schedule (`S-lock_261-1-0`,
/// `branch-1-0`).
pub(super) fn operation(text: &str, numbered: bool) -> Result<Named, String> {
    let wrong = || format!("`{}` is no operation", text.chars().take(60).collect::<String>());
    if let Some(rest) = text.strip_prefix("branch-") {
        let thread = if numbered { rest.rsplit_once('-').ok_or_else(wrong)?.0 } else { rest };
        return Ok(Named::Branch { thread: thread.parse().map_err(|_| wrong())? });
    }
    let (letter, rest) = text.split_once('-').ok_or_else(wrong)?;
    if letter == "S" {
        return synchronisation(rest, numbered).ok_or_else(wrong);
    }
    let (rest, number) = rest.rsplit_once('-').ok_or_else(wrong)?;
    let (location, thread) = rest.rsplit_once('-').ok_or_else(wrong)?;
    let (thread, number) = match (thread.parse(), number.parse()) {
        (Ok(thread), Ok(number)) if !location.is_empty() => (thread, number),
        _ => return Err(wrong()),
    };
    let location = location.to_string();
    match letter {
        "R" => Ok(Named::Read { location, thread, number }),
        "W" => Ok(Named::Write { location, thread, number }),
        _ => Err(wrong()),
    }
}

/// `fork_1-0` (`fork_1-0-0` where numbered), `start-1`. What has no object has no number either.
fn synchronisation(text: &str, numbered: bool) -> Option<Named> {
    let (head, rest) = text.split_once('-')?;
    let (kind, object) = head.split_once('_').unwrap_or((head, ""));
    let mut parts = rest.split('-');
    let thread = parts.next()?.parse().ok()?;
    let number = parts.next();
    let proper = kind.chars().all(|c| c.is_ascii_alphabetic()) && !kind.is_empty();
    let ends =
        parts.next().is_none() && number.is_none_or(|n| numbered && n.parse::<u32>().is_ok());
    (proper && ends).then(|| Named::Sync {
        kind: kind.to_string(),
        object: object.to_string(),
        thread,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let read = operation("R-Num_Of_Seats_Sold_51-0-1", false);
        assert_eq!(
            read,
            Ok(Named::Read { location: "Num_Of_Seats_Sold_51".into(), thread: 0, number: 1 })
        );
        let lock = Named::Sync { kind: "lock".into(), object: "261".into(), thread: 2 };
        assert_eq!(operation("S-lock_261-2", false), Ok(lock.clone()));
        assert_eq!(operation("S-lock_261-2-7", true), Ok(lock));
        let start = Named::Sync { kind: "start".into(), object: String::new(), thread: 1 };
        assert_eq!(operation("S-start-1", true), Ok(start));
        assert_eq!(operation("branch-3-0", true), Ok(Named::Branch { thread: 3 }));
        for wrong in
            ["", "R", "R-x", "R-x-1", "S-", "S-lock_1", "branch-", "branch-x", "Q-x-1-1", "R--1-1"]
        {
            assert!(operation(wrong, true).is_err(), "{wrong}");
        }
    }
}
