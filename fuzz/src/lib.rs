//! What the targets share: libFuzzer's entry point.

/// Defines the function that libFuzzer calls with each input.
#[macro_export]
macro_rules! target {
    (|$bytes:ident| $body:block) => {
        #[unsafe(no_mangle)]
        extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
            // libFuzzer gives a null pointer for an empty input.
            let $bytes: &[u8] =
                if size == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data, size) } };
            $body
            0
        }
    };
}
