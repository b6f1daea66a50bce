//! `pthread_once`. Entering it is one event, completing it another; the routine runs in between.

use super::mutex::of;
use super::objects::Once;
use super::*;
use crate::events;
use crate::operation::Footprint;
use unpick_model::Op;

pub(super) fn once(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    const ENTERED: u32 = 1;
    if stage(s, t) < ENTERED {
        let once = object_at(m, s, t, call, 0)?;
        m.visible(s, t, Operation::EnterOnce { once })?;
        let function = m.function_at(s, t, &call.arguments[1])?;
        let first = s.sync.objects.get(once).once == Once::New;
        let footprint = Footprint::changes(once, first);
        events::performed(m, s, t, call.place, Op::OnceEnter { first }, once, 1, footprint);
        if !first {
            return give(0);
        }
        let object = of(s, once);
        (object.once, object.owner) = (Once::Running, Some(t));
        keep(s, t, &[once]);
        set_stage(s, t, ENTERED);
        return Ok(Effect::Enter { function, arguments: Vec::new() });
    }
    let once = kept(s, t, 0);
    m.visible(s, t, Operation::LeaveOnce { once })?;
    let object = of(s, once);
    (object.once, object.owner) = (Once::Done, None);
    let footprint = Footprint::changes(once, true);
    events::performed(m, s, t, call.place, Op::OnceDone, once, 1, footprint);
    give(0)
}

// Variables of C++ that are initialised when they are first reached. The library's guards are no scheduling points
// natively, and none here, unless somebody has to wait; the look at the guard before, which is one, stands for them.

fn guard_acquire(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let guard = object_at(m, s, t, call, 0)?;
    let operation = Operation::EnterOnce { once: guard };
    if !possible(s, t, &operation) {
        return Err(Stop::Pause(operation));
    }
    let first = s.sync.objects.get(guard).once == Once::New;
    let op = if first { Op::OnceEnter { first } } else { Op::HandLock };
    let footprint = Footprint::changes(guard, first);
    events::noticed(m, s, t, call.place, events::Went::new(op, guard), footprint);
    if first {
        let object = of(s, guard);
        (object.once, object.owner) = (Once::Running, Some(t));
    }
    give(first as i32)
}

fn guard_release(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let guard = object_at(m, s, t, call, 0)?;
    let object = of(s, guard);
    (object.once, object.owner) = (Once::Done, None);
    let done = Value::known(8, 1);
    m.store(s, t, &call.arguments[0], &Type::Bits(8), &done)?;
    let footprint = Footprint::changes(guard, true);
    events::noticed(m, s, t, call.place, events::Went::new(Op::HandUnlock, guard), footprint);
    give_nothing()
}

fn guard_abort(_: &mut Machine, s: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    let guard = call.arguments[0].as_known().unwrap_or(0);
    let object = of(s, guard);
    (object.once, object.owner) = (Once::New, None);
    give_nothing()
}

pub const MODELS: &[Row] = &[
    (&["pthread_once"], once),
    (&["__cxa_guard_acquire"], guard_acquire),
    (&["__cxa_guard_release"], guard_release),
    (&["__cxa_guard_abort"], guard_abort),
];
