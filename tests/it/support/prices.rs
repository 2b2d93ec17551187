//! Shops with other product files: a price list that changes on a day, and a product of the shop's own.

use layby::products::{Catalogue, builtin};

use crate::support::Shop;

/// Returns a shop that sells breakdown cover by another price list from a given day.
pub async fn shop_with_prices(from: &str, changed: &[(&str, &str)]) -> Shop {
    let folder = tempfile::tempdir().unwrap();
    let mut next = builtin()[0].1.replace("2024-01-01", from);
    next = next.replace("version = \"2026.8\"", "version = \"2027.1\"");
    for (old, new) in changed {
        assert!(next.contains(old), "{old}");
        next = next.replace(old, new);
    }
    std::fs::write(folder.path().join("breakdown-2027.toml"), next).unwrap();
    let texts = include_str!("../../../src/products/breakdown.documents.toml");
    std::fs::write(folder.path().join("breakdown.documents.toml"), texts).unwrap();
    Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await
}

/// Returns a shop that sells the tests' breakdown cover under the name `roadside`, from a folder.
pub async fn shop_with_own_product() -> Shop {
    let folder = tempfile::tempdir().unwrap();
    let mut product = builtin()[0].1.to_string();
    for (old, new) in [
        (
            "id = 1\nidentifier = \"breakdown\"",
            "id = 77\nidentifier = \"roadside\"",
        ),
        ("reference_prefix = \"BRK\"", "reference_prefix = \"RSD\""),
    ] {
        assert!(product.contains(old), "{old}");
        product = product.replacen(old, new, 1);
    }
    std::fs::write(folder.path().join("roadside.toml"), product).unwrap();
    let texts = include_str!("../../../src/products/breakdown.documents.toml");
    std::fs::write(folder.path().join("breakdown.documents.toml"), texts).unwrap();
    Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await
}
