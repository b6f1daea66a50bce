//! A unit's bitcode. What LLVM does not survive is refused (it is tried out in a child process); what it accepts is
//! ours, and keeps the rules.
#![no_main]

use unpick_ir::ReadError;

unpick_fuzz::target!(|bytes| {
    match unpick_ir::read(&[bytes]) {
        Ok(program) => {
            let faults = unpick_ir::verify(&program);
            assert!(faults.is_empty(), "{faults:?}");
            let _ = program.to_string();
        }
        Err(error) => {
            let is_ours = matches!(error, ReadError::Mistake { .. } | ReadError::Trial { .. });
            assert!(!is_ours, "{error}");
        }
    }
});
