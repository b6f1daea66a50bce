//! What differs between a failing run and one that passes, for Graphviz: the failing run's edges in red, the other's in
//! green, data flows drawn through.

use super::{array, text};
use crate::text::clean;
use serde_json::Value;

/// `None`: the document explains nothing.
pub fn dot(document: &Value) -> Option<String> {
    let parts = [document, &document["explanation"]];
    let difference = parts.into_iter().map(|part| &part["dsp"]).find(|dsp| dsp.is_object())?;
    let mut graph = String::from("digraph difference {\n  node [shape=box];\n");
    for (number, name) in array(&difference["operations"]).enumerate() {
        let label = difference["told"][number].as_str().unwrap_or(text(name));
        graph += &format!("  {} [label={}];\n", quoted(text(name)), quoted(label));
    }
    for (run, color) in [("failing", "red"), ("alternate", "darkgreen")] {
        for edge in array(&difference[run]) {
            let style = if edge["kind"] == "data-flow" { "solid" } else { "dashed" };
            graph += &format!(
                "  {} -> {} [color={color}, style={style}, label={}];\n",
                quoted(text(&edge["from"])),
                quoted(text(&edge["to"])),
                quoted(text(&edge["location"]))
            );
        }
    }
    Some(graph + "}\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", clean(text).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn operations_and_edges() {
        let dsp = json!({
            "operations": ["R-1&a.c@3", "odd \"name\\"],
            "told": ["T1 reads x at a.c:3", "T2 \"writes\"\n"],
            "failing": [{ "kind": "data-flow", "from": "odd \"name\\", "to": "R-1&a.c@3", "location": "x" }],
            "alternate": [{ "kind": "schedule", "from": "R-1&a.c@3", "to": "odd \"name\\" }],
        });
        let expected = r#"digraph difference {
  node [shape=box];
  "R-1&a.c@3" [label="T1 reads x at a.c:3"];
  "odd \"name\\" [label="T2 \"writes\""];
  "odd \"name\\" -> "R-1&a.c@3" [color=red, style=solid, label="x"];
  "R-1&a.c@3" -> "odd \"name\\" [color=darkgreen, style=dashed, label=""];
}
"#;
        let alone = json!({ "dsp": dsp });
        assert_eq!(dot(&alone).as_deref(), Some(expected));
        assert_eq!(dot(&json!({ "explanation": alone })).as_deref(), Some(expected));
        assert_eq!(dot(&json!({ "explanation": null })), None);
    }
}
