//! YAML, format 2.x: segments of waypoints.

use super::{Guide, Raw, Told, WitnessError, numbered, words};
use saphyr_parser::{Event, Parser};

/// A part of the document, with its line.
struct Part {
    line: usize,
    is: Is,
}

enum Is {
    Text(String),
    List(Vec<Part>),
    Map(Vec<(String, Part)>),
}

/// Deeper documents are no witnesses.
const DEPTH: usize = 32;

impl Part {
    fn get(&self, key: &str) -> Option<&Part> {
        match &self.is {
            Is::Map(map) => map.iter().find(|(known, _)| known == key).map(|(_, part)| part),
            _ => None,
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        match &self.get(key)?.is {
            Is::Text(text) => Some(text),
            _ => None,
        }
    }

    fn need(&self, key: &str) -> Result<&Part, WitnessError> {
        self.get(key).ok_or_else(|| WitnessError::new(self.line, format!("`{key}` is missing")))
    }

    fn list(&self) -> Result<&[Part], WitnessError> {
        match &self.is {
            Is::List(list) => Ok(list),
            _ => Err(WitnessError::new(self.line, "this should be a list")),
        }
    }
}

/// What is open while the document is read.
struct Open {
    part: Part,
    /// Of a map: the key whose value comes next.
    key: Option<String>,
}

fn parse(text: &str) -> Result<Part, WitnessError> {
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| WitnessError::new(error.marker().line(), error.info()))?;
        let line = span.start.line();
        let begin = |is: Is| Open { part: Part { line, is }, key: None };
        let done = match event {
            Event::Scalar(text, ..) => Part { line, is: Is::Text(text.into_owned()) },
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= DEPTH => {
                return Err(WitnessError::new(line, "this is nested too deep for a witness"));
            }
            Event::SequenceStart(..) => {
                open.push(begin(Is::List(Vec::new())));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(begin(Is::Map(Vec::new())));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(done) => done.part,
                None => continue,
            },
            Event::Alias(_) => return Err(WitnessError::new(line, "a witness has no aliases")),
            _ => continue,
        };
        let Some(around) = open.last_mut() else { return Ok(done) };
        match (&mut around.part.is, around.key.take(), done.is) {
            (Is::List(list), _, is) => list.push(Part { line: done.line, is }),
            (Is::Map(map), Some(key), is) => map.push((key, Part { line: done.line, is })),
            (Is::Map(_), None, Is::Text(key)) => around.key = Some(key),
            _ => return Err(WitnessError::new(done.line, "a key should be a word")),
        }
    }
    Err(WitnessError::new(1, "the file is empty"))
}

pub fn read(text: &str) -> Result<Guide, WitnessError> {
    let document = parse(text)?;
    let entries = document.list()?;
    let is = |entry: &&Part| entry.text("entry_type") == Some("violation_sequence");
    let Some(entry) = entries.iter().find(is) else {
        return Err(WitnessError::new(document.line, "no entry is a violation_sequence"));
    };
    let mut steps = Vec::new();
    for segment in entry.need("content")?.list()? {
        for point in segment.need("segment")?.list()? {
            steps.extend(step(point.need("waypoint")?)?);
        }
    }
    let task = entry.get("metadata").and_then(|metadata| metadata.get("task"));
    let specification = task.and_then(|task| task.text("specification")).unwrap_or_default();
    Ok(Guide { hints: numbered(steps, Some("0")), specification: specification.to_string() })
}

/// What a waypoint tells; `None`: it is one to keep away from.
fn step(point: &Part) -> Result<Option<Raw>, WitnessError> {
    if point.text("action") == Some("avoid") {
        return Ok(None);
    }
    let location = point.need("location")?;
    let line = location.need("line")?;
    let number = match &line.is {
        Is::Text(text) => text.parse::<u32>().ok(),
        _ => None,
    };
    let number =
        number.ok_or_else(|| WitnessError::new(line.line, "this is not the number of a line"))?;
    let assumed = point.get("constraint").and_then(|it| it.text("value")).unwrap_or_default();
    let returns = point.text("type") == Some("function_return");
    let value = match words::equalities(assumed)[..] {
        [(_, value)] if returns => Some(Told::Returned(value)),
        // It is said before the statement: what came in came in before.
        _ => None,
    };
    Ok(Some(Raw {
        thread: point.text("thread_id").map(str::to_string),
        creates: None,
        file: location.text("file_name").unwrap_or_default().to_string(),
        line: number,
        value,
    }))
}

#[cfg(test)]
pub mod tests {
    use crate::foreign::{Told, read};

    pub const WAYPOINTS: &str = r#"- entry_type: violation_sequence
  metadata: {format_version: "2.2", task: {specification: "CHECK( init(main()), LTL(G ! overflow) )"}}
  content:
    - segment:
        - waypoint: {type: assumption, action: avoid, location: {file_name: a.c, line: 3}}
        - waypoint:
            type: function_return
            action: follow
            thread_id: 2
            constraint: {format: acsl_expression, value: "\\result == 4"}
            location: {file_name: "./x/a.c", line: 7, column: 3}
    - segment:
        - waypoint:
            type: target
            action: follow
            location: {file_name: a.c, line: 8}
"#;

    #[test]
    fn waypoints_of_another_tool() {
        let guide = read(WAYPOINTS.as_bytes()).unwrap();
        assert!(guide.specification.contains("overflow"));
        let [input, target] = &guide.hints[..] else { panic!("{guide:?}") };
        assert_eq!((input.thread, &*input.file, input.line), (Some(2), "a.c", 7));
        assert_eq!(input.value, Some(Told::Returned(4)));
        assert_eq!((target.thread, target.line), (None, 8));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong =
            |from: &str, to: &str| read(WAYPOINTS.replace(from, to).as_bytes()).unwrap_err();
        assert_eq!(wrong("line: 7", "line: seven").line, 11);
        assert_eq!(wrong("violation_sequence", "invariant_set").line, 1);
        assert_eq!(wrong("            location: {file_name: a.c, line: 8}\n", "").line, 14);
        assert_eq!(wrong("{format: acsl", "{{{format: acsl").line, 11);
        let deep =
            |levels: usize| read(format!("- {}", "[".repeat(levels)).as_bytes()).unwrap_err();
        assert!(deep(100).why.contains("deep"));
        assert_eq!(deep(1_000_000).line, 1);
    }
}
