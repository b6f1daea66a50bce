//! Orders through a channel; who takes the first to be Ann's has not thought of Bob.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, orders) = mpsc::channel();
    let of = |name: &'static str| {
        let sender = sender.clone();
        thread::spawn(move || sender.send(name).unwrap())
    };
    let customers = [of("Ann"), of("Bob")];
    drop(sender);
    let mut names: Vec<&str> = orders.iter().collect();
    if shop::fixed() {
        names.sort();
    }
    customers.into_iter().for_each(|customer| customer.join().unwrap());
    assert_eq!(names, ["Ann", "Bob"]);
}
