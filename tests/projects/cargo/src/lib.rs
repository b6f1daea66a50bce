//! What all the programs share: whether they are to do it right.

pub const YEAR: &str = env!("SHOP_YEAR");

pub fn fixed() -> bool {
    std::env::args().any(|word| word == "fixed")
}
