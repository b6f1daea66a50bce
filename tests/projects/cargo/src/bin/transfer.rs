//! Two accounts, locked in the order in which they are named.
use std::sync::{Arc, Mutex};
use std::thread;

type Account = Arc<Mutex<i32>>;

fn transfer(from: &Account, to: &Account) {
    let mut from = from.lock().unwrap();
    let mut to = to.lock().unwrap();
    *from -= 1;
    *to += 1;
}

fn main() {
    let (a, b): (Account, Account) = Default::default();
    let fixed = shop::fixed();
    let other = {
        let (a, b) = (a.clone(), b.clone());
        thread::spawn(move || if fixed { transfer(&a, &b) } else { transfer(&b, &a) })
    };
    transfer(&a, &b);
    other.join().unwrap();
    assert_eq!(*a.lock().unwrap() + *b.lock().unwrap(), 0);
}
