//! The frame of the page, and how text gets into it.

use serde_json::Value;

/// Text as text, between tags and in attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Would turn the direction of what follows, or is none of a page's characters.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c if c.is_control() && c != '\n' && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

/// Data for the script, inside a `script` element: nothing in it can close that.
pub fn embed(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// What the page is made of; all of it is HTML already.
pub struct Parts {
    pub title: String,
    pub before: String,
    /// The steps as a table, for paper and for browsers without scripts; `None`: there is no run to show.
    pub steps: Option<String>,
    pub after: String,
    pub data: String,
    pub style: &'static str,
    pub script: String,
}

pub fn whole(parts: &Parts) -> String {
    let Parts { title, before, steps, after, data, style, script } = parts;
    let run = match steps {
        Some(steps) => format!(
            "<section id=\"run\" aria-labelledby=\"run-title\"><h2 id=\"run-title\">How</h2>\n\
             <div id=\"stage\" hidden></div>\n<div id=\"steps\">{steps}</div></section>\n"
        ),
        None => String::new(),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{before}<main>\n{run}{after}</main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n\"use strict\";\n(() => {{\n{script}}})();\n</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_breaks_out() {
        let evil = "</script><script>alert(1)</script>&<!--";
        assert_eq!(escape("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
        assert!(!escape(evil).contains('<'));
        let embedded = embed(&json!({ evil: [evil] }));
        assert!(!embedded.contains(['<', '>', '&']));
        let back: Value = serde_json::from_str(&embedded).unwrap();
        assert_eq!(back[evil][0], evil);
    }

    #[test]
    fn control_characters_are_left_out() {
        assert_eq!(escape("a\u{1b}[31m\u{202e}b\tc\n"), "a[31mb\tc\n");
    }
}
