use super::*;

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Random clauses over a few variables.
fn clauses(state: &mut u64, variables: u64, count: u64) -> Vec<Vec<i32>> {
    let literal = |state: &mut u64| {
        let variable = (random(state) % variables) as i32 + 1;
        if random(state).is_multiple_of(2) { variable } else { -variable }
    };
    (0..count).map(|_| (0..1 + random(state) % 3).map(|_| literal(state)).collect()).collect()
}

fn satisfies(assignment: u32, clause: &[i32]) -> bool {
    clause.iter().any(|&l| (assignment >> (l.unsigned_abs() - 1) & 1 == 1) == (l > 0))
}

fn literal(variables: &[Literal], number: i32) -> Literal {
    let variable = variables[number.unsigned_abs() as usize - 1];
    if number > 0 { variable } else { !variable }
}

/// Knows further clauses and tells the first that fails when all is assigned.
struct Lazy(Vec<Vec<Literal>>);

impl Theory for Lazy {
    fn assigned(&mut self, _: Literal) -> Option<Vec<Literal>> {
        None
    }
    fn forgotten(&mut self, _: Literal) {}
    fn complete(&mut self, sat: &mut Sat) -> Vec<Vec<Literal>> {
        let fails = |clause: &&Vec<Literal>| clause.iter().all(|l| sat.value(*l) == Some(false));
        self.0.iter().filter(fails).take(2).cloned().collect()
    }
}

#[test]
fn as_enumeration_has_it() {
    let mut state = 88172645463325252;
    for round in 0..3000 {
        let variables = 3 + random(&mut state) % 8;
        let count = random(&mut state) % (5 * variables);
        let all = clauses(&mut state, variables, count);
        let split = all.len() / 2;
        let mut sat = Sat::new();
        let names: Vec<Literal> = (0..variables).map(|_| sat.literal(round % 2 == 0)).collect();
        let proper =
            |clause: &Vec<i32>| clause.iter().map(|&n| literal(&names, n)).collect::<Vec<_>>();
        for clause in &all[..split] {
            sat.clause(&proper(clause));
        }
        let mut lazy = Lazy(all[split..].iter().map(proper).collect());
        for _ in 0..4 {
            let assumed: Vec<i32> =
                clauses(&mut state, variables, 3).into_iter().map(|clause| clause[0]).collect();
            let assumptions: Vec<Literal> = assumed.iter().map(|&n| literal(&names, n)).collect();
            let possible = |assumed: &[i32]| {
                (0..1u32 << variables).any(|assignment| {
                    all.iter().all(|clause| satisfies(assignment, clause))
                        && assumed.iter().all(|&n| satisfies(assignment, &[n]))
                })
            };
            match sat.solve(&assumptions, &mut lazy, &|_| false) {
                Answer::Satisfiable => {
                    for clause in &all {
                        assert!(clause.iter().any(|&n| sat.holds(literal(&names, n))));
                    }
                    assert!(assumptions.iter().all(|l| sat.holds(*l)));
                }
                Answer::Unsatisfiable(core) => {
                    assert!(core.iter().all(|l| assumptions.contains(l)));
                    let core: Vec<i32> = assumed
                        .iter()
                        .copied()
                        .filter(|&n| core.contains(&literal(&names, n)))
                        .collect();
                    assert!(!possible(&core), "{all:?} {core:?}");
                }
                Answer::Unknown => panic!("nobody stopped it"),
            }
        }
    }
}

/// More pigeons than holes: needs learning, restarts and forgetting.
#[test]
fn pigeons_do_not_fit() {
    let mut sat = Sat::new();
    let holes = 7;
    let at: Vec<Vec<Literal>> =
        (0..holes + 1).map(|_| (0..holes).map(|_| sat.literal(true)).collect()).collect();
    for pigeon in &at {
        sat.clause(pigeon);
    }
    for hole in 0..holes {
        for a in 0..at.len() {
            for b in 0..a {
                sat.clause(&[!at[a][hole], !at[b][hole]]);
            }
        }
    }
    let answer = sat.solve(&[], &mut Nothing, &|_| false);
    assert_eq!(answer, Answer::Unsatisfiable(Vec::new()));
}

#[test]
fn luby_is_lubys() {
    let first: Vec<u64> = (1..=15).map(luby).collect();
    assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
}
