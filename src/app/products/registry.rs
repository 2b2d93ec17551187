//! The products on sale, and the stored files of their older versions.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::NaiveDate;

use crate::app::AppError;
use crate::domain::product::Product;
use crate::products::Catalogue;
use crate::store::tables::{self, StoredProduct};
use crate::store::{Read, Store};

/// A product with the hash of its files.
#[derive(Clone)]
pub struct RegisteredProduct {
    pub product: Arc<Product>,
    /// SHA-256 of the product's files, hexadecimal.
    pub hash: String,
}

/// The versions of all products. The registry reads a version without a file from the store.
pub struct ProductRegistry {
    /// The newest version of a product first.
    versions: Vec<RegisteredProduct>,
    older: Mutex<HashMap<String, Arc<Product>>>,
}

impl ProductRegistry {
    /// Stores each new version of a product under the hash of its files. Returns the registry.
    ///
    /// # Errors
    /// A conflict if a file differs from the stored file with the same version. If the store fails.
    pub async fn register(store: &Store, catalogue: Catalogue) -> Result<Self, AppError> {
        let mut versions = Vec::new();
        for loaded in catalogue.list() {
            let hash = loaded.hash();
            let row = StoredProduct {
                identifier: loaded.product.identifier().to_string(),
                version: loaded.product.version().to_string(),
                file: loaded.file.clone(),
                text: loaded.text.clone(),
                documents_file: loaded.documents_file.clone(),
            };
            let hash_copy = hash.clone();
            store
                .write(move |tx| store_version(tx, &hash_copy, &row))
                .await?;
            versions.push(RegisteredProduct {
                product: Arc::new(loaded.product.clone()),
                hash,
            });
        }
        Ok(Self {
            versions,
            older: Mutex::default(),
        })
    }

    /// Returns a registry without files, which reads each product from the store on demand.
    #[must_use]
    pub fn from_store() -> Self {
        Self {
            versions: Vec::new(),
            older: Mutex::default(),
        }
    }

    /// Returns each product on sale on `today`, in its newest effective version.
    #[must_use]
    pub fn on_sale(&self, today: NaiveDate) -> Vec<&RegisteredProduct> {
        let mut found: Vec<&RegisteredProduct> = Vec::new();
        for version in &self.versions {
            let existing = found
                .iter()
                .any(|other| other.product.identifier() == version.product.identifier());
            if !existing && version.product.effective_from() <= today {
                found.push(version);
            }
        }
        found
    }

    /// Returns whether the product `identifier` is on sale on `today`. If `word` is given, the product must
    /// also have the preset `word`.
    #[must_use]
    pub fn is_on_sale(&self, identifier: &str, word: Option<&str>, today: NaiveDate) -> bool {
        let found = self.find(identifier, today).ok();
        found.is_some_and(|registered| {
            let product = &registered.product;
            product.identifier() == identifier
                && word.is_none_or(|word| product.info().presets.contains_key(word))
        })
    }

    /// Returns the newest version of a product that is on sale on `today`. `name` is the product's
    /// identifier or id.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if no version of the product is on sale.
    pub fn find(&self, name: &str, today: NaiveDate) -> Result<&RegisteredProduct, AppError> {
        let id: Option<u32> = name.parse().ok();
        let id = id.filter(|id| id.to_string() == name);
        self.versions
            .iter()
            .find(|version| {
                let product = &version.product;
                (product.identifier() == name || Some(product.id()) == id)
                    && product.effective_from() <= today
            })
            .ok_or(AppError::NotFound)
    }

    /// Returns the product version whose files have `hash`. Each revision of a quote stores such a hash.
    ///
    /// # Errors
    /// If the store fails or doesn't have the version, or if the stored file can't be parsed.
    pub fn by_hash(&self, tx: &impl Read, hash: &str) -> Result<Arc<Product>, AppError> {
        if let Some(current) = self
            .versions
            .iter()
            .find(|registered| registered.hash == hash)
        {
            return Ok(current.product.clone());
        }
        let cached = |older: &HashMap<String, Arc<Product>>| older.get(hash).cloned();
        if let Some(product) = cached(&self.older.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(product);
        }
        let stored = tables::PRODUCTS
            .get(tx, &hash.to_string())?
            .ok_or_else(|| AppError::Internal("a revision's product file is missing".into()))?;
        let find_file = |_: &str| stored.documents_file.as_ref().map(|(_, text)| text.clone());
        let parsed =
            Product::parse_with(&stored.file, &stored.text, &find_file).map_err(|mistakes| {
                let mistakes: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                AppError::internal(
                    "a stored product file no longer parses",
                    mistakes.join("; "),
                )
            })?;
        let product = Arc::new(parsed.product);
        self.older
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(hash.to_string(), product.clone());
        Ok(product)
    }
}

/// Checks that no product's files differ from the stored files with the same version. `hashes` has the hash
/// of each product's files, by identifier and version with a space between. Returns a line for each product of which
/// the store has only other versions.
///
/// # Errors
/// A conflict for the first product that differs. If the store fails.
pub fn check_versions(
    tx: &impl Read,
    hashes: &BTreeMap<String, String>,
) -> Result<Vec<String>, AppError> {
    let mut new = Vec::new();
    for (name, hash) in hashes {
        let (identifier, version) = name.split_once(' ').unwrap_or_default();
        let product = identifier.to_string();
        let stored = tables::PRODUCT_VERSIONS.rows(tx, &product);
        let stored = stored.collect::<Result<BTreeMap<_, _>, _>>()?;
        match stored.get(&(product.clone(), version.to_string())) {
            Some(existing) if existing != hash => return Err(changed_error(identifier, version)),
            None if !stored.is_empty() => {
                let old: Vec<_> = stored.keys().map(|(_, old)| old.as_str()).collect();
                let old = old.join(", ");
                new.push(format!(
                    "{identifier} would be sold as version {version}; the store has {old}"
                ));
            }
            _ => {}
        }
    }
    Ok(new)
}

fn changed_error(product: &str, version: &str) -> AppError {
    AppError::conflict(
        "product_changed",
        format!(
            "{product}: the file changed, or the one it names, but its version is still {version}: give \
             it a new version"
        ),
    )
}

fn store_version(
    tx: &mut crate::store::WriteTx<'_>,
    hash: &str,
    row: &StoredProduct,
) -> Result<(), AppError> {
    let name = (row.identifier.clone(), row.version.clone());
    match tables::PRODUCT_VERSIONS.get(tx, &name)? {
        Some(existing) if existing == hash => Ok(()),
        Some(_) => Err(changed_error(&row.file, &row.version)),
        None => {
            tables::PRODUCTS.put_new(tx, &hash.to_string(), row)?;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::store::{StoreError, WriteTx};

    #[tokio::test]
    async fn the_log_has_the_mistakes_of_a_stored_file_that_no_longer_parses() {
        let store = Store::in_memory().unwrap();
        let row = StoredProduct {
            identifier: "old".to_string(),
            version: "1".to_string(),
            file: "old.toml".to_string(),
            text: "identifier = \"old\"\nversion =".to_string(),
            documents_file: None,
        };
        let write =
            move |tx: &mut WriteTx<'_>| tables::PRODUCTS.put_new(tx, &"hash".to_string(), &row);
        store.write(write).await.unwrap();
        let registry = ProductRegistry {
            versions: Vec::new(),
            older: Mutex::default(),
        };
        let read = store.read(|tx| Ok::<_, StoreError>(registry.by_hash(tx, "hash").err()));
        let error = read.now_or_never().unwrap().unwrap().unwrap().log_text();
        let expected = "a stored product file no longer parses: old.toml:2: this isn't TOML";
        assert!(error.starts_with(expected), "{error}");
    }
}
