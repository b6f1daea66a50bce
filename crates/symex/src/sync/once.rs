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

pub const MODELS: &[(&str, Model)] = &[("pthread_once", once)];
