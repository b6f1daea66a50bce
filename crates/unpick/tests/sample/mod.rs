//! `UNPICK_SAMPLE=n`: only every n-th case, always the same ones. `make test` takes a sample where all would take long.

/// Every n-th, where that was asked for.
pub fn sample<T>(all: Vec<T>) -> Vec<T> {
    let every = std::env::var("UNPICK_SAMPLE").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    all.into_iter().step_by(std::cmp::max(1, every)).collect()
}
