//! What of two runs differs, in rows: from the operations of the smallest difference to the events that they are.

use crate::run::Drawn;
use serde_json::{Value, json};

/// `side`: `failing` or `alternate`.
pub fn of(explanation: &Value, side: &str, drawn: &Drawn) -> Value {
    let row = |name: &Value| {
        let event = &explanation["dsp_events"][side][name.as_str()?];
        let thread = u16::try_from(event["thread"].as_u64()?).ok()?;
        drawn.rows.get(&(thread, event["count"].as_u64()?)).copied()
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let rows: Vec<usize> = list(&explanation["dsp"]["operations"]).iter().filter_map(row).collect();
    let edges = |kind: &str| -> Vec<Value> {
        list(&explanation["dsp"][side])
            .iter()
            .filter(|edge| edge["kind"] == kind)
            .filter_map(|edge| {
                // Nobody wrote it: the value that was there from the beginning.
                let from = row(&edge["from"]).map_or(-1, |from| from as i64);
                Some(json!([from, row(&edge["to"])?, edge["location"]]))
            })
            .collect()
    };
    json!({ "rows": rows, "flows": edges("data-flow"), "switches": edges("schedule") })
}
