//! Orders in which threads run as long as they can: something to begin with.
//!
//! Where a search takes long there should be an answer, if not a good one. Most programs pass if nobody interrupts them.

use crate::setting::Setting;

/// Each thread once as the first one, the others behind it in turn, upwards and downwards.
pub fn orders(setting: &Setting) -> Vec<Vec<usize>> {
    let count = setting.threads.len();
    let upwards = (0..count).map(|first| (0..count).map(|n| (first + n) % count).collect());
    let downwards =
        (0..count).map(|first| (0..count).map(|n| (first + count - n) % count).collect());
    upwards.chain(downwards).filter_map(|turn: Vec<usize>| order(setting, &turn)).collect()
}

/// The first thread of `turn` that can go on does. `None`: nobody can.
fn order(setting: &Setting, turn: &[usize]) -> Option<Vec<usize>> {
    let mut done = vec![0u32; setting.threads.len()];
    let mut order = Vec::with_capacity(setting.operations.len());
    while order.len() < setting.operations.len() {
        let before = order.len();
        for &thread in turn {
            let range = setting.threads[thread].clone();
            let next = |done: &[u32]| range.start + done[thread] as usize;
            while next(&done) < range.end && setting.is_ready(next(&done), &done) {
                order.push(next(&done));
                done[thread] += 1;
            }
        }
        if order.len() == before {
            return None;
        }
    }
    Some(order)
}
