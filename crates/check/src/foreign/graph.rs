//! GraphML, format 1.0: a graph whose way from the entry to the violation is the run. Other ways lead to sinks.

use super::{Guide, Raw, Told, WitnessError, numbered, words};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::{HashMap, VecDeque};

/// An edge of the graph: where it leads, and its number.
type Ways<'t> = HashMap<&'t str, Vec<(&'t str, usize)>>;

pub fn read(text: &str) -> Result<Guide, WitnessError> {
    let options = ParsingOptions { nodes_limit: 1 << 24, ..ParsingOptions::default() };
    let parsed = Document::parse_with_options(text, options);
    let document =
        parsed.map_err(|error| WitnessError::new(error.pos().row as usize, error.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(WitnessError::new(line(&root), "the root is not <graphml>"));
    }
    let keys = keys(&root);
    let graph = root.children().find(|node| node.tag_name().name() == "graph");
    let graph = graph.ok_or_else(|| WitnessError::new(line(&root), "there is no <graph>"))?;
    if let Some((kind, at)) = data(&graph, &keys, "witness-type")
        && kind != "violation_witness"
    {
        let why = format!("this is a {kind}, and no violation_witness");
        return Err(WitnessError::new(line(&at), why));
    }
    let edges = path(&graph, &keys)?;
    let mut steps = Vec::new();
    for edge in edges {
        steps.extend(step(&edge, &keys)?);
    }
    let specification = data(&graph, &keys, "specification").map_or("", |(text, _)| text);
    Ok(Guide { hints: numbered(steps, None), specification: specification.to_string() })
}

/// The line of the file on which it begins.
fn line(node: &Node) -> usize {
    node.document().text_pos_at(node.range().start).row as usize
}

/// What the ids of `<key>` stand for; an id that has none stands for itself.
fn keys<'t>(root: &Node<'t, 't>) -> HashMap<&'t str, &'t str> {
    let keys = root.children().filter(|node| node.tag_name().name() == "key");
    keys.filter_map(|key| Some((key.attribute("id")?, key.attribute("attr.name")?))).collect()
}

/// What the element says under this name, and where.
fn data<'t>(
    of: &Node<'t, 't>,
    keys: &HashMap<&str, &str>,
    name: &str,
) -> Option<(&'t str, Node<'t, 't>)> {
    let mut all = of.children().filter(|node| node.tag_name().name() == "data");
    let found = all.find(|node| {
        let key = node.attribute("key").unwrap_or_default();
        keys.get(key).copied().unwrap_or(key) == name
    })?;
    Some((found.text().unwrap_or_default().trim(), found))
}

/// The shortest way from the entry to a violation.
fn path<'t>(
    graph: &Node<'t, 't>,
    keys: &HashMap<&str, &str>,
) -> Result<Vec<Node<'t, 't>>, WitnessError> {
    let named =
        |name: &'static str| graph.children().filter(move |node| node.tag_name().name() == name);
    let is = |node: &Node<'t, 't>, name: &str| {
        data(node, keys, name).is_some_and(|(text, _)| text == "true")
    };
    let id = |node: Node<'t, 't>, name: &str| {
        let missing = || WitnessError::new(line(&node), format!("`{name}` is missing"));
        node.attribute(name).ok_or_else(missing)
    };
    let entry = named("node").find(|node| is(node, "entry"));
    let entry = entry.ok_or_else(|| WitnessError::new(line(graph), "no node is the entry"))?;
    let mut violations = Vec::new();
    for node in named("node").filter(|node| is(node, "violation")) {
        violations.push(id(node, "id")?);
    }
    let edges: Vec<Node> = named("edge").collect();
    let mut ways: Ways = HashMap::new();
    for (number, edge) in edges.iter().enumerate() {
        let (source, target) = (id(*edge, "source")?, id(*edge, "target")?);
        ways.entry(source).or_default().push((target, number));
    }
    // How each node was reached first.
    let mut by: HashMap<&str, Option<(usize, &str)>> = HashMap::new();
    let begin = id(entry, "id")?;
    by.insert(begin, None);
    let mut open = VecDeque::from([begin]);
    while let Some(node) = open.pop_front() {
        if violations.contains(&node) {
            let mut path = Vec::new();
            let mut at = node;
            while let Some(Some((edge, before))) = by.get(at) {
                path.push(edges[*edge]);
                at = *before;
            }
            path.reverse();
            return Ok(path);
        }
        for (target, edge) in ways.get(node).into_iter().flatten() {
            if !by.contains_key(target) {
                by.insert(*target, Some((*edge, node)));
                open.push_back(*target);
            }
        }
    }
    Err(WitnessError::new(line(graph), "no way leads from the entry to a violation"))
}

/// What one edge tells; `None`: nothing that has a line.
fn step(edge: &Node, keys: &HashMap<&str, &str>) -> Result<Option<Raw>, WitnessError> {
    let text = |name: &str| data(edge, keys, name).map(|(text, _)| text.to_string());
    let number = match data(edge, keys, "startline") {
        Some((text, at)) => match text.parse::<u32>() {
            Ok(number) => number,
            Err(_) => {
                let why = format!("`{text}` is not the number of a line");
                return Err(WitnessError::new(line(&at), why));
            }
        },
        // Without a line it may still create a thread.
        None => 0,
    };
    let creates = text("createThread");
    if number == 0 && creates.is_none() {
        return Ok(None);
    }
    let assumed = text("assumption").unwrap_or_default();
    let value = match words::equalities(&assumed)[..] {
        [("\\result", value)] => Some(Told::Returned(value)),
        [(_, value)] => Some(Told::Holds(value)),
        _ => None,
    };
    let file = text("originfile").or_else(|| text("originFileName")).unwrap_or_default();
    Ok(Some(Raw { thread: text("threadId"), creates, file, line: number, value }))
}

#[cfg(test)]
pub mod tests {
    use crate::foreign::{Told, read};

    /// As tools other than ours write it: ids of keys that are not their names, a sink, every statement.
    pub const GRAPH: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="k0" attr.name="startline" for="edge"/><key id="k1" attr.name="threadId" for="edge"/>
 <key id="k2" attr.name="createThread" for="edge"/><key id="k3" attr.name="assumption" for="edge"/>
 <graph edgedefault="directed">
  <data key="witness-type">violation_witness</data>
  <node id="A"><data key="entry">true</data></node>
  <node id="sink"><data key="sink">true</data></node>
  <node id="B"/><node id="C"><data key="violation">true</data></node>
  <edge source="A" target="sink"><data key="k0">3</data></edge>
  <edge source="A" target="B"><data key="k0">4</data><data key="k1">0</data><data key="k2">1</data></edge>
  <edge source="B" target="C">
   <data key="k0">9</data><data key="k1">1</data><data key="k3">x == (-5);</data>
  </edge>
 </graph>
</graphml>"#;

    #[test]
    fn a_graph_of_another_tool() {
        let guide = read(GRAPH.as_bytes()).unwrap();
        let told: Vec<_> = guide.hints.iter().map(|hint| (hint.thread, hint.line)).collect();
        assert_eq!(told, [(Some(0), 4), (Some(1), 9)]);
        assert_eq!(guide.hints[1].value, Some(Told::Holds(-5)));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong = |from: &str, to: &str| read(GRAPH.replace(from, to).as_bytes()).unwrap_err();
        let error = wrong(">9<", ">nine<");
        assert_eq!((error.line, error.why.contains("nine")), (13, true), "{error}");
        assert_eq!(wrong("violation_witness", "correctness_witness").line, 6);
        assert_eq!(wrong("source=\"B\"", "").line, 12);
        assert_eq!(wrong("violation\">true", "violation\">false").line, 5);
        assert_eq!(wrong("</graph>", "").line, 16);
    }
}
