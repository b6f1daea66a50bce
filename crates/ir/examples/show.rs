//! Prints the program that some bitcode files make together: `cargo run -p unpick-ir --example show x.bc`.

use unpick_ir::{read, verify};

fn main() {
    let units: Vec<Vec<u8>> = std::env::args()
        .skip(1)
        .map(|path| std::fs::read(path).expect("a readable file"))
        .collect();
    let units: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
    match read(&units) {
        Ok(program) => {
            print!("{program}");
            for fault in verify(&program) {
                eprintln!("{fault}");
            }
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
