//! The products on sale: files compiled in, and files of the operator's that
//! stand in for them.

use std::fs;
use std::io;
use std::path::Path;

use crate::domain::product::{Mistake, Product};

/// The product files compiled in: name and text.
pub fn builtin() -> &'static [(&'static str, &'static str)] {
    &[
        ("breakdown.toml", include_str!("breakdown.toml")),
        ("gadget.toml", include_str!("gadget.toml")),
    ]
}

/// A product and the file it came from.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Name of the file.
    pub file: String,
    /// Its text, to be kept with what is sold under it.
    pub text: String,
    /// The product.
    pub product: Product,
}

/// Every product, in the order of their numbers; of one product the newest
/// version first, which may not have begun.
#[derive(Clone, Debug)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

impl Catalogue {
    /// Loads the built-in products; a file of the same name in the folder
    /// replaces one, any other `.toml` there adds a product, or a version of
    /// one that begins on another day. Every mistake in every file is reported.
    pub fn load(override_dir: Option<&Path>) -> Result<Self, Vec<Mistake>> {
        let mut files: Vec<(String, String)> = builtin()
            .iter()
            .map(|(file, text)| ((*file).to_owned(), (*text).to_owned()))
            .collect();
        let mut mistakes = Vec::new();
        if let Some(folder) = override_dir {
            match read_folder(folder) {
                Ok(found) => {
                    files.retain(|(name, _)| found.iter().all(|(other, _)| other != name));
                    files.extend(found);
                }
                Err(error) => mistakes.push(Mistake {
                    file: folder.display().to_string(),
                    line: 0,
                    text: format!("the products folder can't be read: {error}"),
                }),
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        for (file, text) in files {
            match Product::parse(&file, &text) {
                Ok(product) => {
                    let twins = entries
                        .iter()
                        .filter_map(|known| Some((known, clash(&known.product, &product)?)));
                    for (twin, text) in twins {
                        mistakes.push(Mistake {
                            text: format!("{text} {}", twin.file),
                            file: file.clone(),
                            line: 1,
                        });
                    }
                    entries.push(Entry {
                        file,
                        text,
                        product,
                    });
                }
                Err(found) => mistakes.extend(found),
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        entries.sort_by_key(|entry| {
            let product = &entry.product;
            (product.id(), std::cmp::Reverse(product.effective_from()))
        });
        Ok(Self { entries })
    }

    /// Every version of every product.
    pub fn list(&self) -> &[Entry] {
        &self.entries
    }
}

/// Why two files can't be loaded together: what one has in common with the
/// other, whose name follows.
fn clash(one: &Product, other: &Product) -> Option<&'static str> {
    let same = [
        one.id() == other.id(),
        one.identifier() == other.identifier(),
        one.reference_prefix() == other.reference_prefix(),
    ];
    let begins = one.effective_from() == other.effective_from();
    match same {
        [false, false, false] => None,
        [true, true, true] if begins => Some("`effective_from` must differ from that in"),
        [true, true, true] if one.version() == other.version() => {
            Some("`version` must differ from that in")
        }
        [true, true, true] => None,
        _ => {
            Some("of `id`, `identifier` and `reference_prefix` all or none must be the same as in")
        }
    }
}

fn read_folder(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        if path.extension().is_some_and(|end| end == "toml")
            && let Some(name) = name
        {
            files.push((name, fs::read_to_string(&path)?));
        }
    }
    files.sort();
    Ok(files)
}
