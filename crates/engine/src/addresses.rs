//! The same addresses in every run: the kernel must be told not to choose others each time.

/// Can the kernel be told? What a container may ask of it is often restricted (seccomp), and this is then refused.
pub fn can_be_fixed() -> bool {
    const ASK: libc::c_ulong = 0xffff_ffff;
    let fixed = libc::ADDR_NO_RANDOMIZE as libc::c_ulong;
    // Whoever may not even ask has the usual one. It is that of this thread alone.
    let usual = unsafe { libc::personality(ASK) }.max(0) as libc::c_ulong;
    let told = usual & fixed != 0 || unsafe { libc::personality(usual | fixed) } >= 0;
    if told {
        unsafe { libc::personality(usual) };
    }
    told || std::fs::read_to_string("/proc/sys/kernel/randomize_va_space")
        .is_ok_and(|text| text.trim() == "0")
}
