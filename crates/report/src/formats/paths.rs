//! Paths as other tools want them: relative to a folder, or as URIs.

/// Without `.` and `..`, as far as that can be seen.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if path.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    let begin = if path.starts_with('/') { "/" } else { "" };
    format!("{begin}{}", parts.join("/"))
}

/// Of a file below the folder, its path from there; otherwise its whole path.
pub fn from_root(file: &str, root: &str) -> Result<String, String> {
    let whole = match file.starts_with('/') {
        true => normal(file),
        false => normal(&format!("{root}/{file}")),
    };
    let root = normal(root);
    let inside = whole.strip_prefix(&root).map(|rest| rest.strip_prefix('/').unwrap_or(rest));
    // `/a/bc` is not below `/a/b`.
    let below = root == "/" || whole.as_bytes().get(root.len()) == Some(&b'/');
    match inside {
        Some(inside) if below && !inside.is_empty() => Ok(inside.to_string()),
        _ => Err(whole),
    }
}

/// The path as people and annotations take it.
pub fn shown(file: &str, root: &str) -> String {
    from_root(file, root).unwrap_or_else(|whole| whole)
}

/// A path's characters that a URI must not have as they are.
pub fn encoded(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_folder_or_not() {
        let table = [
            ("/a/b/c.c", "/a/b", Ok("c.c")),
            ("/a/b/../b/d/c.c", "/a/b/", Ok("d/c.c")),
            ("c.c", "/a/b", Ok("c.c")),
            ("./d//c.c", "/a/b", Ok("d/c.c")),
            ("../c.c", "/a/b", Err("/a/c.c")),
            ("/a/bc/c.c", "/a/b", Err("/a/bc/c.c")),
            ("/a/b", "/a/b", Err("/a/b")),
            ("/../x.c", "/", Ok("x.c")),
        ];
        for (file, root, expected) in table {
            let expected = expected.map(str::to_string).map_err(str::to_string);
            assert_eq!(from_root(file, root), expected, "{file} in {root}");
        }
    }

    #[test]
    fn what_a_uri_may_not_have() {
        assert_eq!(encoded("my file/100%:ä?#.c"), "my%20file/100%25%3A%C3%A4%3F%23.c");
    }
}
