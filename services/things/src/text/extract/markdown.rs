//! Markdown: kept as it is written, since that reads well; only its title is looked for.

use stoa_documents::decode::decode;

use super::Extracted;

pub(super) fn extract(bytes: &[u8]) -> Extracted {
    let text = decode(bytes).text.into_owned();
    Extracted { title: title(&text), text, engine: "markdown" }
}

/// The `title` of the front matter, else the first heading.
fn title(text: &str) -> Option<String> {
    let (front, body) = split_front_matter(text);
    front.lines().find_map(front_title).or_else(|| first_heading(body)).map(str::to_owned)
}

/// The lines between `---` and `---` (YAML) or `+++` and `+++` (TOML) at the very beginning, and what
/// follows them.
fn split_front_matter(text: &str) -> (&str, &str) {
    for fence in ["---", "+++"] {
        let inside = text.strip_prefix(fence).filter(|rest| rest.starts_with(['\n', '\r']));
        if let Some(parts) = inside.and_then(|inside| inside.split_once(&format!("\n{fence}"))) {
            return parts;
        }
    }
    ("", text)
}

fn front_title(line: &str) -> Option<&str> {
    let value = line.strip_prefix("title")?.trim_start().strip_prefix([':', '='])?.trim();
    let unquoted = value.trim_matches(['"', '\'']).trim();
    (!unquoted.is_empty()).then_some(unquoted)
}

/// The first heading outside fenced code: `# so`, or a line underlined with `===` (`CommonMark` 4.2, 4.3).
fn first_heading(text: &str) -> Option<&str> {
    let mut fence = None;
    let mut previous = "";
    for line in text.lines().map(str::trim) {
        match (fence, fence_of(line)) {
            (None, Some(opened)) => fence = Some(opened),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => {
                if let Some(heading) = atx_heading(line) {
                    return Some(heading);
                }
                if is_underline(line) && !previous.is_empty() {
                    return Some(previous);
                }
            }
            _ => {}
        }
        previous = line;
    }
    None
}

fn fence_of(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence))
}

fn atx_heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    if !(1..=6).contains(&level) || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let heading = rest.trim().trim_end_matches('#').trim_end();
    (!heading.is_empty()).then_some(heading)
}

fn is_underline(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte == b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title_of(text: &str) -> Option<String> {
        extract(text.as_bytes()).title
    }

    #[test]
    fn the_text_is_kept_as_it_is() {
        assert_eq!(extract(b"# A\n\n*b*").text, "# A\n\n*b*");
    }

    #[test]
    fn the_first_heading_is_the_title() {
        assert_eq!(title_of("words\n\n## Second level ##\n# First").as_deref(), Some("Second level"));
        assert_eq!(title_of("Underlined\n=====\n").as_deref(), Some("Underlined"));
        assert_eq!(title_of("#hashtag\n====").as_deref(), Some("#hashtag"));
        assert_eq!(title_of("no heading"), None);
        assert_eq!(title_of("====\n\n===="), None);
    }

    #[test]
    fn headings_in_fenced_code_are_none() {
        assert_eq!(title_of("```sh\n# comment\n~~~\n# more\n```\n# Real").as_deref(), Some("Real"));
    }

    #[test]
    fn the_front_matter_comes_first() {
        assert_eq!(
            title_of("---\ntags: x\ntitle: \"Named: here\"\n---\n# Other").as_deref(),
            Some("Named: here")
        );
        assert_eq!(title_of("+++\ntitle = 'Named'\n+++\n").as_deref(), Some("Named"));
        assert_eq!(title_of("---\ntags: x\n---\n# Heading").as_deref(), Some("Heading"));
        assert_eq!(title_of("---\n# Heading").as_deref(), Some("Heading"));
    }
}
