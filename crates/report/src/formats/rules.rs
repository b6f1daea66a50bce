//! What the kinds of findings mean, for those who see one for the first time.

use unpick_model::FindingKind;

pub struct Rule {
    /// The kind's name in the JSON, or that of a part.
    pub id: &'static str,
    pub short: &'static str,
    pub help: &'static str,
}

pub const EXPLANATION: Rule = Rule {
    id: "explanation",
    short: "The smallest difference between a failing run and one that passes",
    help: "A run fails, and one that differs from it as little as possible passes. What differs between them is the cause, \
           or next to it.",
};

pub const REGION: Rule = Rule {
    id: "atomic-region",
    short: "Lines that should not be interrupted",
    help: "What these lines rely on is changed by another thread in between. Where nobody may interrupt them, the program \
           does not fail: they need a lock that is held from the first line to the last, by the others, too.",
};

pub fn of(kind: FindingKind) -> Rule {
    let (id, short, help) = match kind {
        FindingKind::Assertion => (
            "assertion",
            "An assertion fails in some interleaving",
            "Under this schedule of its threads the program comes to an assertion that does not hold. The thread flows \
             show who did what in between.",
        ),
        FindingKind::Abort => (
            "abort",
            "The program aborts in some interleaving",
            "Under this schedule of its threads the program calls abort, itself or through a library that found something \
             wrong.",
        ),
        FindingKind::Crash => (
            "crash",
            "The program crashes in some interleaving",
            "Under this schedule of its threads the program gets a signal such as a segmentation fault: a pointer is used \
             before it is set or after it is gone.",
        ),
        FindingKind::Exception => (
            "exception",
            "An exception is not caught in some interleaving",
            "Under this schedule of its threads an exception leaves a thread that does not catch it.",
        ),
        FindingKind::Deadlock => (
            "deadlock",
            "Threads wait for each other for ever",
            "Every thread waits for something that only another waiting one could do. Locks that are always taken in one \
             order cannot do that; a condition needs a loop around its wait and a signal behind every change.",
        ),
        FindingKind::Livelock => (
            "livelock",
            "Threads go on for ever without getting anywhere",
            "The threads run, but the state of the program only recurs, also where everybody gets a turn.",
        ),
        FindingKind::LockMisuse => (
            "lock-misuse",
            "A lock is used in a way that is undefined",
            "A lock is released that is not held, taken again by its holder, or destroyed while somebody holds it. What \
             happens then depends on the C library.",
        ),
        FindingKind::ExitStatus => (
            "exit-status",
            "The program exits with an unexpected status",
            "Under this schedule of its threads the program ends with another exit status than it should.",
        ),
        FindingKind::Output => (
            "output",
            "The program's output is wrong in some interleaving",
            "Under this schedule of its threads the command that judges the output says that it is wrong.",
        ),
        FindingKind::UseAfterFree => (
            "use-after-free",
            "Memory is used after it was freed",
            "A thread uses a block that it or another thread has freed. Who frees must know that nobody else has it.",
        ),
        FindingKind::DoubleFree => (
            "double-free",
            "Memory is freed twice",
            "A block is freed that was freed before, here or by another thread.",
        ),
        FindingKind::OutOfBounds => (
            "out-of-bounds",
            "Memory beyond a block is used",
            "A thread reads or writes outside a block. Where it depends on the schedule, an index or a length has changed \
             between its check and its use.",
        ),
        FindingKind::InvalidFree => (
            "invalid-free",
            "Something is freed that was not allocated",
            "A pointer is freed that is not the beginning of a block.",
        ),
        FindingKind::Race => (
            "race",
            "Two threads use a variable and nothing orders them",
            "One of two accesses writes, and no lock, join or atomic operation puts one before the other. In C and C++ \
             this is undefined behaviour, whatever the values are: use one lock for both, or atomic operations.",
        ),
        FindingKind::Leak => (
            "leak",
            "Memory is never freed",
            "A block is still allocated at the end, and nothing points to it.",
        ),
        FindingKind::Overflow => (
            "overflow",
            "Signed arithmetic overflows",
            "The result does not fit into its type, which is undefined for signed numbers.",
        ),
        FindingKind::DivisionByZero => (
            "division-by-zero",
            "A number is divided by zero",
            "The divisor is zero for some input or interleaving.",
        ),
        FindingKind::Shift => (
            "shift",
            "A number is shifted too far",
            "The distance is negative or not smaller than the number of bits, which is undefined.",
        ),
        FindingKind::Uninitialised => (
            "uninitialised",
            "A value is used that was never set",
            "What is read was not written before, for some input or interleaving.",
        ),
    };
    Rule { id, short, help }
}
