//! Variables by activity, the most active first.

#[derive(Default)]
pub(super) struct Heap {
    variables: Vec<u32>,
    /// Where each variable stands; `ABSENT`: nowhere.
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Heap {
    pub fn insert(&mut self, variable: usize, activity: &[f64]) {
        if self.places.len() <= variable {
            self.places.resize(variable + 1, ABSENT);
        }
        if self.places[variable] != ABSENT {
            return;
        }
        self.places[variable] = self.variables.len() as u32;
        self.variables.push(variable as u32);
        self.up(self.variables.len() - 1, activity);
    }

    pub fn raised(&mut self, variable: usize, activity: &[f64]) {
        if let Some(&place) = self.places.get(variable)
            && place != ABSENT
        {
            self.up(place as usize, activity);
        }
    }

    pub fn pop(&mut self, activity: &[f64]) -> Option<usize> {
        let first = *self.variables.first()?;
        let last = self.variables.pop()?;
        self.places[first as usize] = ABSENT;
        if first != last {
            self.variables[0] = last;
            self.places[last as usize] = 0;
            self.down(0, activity);
        }
        Some(first as usize)
    }

    /// Equally active ones come in the order of their numbers, so that every search is the same.
    fn before(&self, a: usize, b: usize, activity: &[f64]) -> bool {
        let (a, b) = (self.variables[a], self.variables[b]);
        let (left, right) = (activity[a as usize], activity[b as usize]);
        left > right || (left == right && a < b)
    }

    fn exchange(&mut self, a: usize, b: usize) {
        self.variables.swap(a, b);
        self.places[self.variables[a] as usize] = a as u32;
        self.places[self.variables[b] as usize] = b as u32;
    }

    fn up(&mut self, mut place: usize, activity: &[f64]) {
        while place > 0 && self.before(place, (place - 1) / 2, activity) {
            self.exchange(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    fn down(&mut self, mut place: usize, activity: &[f64]) {
        loop {
            let mut best = place;
            for child in [2 * place + 1, 2 * place + 2] {
                if child < self.variables.len() && self.before(child, best, activity) {
                    best = child;
                }
            }
            if best == place {
                return;
            }
            self.exchange(place, best);
            place = best;
        }
    }
}
