//! Reads `[documents]`: what the product's documents say, here or in a file beside.

use toml::de::DeTable;

use super::reader::{FileReader, Node, Section};
use crate::domain::product::texts::{self, FACTS, IPID_HEADINGS, Part, Point, Texts};

/// What the name of a file of documents ends with.
pub(crate) const FILE_ENDS: &str = ".documents.toml";

/// The file that `[documents]` names, and its text.
pub(super) type Beside = (String, String);

/// Reads the section; `beside` finds the text of a file of that name.
pub(super) fn read(
    source: &FileReader,
    section: Section,
    beside: &dyn Fn(&str) -> Option<String>,
) -> (Texts, Option<Beside>) {
    if !section.has("file") {
        let texts = contents(source, &section);
        section.done();
        return (texts, None);
    }
    let name = section.need_text("file");
    let line = section.line;
    section.done();
    if !name.ends_with(FILE_ENDS) || name.contains(['/', '\\']) {
        source.report(
            line,
            format!("`file` is a name that ends with `{FILE_ENDS}`"),
        );
        return (Texts::default(), None);
    }
    let Some(text) = beside(&name) else {
        source.report(
            line,
            format!("there is no file `{name}` beside this one: put it there too"),
        );
        return (Texts::default(), None);
    };
    let own = FileReader::new(&name, &text);
    let (document, errors) = DeTable::parse_recoverable(&text);
    for error in errors {
        let line = own.line_at(error.span().map_or(0, |span| span.start));
        own.report(line, format!("this isn't TOML: {}", error.message()));
    }
    let mut texts = Texts::default();
    if own.is_clean() {
        let root = Section::root(&own, document.get_ref());
        texts = contents(&own, &root);
        root.done();
    }
    source.adopt(own.into_mistakes());
    drop(document);
    (texts, Some((name, text)))
}

fn contents(source: &FileReader, section: &Section) -> Texts {
    let mut read = Texts::default();
    if let Some(ipid) = section.need_section("ipid") {
        for (list, (key, _)) in read.ipid.iter_mut().zip(IPID_HEADINGS) {
            *list = points(source, &ipid, key);
            if list.is_empty() {
                ipid.report_at(key, format!("`{key}` needs at least one sentence"));
            }
        }
        ipid.done();
    }
    read.wording = section
        .sections("wording")
        .into_iter()
        .map(|inner| part_of(source, inner))
        .collect();
    if read.wording.is_empty() {
        section.report("the wording needs at least one `[[wording]]`");
    }
    read
}

fn points(source: &FileReader, section: &Section, key: &'static str) -> Vec<Point> {
    let what = format!("`{key}`");
    let items = section
        .node(key)
        .map_or_else(Vec::new, |node| node.items(&what));
    let point = |node: Node| {
        if !node.is_table() {
            return Some(Point::new(known(source, node.line, node.text(&what)?)));
        }
        let inner = node.section(&what)?;
        let point = Point {
            text: known(source, inner.line, inner.need_text("text")),
            only: inner
                .text("only")
                .map(|text| known(source, inner.line, text)),
            option: inner.flag("option", false),
        };
        if point.option && key != "insured" {
            inner.report_at("option", "only what is insured can be an `option`");
        }
        inner.done();
        Some(point)
    };
    items.into_iter().filter_map(point).collect()
}

fn part_of(source: &FileReader, section: Section) -> texts::Section {
    let title = known(source, section.line, section.need_text("title"));
    let items = section
        .node("body")
        .map_or_else(Vec::new, |node| node.items("`body`"));
    if items.is_empty() {
        section.report("a section needs something in `body`");
    }
    section.done();
    texts::Section {
        title,
        parts: items
            .into_iter()
            .filter_map(|node| part(source, node))
            .collect(),
    }
}

fn part(source: &FileReader, node: Node) -> Option<Part> {
    let line = node.line;
    let check = |text: String| known(source, line, text);
    if !node.is_table() {
        return Some(Part::Text(check(node.text("a paragraph of `body`")?)));
    }
    let inner = node.section("a part of `body`")?;
    let part = if inner.has("heading") {
        Some(Part::Heading(check(inner.need_text("heading"))))
    } else if inner.has("list") {
        Some(Part::List(
            inner.texts("list").into_iter().map(check).collect(),
        ))
    } else if inner.has("terms") {
        let terms = inner.sections("terms").into_iter().map(|term| {
            let read = (
                check(term.need_text("term")),
                check(term.need_text("means")),
            );
            term.done();
            read
        });
        Some(Part::Terms(terms.collect()))
    } else {
        inner.report("a part of `body` is a text, or has `heading`, `list` or `terms`");
        None
    };
    if part.is_some() {
        inner.done();
    }
    part
}

/// The text, after reporting what stands in braces and isn't known.
fn known(source: &FileReader, line: usize, text: String) -> String {
    let mut rest = text.as_str();
    while let Some((_, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        if !FACTS.contains(&name) {
            let facts = FACTS.join("`, `");
            source.report(
                line,
                format!("`{{{name}}}` is not known here; known: `{facts}`"),
            );
        }
        rest = after;
    }
    text
}
