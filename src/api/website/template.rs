//! The website's page with its first content at one address. It has a title, HTML, API responses, and
//! links to the files that the browser will need.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;

use super::pages;

/// The head and first content of a page, before any script runs.
pub(in crate::api) struct HtmlHead {
    /// The title for the browser and for search engines.
    pub title: String,
    /// The description for search engines.
    pub description: String,
    /// The page's first content as HTML, which the website's script replaces. `None` if the page starts
    /// empty.
    pub words: Option<String>,
    /// The content for browsers without scripts, as HTML.
    pub without_script: String,
    /// API responses by their addresses, and other data that the website's first page would request.
    pub data: Value,
}

/// The page from the website's build, and the files that each of its parts needs.
pub(super) struct Template {
    page: String,
    parts: BTreeMap<String, TemplatePart>,
}

/// A part of the website as its build lists it (`dist/parts.json`).
#[derive(Deserialize)]
struct TemplatePart {
    file: String,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    css: Vec<String>,
}

impl Template {
    /// Creates a template from the page and the build's list of parts. A build without the website has a
    /// placeholder page and no list.
    pub(super) fn new(page: &[u8], manifest: Option<&[u8]>) -> Self {
        let parts = manifest.and_then(|manifest| serde_json::from_slice(manifest).ok());
        Self {
            page: String::from_utf8_lossy(page).into_owned(),
            parts: parts.unwrap_or_default(),
        }
    }

    /// Returns the page for the addresses of `pattern`, with `beginning` in it.
    pub(super) fn fill(&self, pattern: &str, beginning: &HtmlHead) -> Vec<u8> {
        let HtmlHead {
            title,
            description,
            words,
            without_script,
            data,
        } = beginning;
        let mut page = self.page.clone();
        put_between(&mut page, "<title>", "</title>", &escaped(title));
        let is_description = ("name=\"description\"", "content=\"");
        if let Some(index) = page.find(is_description.0) {
            let rest = page.split_off(index);
            let mut rest = rest;
            put_between(&mut rest, is_description.1, "\"", &escaped(description));
            page += &rest;
        }
        put_before(&mut page, "</head>", &self.needed(pattern));
        put_between(&mut page, "<noscript>", "</noscript>", without_script);
        let root = format!(
            "<div id=\"root\">{}</div>\n    <script type=\"application/json\" id=\"beginning\">{}</script>",
            words.as_deref().unwrap_or_default(),
            as_data(data),
        );
        page.replacen("<div id=\"root\"></div>", &root, 1)
            .into_bytes()
    }

    /// Returns links to the files that a page needs and that the template does not link yet.
    fn needed(&self, pattern: &str) -> String {
        let source = pages::source(pattern);
        let mut sources: Vec<&str> = source.as_deref().into_iter().collect();
        let mut seen = BTreeSet::new();
        let (mut scripts, mut styles) = (Vec::new(), Vec::new());
        while let Some(name) = sources.pop() {
            let Some(part) = self.parts.get(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            scripts.push(&part.file);
            styles.extend(&part.css);
            sources.extend(part.imports.iter().map(String::as_str));
        }
        let mut links = String::new();
        // Styles come first, because the browser paints nothing before they are loaded.
        let styles = styles.into_iter().map(|file| ("stylesheet", file));
        let scripts = scripts.into_iter().map(|file| ("modulepreload", file));
        let mut linked = BTreeSet::new();
        for (kind, file) in styles.chain(scripts) {
            let is_there = self.page.contains(&format!("/{file}\""));
            if !is_there && linked.insert(file) {
                let _ = writeln!(
                    links,
                    "    <link rel=\"{kind}\" crossorigin href=\"/{file}\">"
                );
            }
        }
        links
    }
}

/// Formats JSON for a script element. Without `<`, the JSON cannot end the element or begin a comment.
fn as_data(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Replaces the text between the first two marks. Does not change a page without the marks.
fn put_between(page: &mut String, before: &str, after: &str, text: &str) {
    let Some(start) = page.find(before).map(|index| index + before.len()) else {
        return;
    };
    let end = page.get(start..).and_then(|rest| rest.find(after));
    if let Some(end) = end {
        page.replace_range(start..start + end, text);
    }
}

fn put_before(page: &mut String, mark: &str, text: &str) {
    if let Some(index) = page.find(mark) {
        page.insert_str(index, text);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    const PAGE: &str = "<head><title>x</title><meta\n name=\"description\"\n content=\"x\" />\
        <script src=\"/assets/start.js\"></script></head><body><div id=\"root\"></div>\
        <noscript>x</noscript></body>";

    fn manifest() -> Vec<u8> {
        let manifest = json!({
            "src/pages/Home.tsx": { "file": "assets/Home.js", "imports": ["_quote.js", "index.html"], "css": ["assets/Home.css"] },
            "_quote.js": { "file": "assets/quote.js", "imports": ["index.html", "_quote.js"], "css": ["assets/quote.css", "assets/Home.css"] },
            "index.html": { "file": "assets/start.js", "isEntry": true },
        });
        manifest.to_string().into_bytes()
    }

    fn html_head() -> HtmlHead {
        HtmlHead {
            title: "Cover <for> \"you\" & me".to_string(),
            description: "\"Quoted\"".to_string(),
            words: Some("<h1>Here</h1>".to_string()),
            without_script: "Call us".to_string(),
            data: json!({ "brand": "</script><!--<script>" }),
        }
    }

    #[test]
    fn a_page_names_what_it_needs_once() {
        let manifest = manifest();
        let template = Template::new(PAGE.as_bytes(), Some(&manifest));
        let page = String::from_utf8(template.fill("/", &html_head())).unwrap();
        for (link, times) in [
            (
                "rel=\"modulepreload\" crossorigin href=\"/assets/Home.js\"",
                1,
            ),
            (
                "rel=\"modulepreload\" crossorigin href=\"/assets/quote.js\"",
                1,
            ),
            (
                "rel=\"stylesheet\" crossorigin href=\"/assets/Home.css\"",
                1,
            ),
            (
                "rel=\"stylesheet\" crossorigin href=\"/assets/quote.css\"",
                1,
            ),
            ("/assets/start.js", 1),
        ] {
            assert_eq!(page.matches(link).count(), times, "{link} in {page}");
        }
        let other = String::from_utf8(template.fill("/dashboard", &html_head())).unwrap();
        assert!(!other.contains("Home"), "{other}");
    }

    #[test]
    fn nothing_that_is_said_becomes_a_part_of_the_page() {
        let template = Template::new(PAGE.as_bytes(), None);
        let page = String::from_utf8(template.fill("/", &html_head())).unwrap();
        assert!(
            page.contains("<title>Cover &lt;for&gt; &quot;you&quot; &amp; me</title>"),
            "{page}"
        );
        assert!(page.contains("content=\"&quot;Quoted&quot;\""), "{page}");
        assert!(
            page.contains("<div id=\"root\"><h1>Here</h1></div>"),
            "{page}"
        );
        assert!(page.contains("<noscript>Call us</noscript>"), "{page}");
        let (_, data) = page.split_once("id=\"beginning\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let read: Value = serde_json::from_str(data).unwrap();
        assert_eq!(read, html_head().data);
    }

    #[test]
    fn a_page_that_is_not_the_websites_stays_as_it_is() {
        let template = Template::new(b"<h1>The website is not in this build</h1>", None);
        let page = template.fill("/", &html_head());
        assert_eq!(page, b"<h1>The website is not in this build</h1>");
    }

    #[test]
    fn every_page_begins_in_a_file_of_the_websites_router() {
        let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
        let router = std::fs::read_to_string(ui.join("src/router.tsx")).unwrap();
        for (page, file) in pages::PAGES {
            assert!(ui.join("src/pages").join(file).is_file(), "{page}: {file}");
            let imported = format!("import('./pages/{}')", file.trim_end_matches(".tsx"));
            assert!(router.contains(&imported), "{page}: {imported}");
        }
    }
}
