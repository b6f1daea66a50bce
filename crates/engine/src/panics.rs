//! A Rust program that panics says on standard error what and where, and ends with the status 101.

use unpick_model::{Failure, Outcome};

const STATUS: i32 = 101;

/// Gives a failure by that status the words and the place of the panic that ended the program: the last.
pub fn explain(outcome: &mut Outcome, stderr: &[u8]) {
    if let Outcome::Failed {
        failure: Failure::ExitStatus { status: STATUS }, message, said, ..
    } = outcome
        && let Some((words, place)) = last(&String::from_utf8_lossy(stderr))
    {
        *message = words;
        *said = Some(place);
    }
}

/// `thread 'main' (7) panicked at src/main.rs:7:5:`, and the words in the lines behind.
fn last(text: &str) -> Option<(String, (String, u32))> {
    let (_, panic) = text.rsplit_once(" panicked at ")?;
    let mut lines = panic.lines();
    let mut parts = lines.next()?.strip_suffix(':')?.rsplitn(3, ':');
    let _column: u32 = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts.next()?.to_string();
    // Behind the words may come advice, a backtrace, or what else the program writes.
    let of_comparison = |line: &&str| line.starts_with("  left: ") || line.starts_with(" right: ");
    let mut words = format!("panicked: {}", lines.next()?);
    for line in lines.take_while(of_comparison) {
        words.push_str(&format!(", {}", line.trim_start()));
    }
    Some((words, (file, line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_panic_tells() {
        let text = "hello\nthread '<unnamed>' panicked at a.rs:1:2:\nfirst\n\
                    thread 'main' (7) panicked at src/main.rs:7:5:\nassertion `left == right` failed: lost\n  \
                    left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1`\n";
        let words = "panicked: assertion `left == right` failed: lost, left: 1, right: 2";
        assert_eq!(last(text), Some((words.into(), ("src/main.rs".into(), 7))));
    }

    #[test]
    fn other_text_is_no_panic() {
        for text in ["", " panicked at ", "x panicked at noon", "x panicked at a:b:c:\nwhy"] {
            assert_eq!(last(text), None, "{text}");
        }
    }
}
