//! Flags for gcc's optimiser and code layout that clang does not know.
//!
//! Projects that know gcc alone write them into their makefiles. Nothing is optimised here, so they mean
//! nothing, and a build should not stumble over them. What changes the meaning of a program is not listed:
//! there clang's refusal is right.

/// What follows `-f` or `-fno-`; a trailing `*` stands for anything.
const FLAGS: &[&str] = &[
    "aggressive-loop-optimizations",
    "allow-store-data-races",
    "analyzer*",
    "auto-inc-dec",
    "branch-probabilities",
    "branch-target-load-optimize*",
    "btr-bb-exclusive",
    "canonical-system-headers",
    "caller-saves",
    "code-hoisting",
    "combine-stack-adjustments",
    "compare-elim",
    "conserve-stack",
    "cprop-registers",
    "crossjumping",
    "cse-*",
    "dce",
    "delete-dead-exceptions",
    "devirtualize*",
    "dse",
    "early-inlining",
    "expensive-optimizations",
    "forward-propagate",
    "function-cse",
    "gcse*",
    "gnu-unique",
    "graphite*",
    "guess-branch-probability",
    "hoist-adjacent-loads",
    "if-conversion*",
    "indirect-inlining",
    "inline-limit*",
    "inline-small-functions",
    "ipa-*",
    "ira-*",
    "isolate-erroneous-paths-*",
    "keep-static-functions",
    "large-source-files",
    "lifetime-dse*",
    "limit-function-alignment",
    "live-*",
    "loop-*",
    "lra-remat",
    "merge-debug-strings",
    "modulo-sched*",
    "move-loop-*",
    "opt-info*",
    "optimize-register-move",
    "optimize-strlen",
    "partial-inlining",
    "peel-loops",
    "peephole*",
    "predictive-commoning",
    "prefetch-loop-arrays",
    "printf-return-value",
    "ree",
    "regmove",
    "rename-registers",
    "reorder-*",
    "rerun-*",
    "reschedule-*",
    "sched*",
    "section-anchors",
    "sel-sched*",
    "selective-scheduling*",
    "shrink-wrap*",
    "simd-cost-model*",
    "split-*",
    "ssa-*",
    "stack-reuse*",
    "stdarg-opt",
    "store-merging",
    "thread-jumps",
    "toplevel-reorder",
    "tracer",
    "track-macro-expansion*",
    "tree-*",
    "unconstrained-commons",
    "unroll-all-loops",
    "unswitch-loops",
    "use-linker-plugin",
    "var-tracking*",
    "variable-expansion-in-unroller",
    "vect-cost-model*",
    "version-loops-for-strides",
    "vpt",
    "web",
];

/// What follows `-m` or `-mno-`.
const MACHINE: &[&str] = &[
    "8bit-idiv",
    "accumulate-outgoing-args",
    "align-data*",
    "align-stringops",
    "avx256-split-unaligned-*",
    "branch-cost*",
    "fancy-math-387",
    "fused-madd",
    "indirect-branch*",
    "inline-stringops-dynamically",
    "memcpy-strategy*",
    "memset-strategy*",
    "move-max*",
    "push-args",
    "store-max*",
    "stringop-strategy*",
    "tune-ctrl*",
    "veclibabi*",
];

pub(crate) fn is_gcc_only(flag: &str) -> bool {
    let among = |table: &[&str], letter: &str| {
        let Some(name) = flag.strip_prefix(letter) else { return false };
        let name = name.strip_prefix("no-").unwrap_or(name);
        table.iter().any(|known| match known.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *known,
        })
    };
    // Only these of a larger family are clang's, too, and mean something.
    !matches!(flag, "-fsplit-stack" | "-fno-split-stack" | "-fsplit-machine-functions")
        && (among(FLAGS, "-f") || among(MACHINE, "-m"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimisers_and_no_others() {
        let dropped = [
            "-fno-tree-vectorize",
            "-fipa-pta",
            "-fgcse-las",
            "-fno-gnu-unique",
            "-fuse-linker-plugin",
            "-fstack-reuse=none",
            "-mindirect-branch=thunk",
            "-mno-accumulate-outgoing-args",
        ];
        assert!(dropped.iter().all(|flag| is_gcc_only(flag)));
        let kept = [
            "-fPIC",
            "-fno-strict-aliasing",
            "-fwrapv",
            "-fplan9-extensions",
            "-fsplit-stack",
            "-ftls-model=initial-exec",
            "-fvisibility=hidden",
            "-mavx2",
            "-fwrapv-pointer",
        ];
        assert!(!kept.iter().any(|flag| is_gcc_only(flag)));
    }
}
