use unpick_explain::*;
fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let execution = cortex::read(std::path::Path::new(&folder)).unwrap_or_else(|e| { eprintln!("{e}"); std::process::exit(2) });
    let failing = setting::Setting::new(&execution, execution.paths.iter().collect()).unwrap();
    let order = wishes::failing_order(&execution, &failing);
    println!("{:?} assertion {:?}", run::feasible(&failing, &order), run::failed_assertion(&failing, &order));
    let wishes = wishes::Wishes::new(&failing, &order, &failing);
    println!("self {:?} flows {} segs {} switches {}", wishes.cost(&failing, &order), wishes.flows.len(), wishes.segments.len(), wishes.switches.len());
    for objective in [wishes::Objective::Lexicographic, wishes::Objective::Sum] {
        let t = std::time::Instant::now();
        let answer = exact::solve(&failing, &wishes, objective, &answer::Limits { deadline: Some(t + std::time::Duration::from_secs(60)), conflicts: None });
        println!("{objective:?} {:?} lower {:?} optimal {} impossible {} {:?}", answer.cost, answer.lower, answer.optimal, answer.impossible, t.elapsed());
        if let Some(o) = answer.order { println!("{:?}", run::passes(&failing, &o)); }
    }
}
