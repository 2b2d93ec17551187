//! The architecture: imports go one way, files of a module form no cycle, tables write their rows
//! (docs/ARCHITECTURE.md).

mod cycles;
mod map;
mod methods;
mod names;
mod tree;
mod writes;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cycles::cycles;
use layby::domain::quote::policyholder;
use map::{differences, missing};
use tree::{Tree, sources};
use writes::writes_elsewhere;

/// The modules whose files must form no cycle.
const ACYCLIC_MODULES: [&str; 10] = [
    "api",
    "app",
    "cli",
    "config",
    "documents",
    "domain",
    "integrations",
    "worker",
    "products",
    "store",
];

/// The modules that a module may import. `config`, `clock`, `files`, `metrics`, `json_schema`, `secret`,
/// `tls` and `toml_reader` are leaves: every module may import them.
const ALLOWED_IMPORTS: [(&str, &[&str]); 12] = [
    ("main", &["cli"]),
    (
        "cli",
        &["api", "worker", "app", "store", "products", "telemetry"],
    ),
    ("api", &["app", "domain"]),
    ("worker", &["app"]),
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
const LEAVES: [&str; 8] = [
    "config",
    "clock",
    "files",
    "metrics",
    "json_schema",
    "secret",
    "tls",
    "toml_reader",
];

/// Returns the modules that a source file imports by `crate::`, outside its tests.
fn imported_modules(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut modules = Vec::new();
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
            let module: String = name
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if !module.is_empty() {
                modules.push(module);
            }
        }
    }
    modules
}

#[test]
fn imports_go_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 40, "the sources were not found");
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let module = inside
            .iter()
            .next()
            .unwrap()
            .to_str()
            .unwrap()
            .trim_end_matches(".rs")
            .to_string();
        let Some((_, allowed)) = ALLOWED_IMPORTS.iter().find(|(name, _)| *name == module) else {
            continue;
        };
        for imported in imported_modules(&fs::read_to_string(&file).unwrap()) {
            let is_allowed = imported == module
                || LEAVES.contains(&imported.as_str())
                || allowed.contains(&imported.as_str());
            if !is_allowed {
                wrong.push(format!("{} imports {imported}", inside.display()));
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

/// Returns the folder of the crate's sources.
fn crate_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Returns a small planted tree with one mistake of each kind.
fn planted_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/architecture/src")
}

#[test]
fn files_of_a_module_form_no_cycle() {
    let tree = Tree::read(&crate_root());
    let mut all = Vec::new();
    for module in ACYCLIC_MODULES {
        let own = tree.files.iter().filter(|file| file.top_module() == module);
        assert!(own.count() > 0, "no file of {module} was found");
        let found = cycles(&tree, module);
        all.extend(found);
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}

#[test]
fn rows_are_written_by_their_tables() {
    let tree = Tree::read(&crate_root());
    assert_eq!(writes_elsewhere(&tree), Vec::<String>::new());
}

#[test]
fn planted_cycles_and_a_planted_write_are_found() {
    let tree = Tree::read(&planted_root());
    let found = cycles(&tree, "app");
    let of_methods = "these 3 files form a cycle: app/charge.rs, app/settle.rs, app/total.rs\n  \
                      app/charge.rs -> app/settle.rs: .settle()\n  \
                      app/settle.rs -> app/charge.rs: .charge(), .is_charged()\n  \
                      app/settle.rs -> app/total.rs: super::total::of_all\n  \
                      app/total.rs -> app/settle.rs: .total()";
    let of_paths = "these 2 files form a cycle: app/first.rs, app/second.rs\n  \
                    app/first.rs -> app/second.rs: second::Second\n  \
                    app/second.rs -> app/first.rs: First, crate::app::First";
    assert_eq!(found, [of_methods, of_paths]);
    assert_eq!(cycles(&tree, "domain"), Vec::<String>::new());
    assert_eq!(writes_elsewhere(&tree), ["app/third.rs calls tx.put"]);
}

#[test]
fn the_architecture_page_names_every_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    assert_eq!(missing(&page, root), Vec::<String>::new());
    let found = differences(&page, root, &["src/", "ui/src/"]);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_page_has_each_dependency_and_each_that_is_compiled_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name| fs::read_to_string(root.join(name)).unwrap();
    let page = read("docs/ARCHITECTURE.md");
    let (direct, twice) = page
        .split_once("## Dependencies")
        .and_then(|(_, rest)| rest.split_once("`cargo tree -d`"))
        .unwrap();
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let unix = &manifest["target"]["cfg(unix)"];
    let tables = ["dependencies", "build-dependencies", "dev-dependencies"];
    let tables = tables.iter().filter_map(|name| manifest.get(*name));
    let declared: BTreeSet<String> = tables
        .chain(unix.get("dependencies"))
        .flat_map(|table| table.as_table().unwrap().keys().cloned())
        .collect();
    assert_eq!(quoted(direct), declared);
    let lock: toml::Table = read("Cargo.lock").parse().unwrap();
    let names = lock["package"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|one| one["name"].as_str().unwrap()).collect();
    // The lock file is sorted by name.
    for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
        let is_named = quoted(twice).contains(pair[0].trim_end_matches("_macros"));
        assert!(is_named, "{} is compiled twice and not named", pair[0]);
    }
}

/// Returns the names of crates in the first column of a table.
fn quoted(table: &str) -> BTreeSet<String> {
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| row.split(" |").next());
    let names = cells.flat_map(|cell| cell.split('`').step_by(2).map(str::to_owned));
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn a_page_that_names_what_is_not_there_is_found() {
    let page = "\
        Text with `first.rs`, `old.rs`, `rows/`, `/address/`, `gone/` and `Type`.\n\n    \
            rows/    mod.rs, lost.rs  what is told in words (and not.rs in a remark)\n    \
            away/    nothing\n\n\
        ## Inside `app/`\n\n    \
            charge, first, fourth\n        \
                second, settle, state, third (a remark, total)\n    \
            rows/    more\n\n\
        ### Inside `domain/`\n\n    \
            money, debt\n";
    let root = planted_root();
    assert_eq!(
        missing(page, root.parent().unwrap()),
        ["away/", "gone/", "lost.rs", "old.rs"]
    );
    assert_eq!(
        differences(page, &root, &["app/", "domain/"]),
        [
            "app/rows/more is named and isn't there",
            "domain/debt is named and isn't there",
            "app/total is there and isn't named"
        ]
    );
}

/// Returns the names of the built-in products, their datasets, counts and fields, as code would quote them.
/// Fields of one plain word, such as `value`, are left out.
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
    names.retain(|name| !policyholder::FIELDS.contains(&name.as_str()));
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
        // The specification (part 2) names the website's address `/breakdown/{cover}`.
        if file.ends_with("api/website/pages.rs") {
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

#[test]
fn the_policyholders_fields_are_spelled_in_one_file() {
    let root = crate_root();
    let mut files = Vec::new();
    sources(&root, &mut files);
    // `title` is also a key of product files.
    let names = policyholder::FIELDS
        .iter()
        .filter(|name| name.contains('_'));
    let names: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    let mut spelled = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if names.iter().any(|name| code.contains(name)) {
            spelled.push(file.strip_prefix(&root).unwrap().to_owned());
        }
    }
    assert_eq!(spelled, [Path::new("domain/quote/policyholder.rs")]);
}
