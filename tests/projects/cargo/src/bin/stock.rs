//! A lost update: load and store instead of one atomic addition.
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

fn deliver(stock: &AtomicU32, fixed: bool) {
    if fixed {
        stock.fetch_add(1, SeqCst);
    } else {
        let before = stock.load(SeqCst);
        stock.store(before + 1, SeqCst);
    }
}

fn main() {
    let stock = Arc::new(AtomicU32::new(0));
    let fixed = shop::fixed();
    let lorries: Vec<_> = (0..2)
        .map(|_| {
            let stock = stock.clone();
            thread::spawn(move || deliver(&stock, fixed))
        })
        .collect();
    lorries.into_iter().for_each(|lorry| lorry.join().unwrap());
    assert_eq!(stock.load(SeqCst), 2, "a delivery of {} is lost", shop::YEAR);
}
