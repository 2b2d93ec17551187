//! How letters look: plain, readable on a phone and in dark mode, and with nothing to load.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::app::mail::letters::draft::Draft;
use crate::config::Site;

/// The width of plain text, in characters.
const WIDTH: usize = 72;

// Many mail programs drop style sheets: what a letter needs to be readable is in its elements, and
// the sheet only adds small screens and dark mode.
const SHEET: &str = "
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
.frame { padding: 16px 8px !important; }
.card { padding: 24px 16px !important; }
.button, .button tbody, .button tr, .button td, .button a { display: block !important; }
.button a { text-align: center !important; }
}
@media (prefers-color-scheme: dark) {
body, .frame { background: #0d1826 !important; }
.card { background: #16263d !important; border-color: #2f4460 !important; }
.ink { color: #eef3f9 !important; }
.quiet { color: #b7c4d4 !important; }
.link { color: #8fc3ff !important; }
.aside { background: #0d1826 !important; }
.button td { background: #8fc3ff !important; }
.button a { color: #0d1826 !important; }
}
";
const FRAME: &str = "background:#f6f8fa;padding:32px 12px;\
    font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BRAND: &str =
    "padding:0 4px 16px;color:#12263f;font-size:20px;line-height:28px;font-weight:700";
const LAMP: &str = "color:#ffb000";
const CARD: &str = "background:#ffffff;border:1px solid #dde3ea;border-radius:12px;padding:32px";
const TITLE: &str = "margin:0 0 16px;color:#12263f;font-size:26px;line-height:34px;font-weight:700";
const BODY: &str = "margin:0 0 16px;color:#12263f;font-size:17px;line-height:26px";
const LABEL: &str = "padding:4px 12px 4px 0;text-align:left;vertical-align:top;color:#4a5a6e;\
    font-size:17px;line-height:26px;font-weight:400";
const VALUE: &str = "padding:4px 0;vertical-align:top;color:#12263f;font-size:17px;\
    line-height:26px;font-weight:600;overflow-wrap:break-word";
const BUTTON: &str = "margin:24px 0";
const BUTTON_CELL: &str = "background:#0b5cad;border-radius:8px;mso-padding-alt:14px 24px";
const BUTTON_LINK: &str = "display:inline-block;padding:14px 24px;color:#ffffff;font-size:17px;\
    line-height:24px;font-weight:600;text-decoration:none";
const SMALL: &str = "margin:0 0 8px;color:#4a5a6e;font-size:15px;line-height:22px";
const LINK: &str =
    "color:#0b5cad;text-decoration:underline;overflow-wrap:anywhere;word-break:break-word";
const ASIDE: &str = "margin:24px 0 0;padding:16px;background:#f6f8fa;border-radius:8px";
const FOOT: &str = "padding:24px 4px 0";
const FINE: &str = "margin:0 0 8px;color:#4a5a6e;font-size:13px;line-height:20px";

/// The letter as a web page.
pub(in crate::app) fn page(draft: &Draft<'_>, site: &Site, public_url: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="supported-color-schemes" content="light dark";
                // Mail programs must not make links of telephone numbers, dates and addresses in
                // the text.
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                title { (draft.subject) }
                style { (PreEscaped(SHEET)) }
            }
            body style="margin:0;padding:0;background:#f6f8fa" {
                // Web mail keeps what is inside the body only, so the language stands here too.
                div.frame lang="en-GB" dir="ltr" style=(FRAME) {
                    table role="presentation" align="center" width="560" cellpadding="0"
                        cellspacing="0" border="0" style="width:100%;max-width:560px" {
                        tr { td.ink style=(BRAND) {
                            span aria-hidden="true" style=(LAMP) { (PreEscaped("&#9679;")) }
                            " " (site.brand)
                        } }
                        tr { td.card style=(CARD) { (letter(draft)) } }
                        tr { td style=(FOOT) { (foot(draft, site, public_url)) } }
                    }
                }
            }
        }
    };
    // Written as an entity, the sign is ASCII too.
    lines(&page.into_string().replace("GBP ", "&#163;"))
}

fn letter(draft: &Draft<'_>) -> Markup {
    html! {
        h1.ink style=(TITLE) { (draft.title) }
        p.ink style=(BODY) { "Hello," }
        @for says in &draft.says {
            p.ink style=(BODY) { (says) }
        }
        @if !draft.facts.is_empty() {
            table cellpadding="0" cellspacing="0" border="0" {
                @for (label, value) in &draft.facts {
                    tr {
                        th.quiet scope="row" style=(LABEL) { (label) }
                        td.ink style=(VALUE) { (value) }
                    }
                }
            }
        }
        @if let Some((does, link)) = draft.button {
            table.button role="presentation" cellpadding="0" cellspacing="0" border="0"
                style=(BUTTON) {
                tr { td style=(BUTTON_CELL) { a href=(link) style=(BUTTON_LINK) { (does) } } }
            }
            @if let Some(note) = draft.note {
                p.quiet style=(SMALL) { (note) }
            }
            p.quiet style=(SMALL) {
                "If the button doesn't work, copy this address into your browser:" br;
                (anchor(link, link))
            }
        }
        @if let Some((why, does, link)) = draft.also {
            div.aside style=(ASIDE) {
                p.ink style=(SMALL) { (why) }
                p.ink style="margin:0;font-size:17px;line-height:26px" { (anchor(link, does)) }
            }
        }
        div.aside style=(ASIDE) {
            p.ink style="margin:0;color:#12263f;font-size:15px;line-height:22px" {
                strong { (draft.question) } " " (draft.advice)
                @if let Some((does, link)) = &draft.remedy {
                    br; (anchor(link, does))
                }
            }
        }
    }
}

fn foot(draft: &Draft<'_>, site: &Site, public_url: &str) -> Markup {
    let dialled: String = site
        .phone
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    html! {
        p.quiet style=(SMALL) {
            "Questions? Call " (anchor(&format!("tel:{dialled}"), &site.phone))
            " (" (site.hours) ") or write to "
            (anchor(&format!("mailto:{}", site.email), &site.email)) "."
        }
        p.quiet style=(SMALL) { (draft.why) }
        p.quiet style=(SMALL) { (site.brand) ", " (anchor(public_url, public_url)) }
        @for paragraph in &site.footer {
            p.quiet style=(FINE) { (paragraph) }
        }
    }
}

fn anchor(link: &str, text: &str) -> Markup {
    html! { a.link href=(link) style=(LINK) { (text) } }
}

/// Begins a new line at each block element: a line of a mail has a greatest length, and people may
/// read the file in an editor.
fn lines(page: &str) -> String {
    const BEGIN: [&str; 16] = [
        "<html", "<head", "<meta", "<title", "<style", "</head", "<body", "</body", "<div",
        "<table", "<tr", "<th", "<td", "<h1", "<p ", "<a ",
    ];
    BEGIN.iter().fold(page.to_owned(), |page, tag| {
        page.replace(tag, &format!("\n{tag}"))
    })
}

/// The letter as plain text.
pub(in crate::app) fn plain(draft: &Draft<'_>, site: &Site, public_url: &str) -> String {
    let mut parts = vec![wrapped(draft.title), "Hello,".to_owned()];
    parts.extend(draft.says.iter().map(|says| wrapped(says)));
    if !draft.facts.is_empty() {
        let longest = draft.facts.iter().map(|(label, _)| label.len()).max();
        let width = longest.unwrap_or(0) + 2;
        let beneath = format!("\n{:width$}", "");
        let fact = |(label, value): &(&str, String)| {
            let value = wrapped_to(WIDTH - width, value).replace('\n', &beneath);
            format!("{:width$}{value}", format!("{label}:"))
        };
        let facts: Vec<String> = draft.facts.iter().map(fact).collect();
        parts.push(facts.join("\n"));
    }
    if let Some((does, link)) = draft.button {
        parts.push(format!("{does}:\n{link}"));
        parts.extend(draft.note.map(wrapped));
    }
    if let Some((why, does, link)) = draft.also {
        parts.push(wrapped(why));
        parts.push(format!("{does}:\n{link}"));
    }
    parts.push(wrapped(&format!("{} {}", draft.question, draft.advice)));
    if let Some((does, link)) = &draft.remedy {
        parts.push(format!("{does}:\n{link}"));
    }
    parts.push("-".repeat(WIDTH));
    parts.push(wrapped(&format!(
        "Questions? Call {} ({}) or write to {}.",
        site.phone, site.hours, site.email
    )));
    parts.push(wrapped(draft.why));
    parts.push(format!("{}\n{public_url}", site.brand));
    parts.extend(site.footer.iter().map(|paragraph| wrapped(paragraph)));
    parts.join("\n\n") + "\n"
}

/// A paragraph in lines that fit; a word that is longer than a line stays whole.
fn wrapped(text: &str) -> String {
    wrapped_to(WIDTH, text)
}

fn wrapped_to(width: usize, text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
