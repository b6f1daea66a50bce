//! A wake-up that is missed: the bell may ring before anybody listens, and nobody looks at the door.
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let fixed = shop::fixed();
    let keeper = {
        let shared = shared.clone();
        thread::spawn(move || {
            let (somebody, bell) = &*shared;
            let mut here = somebody.lock().unwrap();
            if fixed {
                while !*here {
                    here = bell.wait(here).unwrap();
                }
            } else {
                here = bell.wait(here).unwrap();
            }
            assert!(*here);
        })
    };
    let (somebody, bell) = &*shared;
    *somebody.lock().unwrap() = true;
    bell.notify_one();
    keeper.join().unwrap();
}
