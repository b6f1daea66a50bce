//! What holds in all samples at one point, found while they come.
//!
//! The first different samples are kept. Then every variable is either constant, or equal to another that stands for
//! it, or it is compared with the others: what the kept samples break is never made. From then on each sample is
//! shown to what is left, and what breaks is gone, so that later samples cost less. Where a variable ceases to be
//! constant, or equal to the one that stood for it, what it would have been compared with is known from that and is
//! put in its place. Nothing else is kept of a sample but that it has come: the same again only counts.

use crate::column::{Column, Sequence, sequences};
use crate::pair::{EQUAL, GREATER, LESS, Line, Pair};
use crate::split::Split;
use crate::summary::Summary;
use crate::triple::Triple;
use crate::variable::{Kind, Value};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// So many different samples are kept before anything is compared.
const KEPT: usize = 32;
/// So many are recognised when they come again.
const RECOGNISED: usize = 1 << 16;
/// More variables than this are not put into relations of three.
const MOST_IN_THREES: usize = 40;
/// So many flags are looked at for what follows from them.
const MOST_SPLITS: usize = 6;

pub struct Inference {
    pub columns: Vec<Column>,
    pub sequences: Vec<Sequence>,
    pub samples: u64,
    pub summaries: Vec<Summary>,
    /// The first different ones, and how often each has come.
    kept: Vec<(Box<[Value]>, u64)>,
    /// Samples that would show nothing new, by their digests.
    recognised: HashSet<u64>,
    /// What is compared, once there is enough to begin with.
    pub compared: Option<Compared>,
}

/// Relations that no sample has broken.
#[derive(Default)]
pub struct Compared {
    /// Who stands for each variable; itself if nobody else does.
    pub leader: Vec<usize>,
    /// Variables that were constant and have no pairs.
    constant: Vec<bool>,
    pub pairs: Vec<Pair>,
    pub triples: Vec<Triple>,
    pub splits: Vec<Split>,
    /// What is known of arrays, in the order of [`Inference::sequences`].
    pub arrays: Vec<Array>,
}

#[derive(Clone, Debug, Default)]
pub struct Array {
    pub samples: u64,
    /// Orders that were seen between neighbours.
    pub orders: u8,
    pub elements: Summary,
    /// As it was at the entry, so far.
    pub same: bool,
    /// Variables that have always been one of its elements.
    pub members: Vec<usize>,
}

fn digest(sample: &[Value]) -> u64 {
    let mut hasher = DefaultHasher::new();
    sample.hash(&mut hasher);
    hasher.finish()
}

impl Inference {
    pub fn new(columns: Vec<Column>) -> Inference {
        Inference {
            sequences: sequences(&columns),
            summaries: vec![Summary::default(); columns.len()],
            columns,
            samples: 0,
            kept: Vec::new(),
            recognised: HashSet::new(),
            compared: None,
        }
    }

    pub fn see(&mut self, sample: &[Value]) {
        self.samples += 1;
        for (summary, value) in self.summaries.iter_mut().zip(sample) {
            summary.see(*value, 1);
        }
        let digest = digest(sample);
        if self.recognised.contains(&digest) {
            self.see_again(sample);
            return;
        }
        if self.recognised.len() < RECOGNISED {
            self.recognised.insert(digest);
        }
        match &mut self.compared {
            Some(_) => self.show(sample),
            None => {
                self.kept.push((sample.into(), 1));
                if self.kept.len() >= KEPT {
                    self.compare();
                }
            }
        }
    }

    /// It shows nothing new; but how often each side of a flag was seen counts.
    fn see_again(&mut self, sample: &[Value]) {
        match &mut self.compared {
            Some(compared) => compared.splits.iter_mut().for_each(|split| _ = split.see(sample, 1)),
            None => {
                if let Some((_, times)) = self.kept.iter_mut().find(|(one, _)| **one == *sample) {
                    *times += 1;
                }
            }
        }
    }

    /// No more samples come.
    pub fn finish(&mut self) {
        if self.compared.is_none() {
            self.compare();
        }
    }

    /// How many relations are left.
    pub fn live(&self) -> usize {
        self.compared.as_ref().map_or(0, |compared| compared.pairs.len() + compared.triples.len())
    }

    /// Begins with what the kept samples leave.
    fn compare(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        let mut compared = Compared {
            leader: (0..self.columns.len()).collect(),
            constant: self.summaries.iter().map(|summary| !summary.varies()).collect(),
            arrays: self.sequences.iter().map(|sequence| self.array(sequence)).collect(),
            ..Compared::default()
        };
        self.find_leaders(&kept, &mut compared);
        let alone: Vec<usize> =
            (0..self.columns.len()).filter(|&x| compared.stands_alone(x)).collect();
        for (at, &x) in alone.iter().enumerate() {
            for &y in &alone[at + 1..] {
                if let Some(mut pair) = self.pair(x, y)
                    && kept.iter().all(|(sample, _)| show_pair(&mut pair, sample))
                {
                    compared.pairs.push(pair);
                }
            }
        }
        compared.triples = self.triples(&kept, &compared);
        compared.splits = self.splits();
        for (sample, times) in &kept {
            compared.show_rest(sample, *times, &self.sequences);
        }
        self.compared = Some(compared);
    }

    fn find_leaders(&self, kept: &[(Box<[Value]>, u64)], compared: &mut Compared) {
        let mut by_values: HashMap<Vec<Value>, Vec<usize>> = HashMap::new();
        for (x, column) in self.columns.iter().enumerate() {
            if compared.constant[x] {
                continue;
            }
            let values: Vec<Value> = kept.iter().map(|(sample, _)| sample[x]).collect();
            let same = by_values.entry(values).or_default();
            match same.iter().find(|other| self.columns[**other].kind.is_like(&column.kind)) {
                Some(leader) => compared.leader[x] = *leader,
                None => same.push(x),
            }
        }
    }

    /// The two, if comparing them can say something.
    fn pair(&self, x: usize, y: usize) -> Option<Pair> {
        let (one, other) = (&self.columns[x], &self.columns[y]);
        let told_at_entry = one.is_original() && other.is_original();
        if told_at_entry || !one.kind.is_like(&other.kind) {
            return None;
        }
        let lines = one.kind.is_integer() && other.kind.is_integer();
        let mut pair = Pair::new(x, y, lines);
        if !one.kind.is_ordered() {
            // Larger or smaller means nothing: only equal or not does.
            pair.orders = LESS | GREATER;
        }
        Some(pair)
    }

    fn triples(&self, kept: &[(Box<[Value]>, u64)], compared: &Compared) -> Vec<Triple> {
        // What a line ties to another variable adds nothing.
        let tied = |x: usize| {
            compared.pairs.iter().any(|pair| {
                pair.y as usize == x && matches!(pair.line, Line::Through { .. } | Line::Point(..))
            })
        };
        let wanted = |x: &usize| {
            let integer = self.columns[*x].kind.is_integer();
            integer && compared.stands_alone(*x) && self.summaries[*x].missing == 0 && !tied(*x)
        };
        let free: Vec<usize> = (0..self.columns.len()).filter(wanted).collect();
        let mut triples = Vec::new();
        if free.len() > MOST_IN_THREES {
            return triples;
        }
        for (i, &x) in free.iter().enumerate() {
            for (j, &y) in free.iter().enumerate().skip(i + 1) {
                for &z in &free[j + 1..] {
                    let columns = [x, y, z];
                    if columns.iter().all(|column| self.columns[*column].is_original()) {
                        continue;
                    }
                    let mut points: Vec<[i64; 3]> =
                        kept.iter().filter_map(|(sample, _)| point(sample, columns)).collect();
                    points.sort_unstable();
                    points.dedup();
                    triples.extend(Triple::through(columns.map(|x| x as u32), &points));
                }
            }
        }
        triples
    }

    /// Variables of two values, and what holds with each.
    fn splits(&self) -> Vec<Split> {
        let is_flag = |x: &usize| {
            let column = &self.columns[*x];
            let kind = !matches!(column.kind, Kind::Float | Kind::Pointer);
            let two = self.summaries[*x].few().is_some_and(|values| values.len() == 2);
            kind && two && !column.is_original()
        };
        let flags = (0..self.columns.len()).filter(is_flag).take(MOST_SPLITS);
        let split = |x: usize| {
            let values = self.summaries[x].few()?;
            Some(Split::new(x, [values[0], values[1]], self.columns.len()))
        };
        flags.filter_map(split).collect()
    }

    fn array(&self, sequence: &Sequence) -> Array {
        let kind = &self.columns[sequence.elements[0]].kind;
        let like = |x: &usize| {
            let column = &self.columns[*x];
            !sequence.elements.contains(x) && !column.is_original() && column.kind.is_like(kind)
        };
        Array {
            same: sequence.original.is_some(),
            members: (0..self.columns.len()).filter(like).collect(),
            ..Array::default()
        }
    }

    /// Shows a sample to what is left.
    fn show(&mut self, sample: &[Value]) {
        let Some(mut compared) = self.compared.take() else { return };
        self.part(&mut compared, sample);
        compared.pairs.retain_mut(|pair| show_pair(pair, sample));
        compared.show_rest(sample, 1, &self.sequences);
        self.compared = Some(compared);
    }

    /// Variables that this sample shows to be no longer what they were taken for get pairs of their own.
    fn part(&self, compared: &mut Compared, sample: &[Value]) {
        for x in 0..self.columns.len() {
            let leader = compared.leader[x];
            if compared.constant[x] && self.summaries[x].varies() {
                compared.constant[x] = false;
                self.pairs_of_former_constant(compared, x, sample);
            } else if leader != x && sample[x] != sample[leader] {
                compared.leader[x] = x;
                self.pairs_of_former_twin(compared, x, leader);
            }
        }
    }

    /// It was equal to its leader: so it has the leader's past.
    fn pairs_of_former_twin(&self, compared: &mut Compared, x: usize, leader: usize) {
        let copied: Vec<Pair> = compared
            .pairs
            .iter()
            .filter(|pair| [pair.x, pair.y].contains(&(leader as u32)))
            .filter_map(|pair| {
                let is_first = pair.x as usize == leader;
                let other = if is_first { pair.y } else { pair.x } as usize;
                let fresh = if is_first { self.pair(x, other) } else { self.pair(other, x) }?;
                Some(Pair { x: fresh.x, y: fresh.y, ..*pair })
            })
            .collect();
        compared.pairs.extend(copied);
        if let Some(mut pair) = self.pair(leader, x) {
            pair.orders |= EQUAL;
            pair.samples = self.summaries[x].samples.saturating_sub(1);
            // The line through equal values, if it ever was one.
            if pair.line != Line::Broken && self.summaries[leader].varies() {
                pair.line = Line::Broken;
            }
            compared.pairs.push(pair);
        }
    }

    /// It had one value so far: what the others had to do with that is known from their ranges.
    fn pairs_of_former_constant(&self, compared: &mut Compared, x: usize, sample: &[Value]) {
        let before = self.summaries[x]
            .few()
            .and_then(|values| values.into_iter().find(|value| Some(*value) != sample[x]));
        for y in 0..self.columns.len() {
            if y == x || !compared.stands_alone(y) {
                continue;
            }
            let Some(mut pair) = self.pair(x.min(y), x.max(y)) else { continue };
            let other = &self.summaries[y];
            match before {
                Some(value) => {
                    let (less, greater) = if x < y { (LESS, GREATER) } else { (GREATER, LESS) };
                    pair.orders |= if value < other.max { less } else { 0 };
                    pair.orders |= if value > other.min { greater } else { 0 };
                    pair.orders |= if other.may_have(value) { EQUAL } else { 0 };
                }
                None => pair.orders |= LESS | EQUAL | GREATER,
            }
            pair.line = Line::Broken;
            pair.samples = self.summaries[x].samples.saturating_sub(1);
            compared.pairs.push(pair);
        }
    }
}

fn point(sample: &[Value], columns: [usize; 3]) -> Option<[i64; 3]> {
    Some([sample[columns[0]]?, sample[columns[1]]?, sample[columns[2]]?])
}

fn show_pair(pair: &mut Pair, sample: &[Value]) -> bool {
    match (sample[pair.x as usize], sample[pair.y as usize]) {
        (Some(x), Some(y)) => pair.see(x, y, 1),
        _ => true,
    }
}

impl Compared {
    /// It varies, and nobody stands for it.
    pub fn stands_alone(&self, x: usize) -> bool {
        !self.constant[x] && self.leader[x] == x
    }

    fn show_rest(&mut self, sample: &[Value], times: u64, sequences: &[Sequence]) {
        self.triples.retain_mut(|triple| match point(sample, triple.columns.map(|x| x as usize)) {
            Some(values) => {
                triple.points += 1;
                triple.has(values)
            }
            None => true,
        });
        self.splits.retain_mut(|split| split.see(sample, times));
        for (array, sequence) in self.arrays.iter_mut().zip(sequences) {
            array.see(sample, sequence);
        }
    }
}

impl Array {
    fn see(&mut self, sample: &[Value], sequence: &Sequence) {
        let elements: Option<Vec<i64>> = sequence.elements.iter().map(|&at| sample[at]).collect();
        let Some(elements) = elements else { return };
        self.samples += 1;
        for pair in elements.windows(2) {
            self.orders |= match pair[0].cmp(&pair[1]) {
                std::cmp::Ordering::Less => LESS,
                std::cmp::Ordering::Equal => EQUAL,
                std::cmp::Ordering::Greater => GREATER,
            };
        }
        elements.iter().for_each(|element| self.elements.see(Some(*element), 1));
        if let Some(original) = &sequence.original {
            let mut pairs = sequence.elements.iter().zip(original);
            self.same &= pairs.all(|(now, then)| sample[*now] == sample[*then]);
        }
        self.members.retain(|x| sample[*x].is_none_or(|value| elements.contains(&value)));
    }
}
