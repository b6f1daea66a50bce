//! Barriers: arriving is one event, leaving another.

use super::errors::*;
use super::mutex::of;
use super::*;
use crate::events;
use crate::operation::{Footprint, round};
use unpick_dependence::Mode;
use unpick_model::Op;

fn init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let barrier = object_at(m, s, t, call, 0)?;
    let count = m.concrete(s, t, &call.arguments[2])?;
    if count == 0 {
        return give(EINVAL);
    }
    Rc::make_mut(&mut s.sync.objects).reset(barrier).total = count;
    events::note(m, s, t, call.place, Op::BarrierInit, barrier, count);
    give(0)
}

fn wait(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    const ARRIVED: u32 = 1;
    if stage(s, t) < ARRIVED {
        let barrier = object_at(m, s, t, call, 0)?;
        m.visible(s, t, Operation::Arrive { barrier })?;
        if s.sync.objects.get(barrier).total == 0 {
            return Err(m.unsupported(s, t, "a barrier that was not initialised"));
        }
        arrive(m, s, t, call, barrier);
        set_stage(s, t, ARRIVED);
    }
    let (barrier, generation, last) = (kept(s, t, 0), kept(s, t, 1), kept(s, t, 2) != 0);
    m.visible(s, t, Operation::Leave { barrier, generation })?;
    let footprint = Footprint::object(round(barrier, generation), Mode::Read);
    events::performed(m, s, t, call.place, Op::BarrierLeave, barrier, 1, footprint);
    const SERIAL_THREAD: i32 = -1;
    give(if last { SERIAL_THREAD } else { 0 })
}

fn arrive(machine: &mut Machine, state: &mut State, thread: usize, call: &Call, barrier: u64) {
    let object = of(state, barrier);
    let generation = object.generation;
    let left = object.total.saturating_sub(object.value).max(1);
    let last = left == 1;
    object.value += 1;
    if last {
        object.value = 0;
        object.generation += 1;
    }
    keep(state, thread, &[barrier, generation, last as u64]);
    let mut footprint = Footprint::arrival(barrier, left);
    if last {
        footprint = footprint.and(Footprint::object(round(barrier, generation), Mode::Write));
    }
    let place = call.place;
    let arrival =
        events::Went { after: last as u64, ..events::Went::new(Op::BarrierArrive, barrier) };
    events::went(machine, state, thread, place, arrival, footprint);
}

fn destroy(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let object = object_at(m, s, t, call, 0)?;
    m.visible(s, t, Operation::Destroy { object })?;
    if s.sync.objects.get(object).value != 0 {
        return Err(misuse(m, s, t, object, |name| {
            format!("{name} is destroyed while it is held")
        }));
    }
    let changes = Footprint::changes(object, true);
    events::performed(m, s, t, call.place, Op::BarrierDestroy, object, 1, changes);
    give(0)
}

pub const MODELS: &[Row] = &[
    (&["pthread_barrier_init"], init),
    (&["pthread_barrier_wait"], wait),
    (&["pthread_barrier_destroy"], destroy),
    (
        &[
            "pthread_barrierattr_init",
            "pthread_barrierattr_destroy",
            "pthread_barrierattr_setpshared",
        ],
        succeed,
    ),
];
