//! Makes programs and checks each of them. One that is wrong is made smaller before it is shown.

use crate::program::{Program, Random, Text, Texts};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

pub struct Checked {
    pub failing: bool,
    /// Runs in vain.
    pub redundant: u64,
}

pub type Make = fn(&mut Random, u64) -> Program;

/// A program, what it looks like, and its number.
pub type Check = fn(&Program, &(Texts, Vec<Text>), u64) -> Result<Checked, String>;

/// As many programs as `UNPICK_GENERATED` says, or `usual`, of at most `most` interleavings each.
pub fn check_many(usual: u64, most: u128, make: Make, check: Check) {
    let wanted = number("UNPICK_GENERATED", usual);
    let seed = number("UNPICK_GENERATED_SEED", 1);
    let next = AtomicU64::new(0);
    let wrong: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let (done, bugs) = (AtomicU64::new(0), AtomicU64::new(0));
    let redundant = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while done.load(Ordering::Relaxed) < wanted {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let program = make(&mut Random(seed << 32 ^ index), index);
                    let texts = match program.print(most) {
                        Ok(Some(texts)) => texts,
                        Ok(None) => continue,
                        Err(e) => panic!("the oracle refuses {program:#?}: {e}"),
                    };
                    done.fetch_add(1, Ordering::Relaxed);
                    match check(&program, &texts, index) {
                        Ok(checked) => {
                            bugs.fetch_add(checked.failing as u64, Ordering::Relaxed);
                            redundant.fetch_add(checked.redundant, Ordering::Relaxed);
                        }
                        Err(trouble) => {
                            let (small, trouble) = shrink(program, index, trouble, most, check);
                            let Ok(Some((texts, _))) = small.print(most) else { unreachable!() };
                            let text = format!(
                                "program {index} of seed {seed}: {trouble}\n{}\n{:#?}",
                                texts.c, texts.model
                            );
                            eprintln!("{text}");
                            wrong.lock().expect("no panic").push(text);
                        }
                    }
                }
            });
        }
    });
    let (done, bugs) = (done.into_inner(), bugs.into_inner());
    let redundant = redundant.into_inner();
    println!(
        "{done} programs, {bugs} of them with failing interleavings; {redundant} redundant runs"
    );
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} of {done}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(wanted < 20 || (bugs > 0 && bugs < done), "the programs are all alike");
}

/// The smallest program found by leaving out operations that is still wrong.
fn shrink(
    mut program: Program,
    index: u64,
    mut trouble: String,
    most: u128,
    check: Check,
) -> (Program, String) {
    'smaller: loop {
        for less in program.smaller() {
            let Ok(Some(texts)) = less.print(most) else { continue };
            if let Err(still) = check(&less, &texts, index) {
                (program, trouble) = (less, still);
                continue 'smaller;
            }
        }
        return (program, trouble);
    }
}
