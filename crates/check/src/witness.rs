//! Witnesses for other tools, as text: YAML (format 2.2: waypoints with thread ids) and GraphML (format 1.0).
//!
//! A violation witness is the run's visible steps in their order, the values that came from outside, and the target. A
//! correctness witness says only that there are no invariants to tell: the proof is an exhaustive search.

use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Yaml,
    GraphMl,
}

/// Where something is, as a witness says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

/// One step of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub thread: usize,
    pub spot: Spot,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The thread does something that others could notice.
    Visible,
    /// A function without a body returns this.
    Input {
        function: String,
        value: String,
    },
    Creates {
        thread: usize,
    },
}

/// What is common to all witnesses.
#[derive(Clone, Debug)]
pub struct Task {
    pub files: Vec<String>,
    /// SHA-256 of each.
    pub hashes: Vec<String>,
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: &'static str,
    pub version: String,
    /// ISO 8601.
    pub time: String,
    pub uuid: String,
}

/// A violation: the steps that lead to it, and where it happens. A race has two places.
#[derive(Clone, Debug)]
pub struct Violation {
    pub steps: Vec<Step>,
    pub targets: Vec<(usize, Spot)>,
}

pub fn violation(format: Format, task: &Task, violation: &Violation) -> String {
    match format {
        Format::Yaml => violation_yaml(task, violation),
        Format::GraphMl => violation_graph(task, violation),
    }
}

pub fn correctness(format: Format, task: &Task) -> String {
    match format {
        Format::Yaml => format!("{}  content: []\n", head(task, "invariant_set", "2.0")),
        Format::GraphMl => {
            let mut text = graph_head(task, "correctness_witness");
            text.push_str(
                "    <node id=\"N0\">\n      <data key=\"entry\">true</data>\n    </node>\n",
            );
            text + "  </graph>\n</graphml>\n"
        }
    }
}

/// A YAML scalar in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

fn head(task: &Task, kind: &str, version: &str) -> String {
    let Task { data_model, uuid, time, .. } = task;
    let mut text = format!(
        "- entry_type: {kind:?}\n  metadata:\n    format_version: {version:?}\n    uuid: {uuid:?}\n    \
         creation_time: {time:?}\n    producer:\n      name: \"Unpick\"\n      version: {}\n    task:\n      \
         input_files:\n",
        quoted(&task.version)
    );
    for file in &task.files {
        let _ = writeln!(text, "        - {}", quoted(file));
    }
    text.push_str("      input_file_hashes:\n");
    for (file, hash) in task.files.iter().zip(&task.hashes) {
        let _ = writeln!(text, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(text, "      specification: {}", quoted(&task.specification));
    let _ = writeln!(text, "      data_model: {data_model:?}\n      language: \"C\"");
    text
}

/// The format wants a statement's first column, or the bracket that closes a call. Of a statement only the line is
/// known, which is enough: then it is the first that fits.
fn waypoint(kind: &str, thread: usize, spot: &Spot, constraint: Option<(&str, &str)>) -> String {
    let mut text = format!(
        "        - waypoint:\n            type: {kind:?}\n            action: \"follow\"\n            thread_id: {thread}\n"
    );
    if let Some((format, value)) = constraint {
        let value = quoted(value);
        let _ = writeln!(
            text,
            "            constraint:\n              format: {format:?}\n              value: {value}"
        );
    }
    let _ = write!(
        text,
        "            location:\n              file_name: {}\n              line: {}\n",
        quoted(&spot.file),
        spot.line
    );
    if spot.column > 0 && kind == "function_return" {
        let _ = writeln!(text, "              column: {}", spot.column);
    }
    if !spot.function.is_empty() {
        let _ = writeln!(text, "              function: {}", quoted(&spot.function));
    }
    text
}

fn violation_yaml(task: &Task, violation: &Violation) -> String {
    let mut text = head(task, "violation_sequence", "2.2");
    text.push_str("  content:\n");
    for step in &violation.steps {
        text.push_str("    - segment:\n");
        let Step { thread, spot, what } = step;
        text.push_str(&match what {
            What::Visible | What::Creates { .. } => {
                waypoint("assumption", *thread, spot, Some(("c_expression", "1")))
            }
            What::Input { value, .. } => {
                let constraint = format!("\\result == {value}");
                waypoint("function_return", *thread, spot, Some(("acsl_expression", &constraint)))
            }
        });
    }
    text.push_str("    - segment:\n");
    for (thread, spot) in &violation.targets {
        text.push_str(&waypoint("target", *thread, spot, None));
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn graph_head(task: &Task, kind: &str) -> String {
    const KEYS: &[(&str, &str, &str)] = &[
        ("witness-type", "string", "graph"),
        ("sourcecodelang", "string", "graph"),
        ("producer", "string", "graph"),
        ("specification", "string", "graph"),
        ("programfile", "string", "graph"),
        ("programhash", "string", "graph"),
        ("architecture", "string", "graph"),
        ("creationtime", "string", "graph"),
        ("entry", "boolean", "node"),
        ("violation", "boolean", "node"),
        ("startline", "int", "edge"),
        ("threadId", "int", "edge"),
        ("createThread", "int", "edge"),
        ("enterFunction", "string", "edge"),
        ("assumption", "string", "edge"),
        ("assumption.scope", "string", "edge"),
        ("assumption.resultfunction", "string", "edge"),
    ];
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, kind, of) in KEYS {
        let _ = writeln!(
            text,
            "  <key attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{of}\" id=\"{name}\"/>"
        );
    }
    text.push_str("  <graph edgedefault=\"directed\">\n");
    let architecture = if task.data_model == "LP64" { "64bit" } else { "32bit" };
    let first = |list: &[String]| list.first().cloned().unwrap_or_default();
    let data = [
        ("witness-type", kind.to_string()),
        ("sourcecodelang", "C".into()),
        ("producer", format!("Unpick {}", task.version)),
        ("specification", task.specification.clone()),
        ("programfile", first(&task.files)),
        ("programhash", first(&task.hashes)),
        ("architecture", architecture.into()),
        ("creationtime", task.time.clone()),
    ];
    for (key, value) in data {
        let _ = writeln!(text, "    <data key=\"{key}\">{}</data>", escaped(&value));
    }
    text
}

fn violation_graph(task: &Task, violation: &Violation) -> String {
    let mut text = graph_head(task, "violation_witness");
    text.push_str("    <node id=\"N0\">\n      <data key=\"entry\">true</data>\n    </node>\n");
    let targets = violation.targets.iter().map(|(thread, spot)| Step {
        thread: *thread,
        spot: spot.clone(),
        what: What::Visible,
    });
    let steps: Vec<Step> = violation.steps.iter().cloned().chain(targets).collect();
    for (i, step) in steps.iter().enumerate() {
        let next = i + 1;
        let _ = writeln!(text, "    <node id=\"N{next}\">");
        if next == steps.len() {
            text.push_str("      <data key=\"violation\">true</data>\n");
        }
        text.push_str("    </node>\n");
        let _ = writeln!(text, "    <edge source=\"N{i}\" target=\"N{next}\">");
        let mut data = |key: &str, value: &str| {
            let _ = writeln!(text, "      <data key=\"{key}\">{}</data>", escaped(value));
        };
        data("startline", &step.spot.line.to_string());
        data("threadId", &step.thread.to_string());
        match &step.what {
            What::Visible => {}
            What::Creates { thread } => data("createThread", &thread.to_string()),
            What::Input { function, value } => {
                data("assumption", &format!("\\result == ({value});"));
                data("assumption.resultfunction", function);
            }
        }
        text.push_str("    </edge>\n");
    }
    text + "  </graph>\n</graphml>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task {
            files: vec!["a \"b\".c".into()],
            hashes: vec!["00".into()],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: "LP64",
            version: "1".into(),
            time: "2026-01-01T00:00:00Z".into(),
            uuid: "0".into(),
        }
    }

    fn spot(line: u32) -> Spot {
        Spot { file: "a.c".into(), line, column: 3, function: "main".into() }
    }

    #[test]
    fn a_violation_has_its_inputs_threads_and_target() {
        let input = What::Input { function: "__VERIFIER_nondet_int".into(), value: "-7".into() };
        let steps = vec![
            Step { thread: 0, spot: spot(4), what: input },
            Step { thread: 1, spot: spot(9), what: What::Visible },
        ];
        let violation = Violation { steps, targets: vec![(1, spot(10))] };
        let yaml = super::violation(Format::Yaml, &task(), &violation);
        assert_eq!(yaml.matches("- segment:").count(), 3);
        assert!(yaml.contains("format_version: \"2.2\""));
        assert!(yaml.contains("value: \"\\\\result == -7\""));
        assert!(yaml.contains(
            "type: \"target\"\n            action: \"follow\"\n            thread_id: 1"
        ));
        assert!(yaml.contains("\"a \\\"b\\\".c\""));
        let graph = super::violation(Format::GraphMl, &task(), &violation);
        assert_eq!(graph.matches("<edge ").count(), 3);
        assert_eq!(graph.matches("<node ").count(), 4);
        assert!(graph.contains("<data key=\"violation\">true</data>"));
        assert!(graph.contains("LTL(G ! call(reach_error()))"));
    }

    #[test]
    fn a_proof_has_a_witness() {
        assert!(correctness(Format::Yaml, &task()).contains("entry_type: \"invariant_set\""));
        let graph = correctness(Format::GraphMl, &task());
        assert!(graph.contains("correctness_witness") && graph.contains("&quot;b&quot;"));
    }
}
