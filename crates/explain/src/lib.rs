//! Why did it fail: the smallest difference between a failing run and one that passes.
pub mod answer;
pub mod cortex;
pub mod exact;
pub mod execution;
pub mod expression;
pub mod run;
pub mod setting;
pub mod wishes;
