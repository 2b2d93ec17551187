//! Checks templates before a customer's letter needs them.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::{Serde, Value, ValueKind};

use crate::app::letters::samples;
use crate::app::letters::template::{
    BuiltIn, Letters, PARTS, TemplateError, built_in, template_name,
};

impl Letters {
    /// Renders every sample letter. Also finds unknown fields and blocks in branches that no sample
    /// takes.
    ///
    /// # Errors
    /// Returns the first mistake.
    pub fn check(&self) -> Result<(), TemplateError> {
        self.check_blocks()?;
        let mut fields_of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for sample in samples::sample_letters() {
            let context = Value::from(Serde(&sample));
            let fields = fields_of.entry(template_name(&context)).or_default();
            add_fields(fields, "", &context);
            let rendered = self.render_context(context);
            rendered.map_err(TemplateError::quoting_text)?;
        }
        self.check_fields(&fields_of)
    }

    fn check_blocks(&self) -> Result<(), TemplateError> {
        let built_in: Vec<String> = BuiltIn::iter().filter_map(|name| built_in(&name)).collect();
        let allowed_blocks: BTreeSet<&str> =
            built_in.iter().flat_map(|text| block_names(text)).collect();
        for (name, template) in self.env.templates() {
            let source = template.source();
            if let Some(block) = block_names(source).find(|block| !allowed_blocks.contains(block)) {
                let why = format!("letters have no block {block}");
                return Err(TemplateError::in_line(name, find_line(source, block), why));
            }
        }
        Ok(())
    }

    /// Fails if a letter's template uses a field that the letter lacks. A template that several
    /// letters share may use the fields of all letters.
    fn check_fields(
        &self,
        fields_of: &BTreeMap<String, BTreeSet<String>>,
    ) -> Result<(), TemplateError> {
        let mut everywhere = BTreeSet::from(["super".to_owned()]);
        for (name, value) in self.env.globals() {
            everywhere.insert(name.to_owned());
            add_fields(&mut everywhere, &format!("{name}."), &value);
        }
        let parts = PARTS.iter().map(|(block, _)| (*block).to_owned());
        let shared = fields_of.values().flatten().cloned().chain(parts);
        let shared: BTreeSet<String> = shared.collect();
        for (name, template) in self.env.templates() {
            let fields = fields_of.get(name).unwrap_or(&shared);
            let used: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
            let mut unknown = used
                .difference(fields)
                .filter(|used| !everywhere.contains(*used));
            if let Some(field) = unknown.next() {
                let line = find_line(template.source(), field);
                let why = format!("undefined value: {field}");
                return Err(TemplateError::in_line(name, line, why));
            }
        }
        Ok(())
    }
}

/// Adds the names of a value's fields and of their nested fields.
fn add_fields(names: &mut BTreeSet<String>, before: &str, value: &Value) {
    if value.kind() != ValueKind::Map {
        return;
    }
    for key in value.try_iter().into_iter().flatten() {
        let name = format!("{before}{key}");
        let field = value.get_item(&key).unwrap_or_default();
        add_fields(names, &format!("{name}."), &field);
        names.insert(name);
    }
}

/// Returns the names of the blocks in a template.
fn block_names(source: &str) -> impl Iterator<Item = &str> {
    source.split("{%").skip(1).filter_map(|tag| {
        let tag = tag.trim_start_matches(['-', '+']).trim_start();
        let name = tag.strip_prefix("block ")?.trim_start();
        name.split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
    })
}

/// Returns the number of the first line that has both the word and a tag. Returns 1 if no line has
/// both.
fn find_line(source: &str, word: &str) -> usize {
    let is_in_word = |c: char| c.is_alphanumeric() || "_.".contains(c);
    let has_word = |line: &str| line.split(|c| !is_in_word(c)).any(|found| found == word);
    let mut lines = source.lines();
    lines
        .position(|line| line.contains('{') && has_word(line))
        .unwrap_or(0)
        + 1
}
