//! The doors open downward only (docs/ARCHITECTURE.md).

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms a room may enter. `config`, `clock`, `secret` and `metrics` are leaves anyone may use.
const DOORS: [(&str, &[&str]); 12] = [
    ("main", &["cli"]),
    (
        "cli",
        &["api", "jobs", "app", "store", "products", "telemetry"],
    ),
    ("api", &["app", "domain"]),
    ("jobs", &["app"]),
    (
        "app",
        &["store", "integrations", "documents", "domain", "products"],
    ),
    ("store", &["domain"]),
    ("integrations", &["domain"]),
    ("documents", &["domain"]),
    ("products", &["domain"]),
    ("domain", &[]),
    ("telemetry", &[]),
    ("config", &[]),
];
const LEAVES: [&str; 4] = ["config", "clock", "secret", "metrics"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that a source file names with `crate::`, outside its tests.
fn entered(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut rooms = Vec::new();
    for (place, _) in text.match_indices("crate::") {
        let rest = &text[place + "crate::".len()..];
        let named: Vec<&str> = match rest.strip_prefix('{') {
            Some(list) => list
                .split('}')
                .next()
                .unwrap_or_default()
                .split(',')
                .map(str::trim)
                .collect(),
            None => vec![rest],
        };
        for name in named {
            let room: String = name
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if !room.is_empty() {
                rooms.push(room);
            }
        }
    }
    rooms
}

#[test]
fn no_arrow_runs_upward() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 40, "the sources were not found");
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let room = inside
            .iter()
            .next()
            .unwrap()
            .to_str()
            .unwrap()
            .trim_end_matches(".rs")
            .to_string();
        let Some((_, doors)) = DOORS.iter().find(|(name, _)| *name == room) else {
            continue;
        };
        for entered in entered(&fs::read_to_string(&file).unwrap()) {
            let open = entered == room
                || LEAVES.contains(&entered.as_str())
                || doors.contains(&entered.as_str());
            if !open {
                wrong.push(format!("{} enters {entered}", inside.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_domain_knows_no_engine_clock_or_chance() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/domain");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in [
            "poem",
            "redb",
            "tokio",
            "rand::",
            "getrandom",
            "metrics::",
            "Utc::now",
            "SystemTime",
        ] {
            assert!(!text.contains(word), "{} names {word}", file.display());
        }
    }
}

/// What every product calls alike, because an account or a sale reads it (docs/PRODUCTS.md).
const COMMON: [&str; 11] = [
    "title",
    "first_name",
    "middle_name",
    "last_name",
    "email_primary",
    "tel_primary",
    "gsm_primary",
    "address_primary",
    "postcode_primary",
    "terms_and_conditions",
    "marketing_contact",
];

/// The names of the built-in products, their datasets, counts and fields, as code would
/// quote them. A field of one plain word, such as `value`, may be anything.
fn names_of_products() -> Vec<String> {
    let mut names = Vec::new();
    for entry in layby::products::Catalogue::load(None).unwrap().list() {
        names.push(entry.product.identifier().to_owned());
        for dataset in entry.product.form().datasets {
            names.extend(dataset.multi.then_some(dataset.identifier));
            names.extend(dataset.count_field);
            let fields = dataset.fields.into_iter().map(|field| field.name);
            names.extend(fields.filter(|name| name.contains('_')));
        }
    }
    names.retain(|name| !COMMON.contains(&name.as_str()));
    names.iter().map(|name| format!("\"{name}\"")).collect()
}

#[test]
fn no_product_is_known_by_name() {
    let names = names_of_products();
    let known = |name: &str| names.iter().any(|known| known == name);
    assert!(known("\"gadgets\"") && known("\"number_of_persons\"") && known("\"cover_type\""));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files {
        // The website's address `/breakdown/{cover}` is the specification's own (part 2).
        if file.ends_with("api/assets.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code: String = text
            .split("#[cfg(test)]")
            .next()
            .unwrap_or_default()
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        for name in &names {
            assert!(!code.contains(name), "{} names {name}", file.display());
        }
    }
}
