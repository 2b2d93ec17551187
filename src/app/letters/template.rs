//! Renders letters from templates: the compiled-in files, or an operator's files with the same
//! names.
//!
//! A template has a block for each part of the letter. `layout.html` makes a web page of the parts,
//! and `layout.txt` makes plain text. So both versions have the same content, and no letter's
//! template contains markup.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, context,
};
use rust_embed::RustEmbed;

use crate::app::letters::event::Letter;
use crate::config::SiteSettings;

/// Maximum number of minijinja's steps for one template. A letter takes about a thousand steps.
const FUEL: u64 = 50_000;
/// Width of plain text, in characters.
const WIDTH: usize = 72;

/// Blocks of a letter, each with the function that reads its text.
pub(super) const PARTS: [(&str, TemplateReader); 13] = [
    ("subject", read_words),
    ("title", read_words),
    ("body", read_paragraphs),
    ("facts", read_pairs),
    ("links", read_pairs),
    ("button", read_pairs),
    ("note", read_words),
    ("also", read_words),
    ("also_link", read_pairs),
    ("question", read_words),
    ("advice", read_words),
    ("remedy", read_pairs),
    ("why", read_words),
];
/// Blocks that must not be empty.
const REQUIRED: [&str; 3] = ["subject", "title", "body"];

/// A function that reads the text of a block. It fails with the first line that has a wrong form.
pub(super) type TemplateReader = fn(&str) -> Result<Value, String>;

#[derive(RustEmbed)]
#[folder = "src/app/letters/templates"]
pub(super) struct BuiltIn;

/// A mistake in a letter's template: its place, as file and line, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{location}: {why}")]
pub struct TemplateError {
    location: String,
    why: String,
    text: Option<String>,
}

/// A letter that was rendered from its template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedLetter {
    pub subject: String,
    /// The letter as a web page.
    pub html: String,
    /// The letter as plain text. Each link has its own line and is not broken.
    pub text: String,
}

/// The templates of all letters.
pub struct Letters {
    pub(super) env: Environment<'static>,
}

impl Letters {
    /// Reads the templates. A file of the same name in `folder` replaces a compiled-in template.
    /// `public_url` is the shop's address, without a slash at its end.
    ///
    /// # Errors
    /// Returns the first mistake in a template, or a failure to read `folder`.
    pub fn new(
        site: &SiteSettings,
        public_url: &str,
        folder: Option<&Path>,
    ) -> Result<Self, TemplateError> {
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        env.set_fuel(Some(FUEL));
        env.set_debug(true);
        env.set_syntax(syntax.map_err(|error| TemplateError::from_error(&error, "syntax"))?);
        env.set_formatter(write_value);
        env.add_filter("wrap", |text: &str| {
            Value::from_safe_string(wrap_paragraph(WIDTH, text))
        });
        env.add_filter("columns", |pairs: Vec<Vec<String>>| {
            Value::from_safe_string(columns(&pairs))
        });
        env.add_filter("tel", phone_link);
        env.add_global("shop", shop_fields(site, public_url));
        let mut own = folder.map_or_else(|| Ok(BTreeMap::new()), read_folder)?;
        for name in BuiltIn::iter() {
            let source = own.remove(&*name).or_else(|| built_in(&name));
            let added = env.add_template_owned(name.to_string(), source.unwrap_or_default());
            added.map_err(|error| TemplateError::from_error(&error, &name))?;
        }
        Ok(Self { env })
    }

    /// Renders a letter.
    ///
    /// # Errors
    /// Returns the first mistake in the letter's template or in a layout.
    pub fn render(&self, letter: &Letter) -> Result<RenderedLetter, TemplateError> {
        self.render_context(Value::from(Serde(letter)))
    }

    pub(super) fn render_context(&self, context: Value) -> Result<RenderedLetter, TemplateError> {
        let name = template_name(&context);
        let parts = self.render_parts(&name, context)?;
        let lay_out = |layout| {
            let template = self.env.get_template(layout);
            let text = template.and_then(|template| template.render(parts.clone()));
            text.map_err(|error| TemplateError::from_error(&error, layout))
        };
        Ok(RenderedLetter {
            subject: parts.get_attr("subject").unwrap_or_default().to_string(),
            html: lay_out("layout.html")?,
            text: lay_out("layout.txt")?.trim_end().to_owned() + "\n",
        })
    }

    /// Returns the parts of a letter, named by their blocks.
    fn render_parts(&self, name: &str, context: Value) -> Result<Value, TemplateError> {
        let template = self.env.get_template(name);
        let letter = template.and_then(|template| template.render_captured(context));
        let mut letter = letter.map_err(|error| TemplateError::from_error(&error, name))?;
        let mut parts = Vec::new();
        for (block, read) in PARTS {
            let text = match letter.with_state_mut(|state| state.render_block(block)) {
                // The letter omits this block. An error that has a line comes from the template
                // itself.
                Err(error) if error.kind() == ErrorKind::UnknownBlock && error.line().is_none() => {
                    String::new()
                }
                text => text.map_err(|error| TemplateError::from_error(&error, name))?,
            };
            let part = read(&text).map_err(|line| {
                let why =
                    format!("a line of the block {block} is not a label, a colon and a value");
                TemplateError::in_line(name, 1, why).with_text(line)
            })?;
            if REQUIRED.contains(&block) && !part.is_true() {
                let why = format!("the block {block} is empty");
                return Err(TemplateError::in_line(name, 1, why));
            }
            parts.push((block, part));
        }
        Ok(Value::from_pairs(parts))
    }
}

impl TemplateError {
    pub(super) fn new(location: impl ToString, why: impl ToString) -> Self {
        let (location, why, text) = (location.to_string(), why.to_string(), None);
        Self {
            location,
            why,
            text,
        }
    }

    fn with_text(self, text: String) -> Self {
        let text = Some(text);
        Self { text, ..self }
    }

    /// Adds the unreadable text to the message. A caller may use this function only for samples,
    /// because a customer's text may contain a secret.
    pub(super) fn quoting_text(mut self) -> Self {
        if let Some(text) = self.text.take() {
            self.why = format!("{}: {text}", self.why);
        }
        self
    }

    pub(super) fn in_line(file: &str, line: usize, why: impl ToString) -> Self {
        Self::new(format!("{file}:{line}"), why)
    }

    /// Converts minijinja's error. If an included template has the mistake, names that template.
    fn from_error(error: &Error, file: &str) -> Self {
        let mut inner = error;
        while let Some(cause) = inner.source().and_then(|cause| cause.downcast_ref()) {
            inner = cause;
        }
        let code = inner.range().zip(inner.template_source());
        let code = code.and_then(|(range, source)| source.get(range));
        let kind = inner.kind();
        let why = match (kind, inner.detail(), code) {
            (ErrorKind::OutOfFuel, ..) => "this takes too long; does a loop end?".to_owned(),
            (ErrorKind::InvalidOperation, Some(detail), _) => detail.to_owned(),
            (ErrorKind::UndefinedError, _, Some(code)) => format!("{kind}: {code}"),
            (_, Some(detail), _) => format!("{kind}: {detail}"),
            (_, None, Some(code)) => format!("{kind}: {code}"),
            (_, None, None) => kind.to_string(),
        };
        Self::in_line(inner.name().unwrap_or(file), inner.line().unwrap_or(1), why)
    }
}

/// Returns the name of the template of a letter.
pub(super) fn template_name(context: &Value) -> String {
    let letter = context.get_attr("letter").unwrap_or_default();
    format!("{letter}.txt")
}

/// Returns the fields of the shop that every template receives.
fn shop_fields(site: &SiteSettings, public_url: &str) -> Value {
    context! {
        brand => &site.brand,
        phone => &site.phone,
        phone_link => phone_link(&site.phone),
        hours => &site.hours,
        email => &site.email,
        website => public_url,
        footer => site.footer.clone(),
    }
}

/// Returns the link that calls a number.
fn phone_link(phone: &str) -> String {
    let dialled = |c: &char| c.is_ascii_digit() || *c == '+';
    format!("tel:{}", phone.chars().filter(dialled).collect::<String>())
}

pub(super) fn built_in(name: &str) -> Option<String> {
    let file = BuiltIn::get(name)?;
    Some(String::from_utf8_lossy(&file.data).into_owned())
}

/// Reads the templates of an operator's folder. Skips files whose names begin with a dot. Fails if
/// no compiled-in template has the name of a file, or if a file is unreadable or not UTF-8.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, String>, TemplateError> {
    let unreadable = |error| TemplateError::new(folder.display(), error);
    let mut texts = BTreeMap::new();
    for file in std::fs::read_dir(folder).map_err(unreadable)? {
        let file = file.map_err(unreadable)?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if BuiltIn::get(&name).is_none() {
            return Err(TemplateError::new(name, "no template has this name"));
        }
        let bytes = std::fs::read(file.path());
        let bytes = bytes.map_err(|error| TemplateError::new(&name, error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let ends = error.as_bytes().iter().take(valid);
            let line = ends.filter(|byte| **byte == b'\n').count() + 1;
            TemplateError::in_line(&name, line, "this is not UTF-8")
        })?;
        texts.insert(name, text);
    }
    Ok(texts)
}

/// Writes a value. In plain text, the value becomes one line, so that a customer's text can't begin
/// a paragraph or a fact. Fails if the value is neither a text nor a number.
fn write_value(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    if !matches!(value.kind(), ValueKind::String | ValueKind::Number) {
        let why = format!("only a text can be printed, and this is {}", value.kind());
        return Err(invalid(why));
    }
    let text = value.to_string();
    if value.is_safe() {
        out.write_str(&text)?;
    } else if *state.auto_escape() == AutoEscape::Html {
        out.write_str(&escape(&text))?;
    } else {
        out.write_str(&text.replace(['\n', '\r'], " "))?;
    }
    Ok(())
}

/// Escapes a text for HTML. Writes `GBP ` as the entity of the pound sign, so that the text stays
/// ASCII.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    let text = text.replace('<', "&lt;").replace('>', "&gt;");
    text.replace("GBP ", "&#163;")
}

fn invalid(why: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, why)
}

fn join_words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

fn read_words(text: &str) -> Result<Value, String> {
    Ok(Value::from(join_words(text)))
}

/// Reads paragraphs, which empty lines separate.
fn read_paragraphs(text: &str) -> Result<Value, String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty());
    let paragraphs = paragraphs.map(|lines| join_words(&lines.join(" ")));
    Ok(paragraphs.filter(|text| !text.is_empty()).collect())
}

/// Reads lines of a label, a colon and a value. Fails with the first line of another form.
fn read_pairs(text: &str) -> Result<Value, String> {
    let lines = text.lines().map(join_words).filter(|line| !line.is_empty());
    let pairs = lines.map(|line| match line.split_once(": ") {
        Some((label, value)) => Ok(vec![label.to_owned(), value.to_owned()]),
        None => Err(line),
    });
    pairs.collect()
}

/// Formats labels and values as two columns.
fn columns(pairs: &[Vec<String>]) -> String {
    let last_line = pairs
        .iter()
        .filter_map(|pair| pair.first())
        .map(String::len);
    let width = last_line.max().unwrap_or(0) + 2;
    let beneath = format!("\n{:width$}", "");
    let rows = pairs.iter().filter_map(|pair| {
        let [label, value] = pair.as_slice() else {
            return None;
        };
        let value = wrap_paragraph(WIDTH.saturating_sub(width), value).replace('\n', &beneath);
        Some(format!("{:width$}{value}", format!("{label}:")))
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Wraps a paragraph at `width` characters. A word that is longer than a line is not broken.
fn wrap_paragraph(width: usize, text: &str) -> String {
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
