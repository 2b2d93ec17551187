//! Checks `[documents]`: the texts of the documents, in the product file or in a documents file.

use super::source::{ProductSource, SourceLine};
use crate::domain::product::file::raw::RawDocuments;
use crate::domain::product::texts::{FACTS, IPID_HEADINGS, Texts};

/// The end of a documents file's name.
pub(crate) const FILE_ENDS: &str = ".documents.toml";

/// Name and text of the file that `[documents]` names.
pub(super) type NamedFile = (String, String);

/// Returns the texts of `[documents]`, and the documents file if the section names one. `is_monthly`:
/// the product can be paid monthly. `find_file` returns the text of a file, or `None` for a missing file.
pub(super) fn texts(
    documents: RawDocuments,
    is_monthly: bool,
    place: SourceLine,
    find_file: &dyn Fn(&str) -> Option<String>,
) -> (Texts, Option<NamedFile>) {
    let Some(name) = documents.file else {
        return (contents(documents, is_monthly, place), None);
    };
    place.allow(&["file"], "a section that names a `file`");
    if !name.ends_with(FILE_ENDS) || name.contains(['/', '\\']) {
        place.report(format!("`file` is a name that ends with `{FILE_ENDS}`"));
        return (Texts::default(), None);
    }
    let Some(text) = find_file(&name) else {
        place.report(format!(
            "there is no file `{name}` beside this one: put it there too"
        ));
        return (Texts::default(), None);
    };
    let own = ProductSource::new(&name, &text);
    let texts = own.read(|documents: RawDocuments, place| {
        place.allow(&["ipid", "wording", "question"], "a file of documents");
        contents(documents, is_monthly, place)
    });
    place.source.add_mistakes(own.into_mistakes());
    (texts.unwrap_or_default(), Some((name, text)))
}

fn contents(documents: RawDocuments, is_monthly: bool, place: SourceLine) -> Texts {
    check_facts(is_monthly, place);
    let mut texts = Texts {
        wording: documents.wording,
        questions: documents.questions,
        ..Texts::default()
    };
    let ipid_key = place.key("ipid");
    ipid_key.allow(&IPID_HEADINGS.map(|(key, _)| key), "`ipid`");
    let mut ipid = documents.ipid.unwrap_or_default();
    for (list, (key, _)) in texts.ipid.iter_mut().zip(IPID_HEADINGS) {
        *list = ipid.shift_remove(key).unwrap_or_default();
        if list.is_empty() {
            ipid_key.report_key(key, "needs at least one sentence");
        }
        if key != "insured" && list.iter().any(|point| point.option) {
            ipid_key
                .key(key)
                .report("only what is insured can be an `option`");
        }
        if !is_monthly && list.iter().any(|point| point.monthly) {
            ipid_key
                .key(key)
                .report("a `monthly` sentence needs `[monthly]`");
        }
    }
    if texts.wording.is_empty() {
        place.report("the wording needs at least one `[[wording]]`");
    }
    for (section, place) in texts.wording.iter().zip(place.items("wording")) {
        if section.parts.is_empty() {
            place.report("a section needs something in `body`");
        }
    }
    texts
}

/// Reports names in braces that are not in [`FACTS`], and those of `[monthly]` in a product without it.
fn check_facts(is_monthly: bool, place: SourceLine) {
    place.each_text("", &mut |place, _, text| {
        for (_, after) in text
            .match_indices('{')
            .map(|(index, _)| text.split_at(index + 1))
        {
            let (name, _) = after.split_once('}').unwrap_or((after, ""));
            if !FACTS.contains(&name) {
                let facts = FACTS.join("`, `");
                place.report(format!("`{{{name}}}` is not known here; known: `{facts}`"));
            } else if name.starts_with("monthly_") && !is_monthly {
                place.report(format!("`{{{name}}}` needs `[monthly]`"));
            }
        }
    });
}
