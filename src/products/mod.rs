//! The catalogue of products on sale: built-in product files, and the operator's files that replace
//! or extend them. A product file may name a documents file in its own folder.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::domain::policy::plan::MAX_INSTALMENTS;
use crate::domain::product::Product;
use crate::domain::product::file::{DOCUMENTS_FILE_ENDS, Mistake};

/// Returns the name and text of each built-in product file.
pub fn builtin() -> &'static [(&'static str, &'static str)] {
    &[
        ("breakdown.toml", include_str!("breakdown.toml")),
        ("gadget.toml", include_str!("gadget.toml")),
    ]
}

/// Returns the name and text of each built-in documents file.
pub fn builtin_documents() -> &'static [(&'static str, &'static str)] {
    &[
        (
            "breakdown.documents.toml",
            include_str!("breakdown.documents.toml"),
        ),
        (
            "gadget.documents.toml",
            include_str!("gadget.documents.toml"),
        ),
    ]
}

/// A product and its file.
#[derive(Clone, Debug)]
pub struct CatalogueEntry {
    pub file: String,
    /// Text of the file, stored with each sale.
    pub text: String,
    /// Name and text of the documents file, if the product file names one.
    pub documents_file: Option<(String, String)>,
    pub product: Product,
}

impl CatalogueEntry {
    /// Returns the SHA-256 of the product file and its documents file, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut digest = Sha256::new_with_prefix(self.text.as_bytes());
        if let Some((_, text)) = &self.documents_file {
            digest.update([0]);
            digest.update(text.as_bytes());
        }
        HEXLOWER.encode(&digest.finalize())
    }
}

/// Every version of every product, sorted by the product's number. The versions of each product are
/// sorted from the newest, which may not be effective yet.
#[derive(Clone, Debug)]
pub struct Catalogue {
    entries: Vec<CatalogueEntry>,
}

impl Catalogue {
    /// Loads the built-in products and the operator's products. A file in the folder replaces the
    /// built-in file of its name. Any other product file adds a product, or a version of a product
    /// with another effective day.
    ///
    /// # Errors
    /// Fails with every mistake in every file.
    pub fn load(override_dir: Option<&Path>) -> Result<Self, Vec<Mistake>> {
        let compiled_in = builtin().iter().chain(builtin_documents());
        let compiled_in = compiled_in.map(|(file, text)| ((*file).to_owned(), (*text).to_owned()));
        let mut folders = vec![ProductFolder::new(compiled_in)];
        let mut mistakes = Vec::new();
        if let Some(folder) = override_dir {
            match read_folder(folder) {
                Ok(found) => folders.push(ProductFolder::new(found.into_iter())),
                Err(error) => mistakes.push(Mistake {
                    file: folder.display().to_string(),
                    line: 0,
                    text: format!("the products folder can't be read: {error}"),
                }),
            }
        }
        if let [built_in, own] = folders.as_mut_slice() {
            built_in
                .products
                .retain(|(name, _)| own.products.iter().all(|(other, _)| other != name));
        }
        let mut entries: Vec<CatalogueEntry> = Vec::new();
        for folder in folders {
            folder.parse(&mut entries, &mut mistakes);
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

    /// Removes every product that `sold` does not name. An empty list keeps all products.
    ///
    /// # Errors
    /// Fails with the first name that no product has.
    pub fn sell_only(mut self, sold: &[String]) -> Result<Self, String> {
        let has = |entry: &CatalogueEntry, name: &String| entry.product.identifier() == name;
        let is_unknown = |name: &&String| !self.entries.iter().any(|entry| has(entry, name));
        if let Some(name) = sold.iter().find(is_unknown) {
            return Err(name.clone());
        }
        self.entries
            .retain(|entry| sold.is_empty() || sold.iter().any(|name| has(entry, name)));
        Ok(self)
    }

    /// Returns a mistake for each product with more than [`MAX_INSTALMENTS`] payments. Production refuses
    /// them.
    #[must_use]
    pub fn too_many_payments(&self) -> Vec<Mistake> {
        let monthly = self.entries.iter();
        let monthly = monthly.filter_map(|entry| Some((entry, entry.product.compiled.monthly?)));
        let too_many = monthly.filter(|(_, terms)| terms.payments > MAX_INSTALMENTS);
        too_many
            .map(|(entry, terms)| Mistake {
                file: entry.file.clone(),
                line: terms.payments_line,
                text: format!(
                    "`payments` is at most {MAX_INSTALMENTS} in production mode: free credit is exempt from \
                     regulation only with at most {MAX_INSTALMENTS} payments within 12 months (RAO article \
                     60F(2))"
                ),
            })
            .collect()
    }

    /// Returns the identifiers of the products that can be paid monthly.
    #[must_use]
    pub fn paid_monthly(&self) -> Vec<&str> {
        let products = self.entries.iter().map(|entry| &entry.product);
        let monthly = products.filter(|product| product.compiled.monthly.is_some());
        monthly.map(Product::identifier).collect()
    }

    /// Returns the hash of each product's files, by identifier and version.
    #[must_use]
    pub fn hashes(&self) -> BTreeMap<String, String> {
        let named = |entry: &CatalogueEntry| {
            let product = &entry.product;
            let name = format!("{} {}", product.identifier(), product.version());
            (name, entry.hash())
        };
        self.entries.iter().map(named).collect()
    }

    /// Returns every version of every product.
    pub fn list(&self) -> &[CatalogueEntry] {
        &self.entries
    }
}

/// The files of one folder, product files in their order.
struct ProductFolder {
    products: Vec<(String, String)>,
    documents: HashMap<String, String>,
}

impl ProductFolder {
    fn new(files: impl Iterator<Item = (String, String)>) -> Self {
        let (documents, products): (Vec<_>, _) =
            files.partition(|(name, _)| name.ends_with(DOCUMENTS_FILE_ENDS));
        Self {
            products,
            documents: documents.into_iter().collect(),
        }
    }

    fn parse(self, entries: &mut Vec<CatalogueEntry>, mistakes: &mut Vec<Mistake>) {
        let find_file = |name: &str| self.documents.get(name).cloned();
        for (file, text) in self.products {
            let parsed = match Product::parse_with(&file, &text, &find_file) {
                Ok(parsed) => parsed,
                Err(found) => {
                    mistakes.extend(found);
                    continue;
                }
            };
            let twins = entries
                .iter()
                .filter_map(|other| Some((other, clash(&other.product, &parsed.product)?)));
            for (twin, text) in twins {
                mistakes.push(Mistake {
                    text: format!("{text} {}", twin.file),
                    file: file.clone(),
                    line: 1,
                });
            }
            entries.push(CatalogueEntry {
                file,
                text,
                documents_file: parsed.documents_file,
                product: parsed.product,
            });
        }
    }
}

/// Returns why two files can't be loaded together, or `None` if they can. The text ends before the
/// name of the other file.
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
