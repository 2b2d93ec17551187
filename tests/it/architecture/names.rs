//! Names of the server: plain words, one type for a name, and no folder with too many files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

use super::tree::{is_for_tests, sources};

/// Words that name nothing, one a line. `tests/names.mjs` reads them too.
const REFUSED_WORDS: &str = include_str!("../../refused-names.txt");

/// The moment of a record is `at`, as in `created_at`.
const ALLOWED_FIELD: &str = "at";

/// Names that two types share, and the meaning of each type.
const SHARED_TYPE_NAMES: [(&str, &str); 10] = [
    (
        "Check",
        "a run of `layby check`, and a health check of the API",
    ),
    ("Engine", "the store's engine, and the rating engine"),
    ("Failure", "a payment's failure, and the API's own error"),
    ("Field", "a form's field, and a field of an address"),
    ("Mode", "the shop's mode, and a payment's: live or test"),
    ("Reader", "reads a file of settings, and reads answers"),
    ("Scalar", "a value of a condition, and a schema's marker"),
    (
        "Source",
        "where a batch reads, and where a look-up's data comes from",
    ),
    ("UnappliedReason", "a row's value, and the API's"),
    ("UnresolvedReason", "a row's value, and the API's"),
];

/// The most files of one folder.
const MAX_FILES: usize = 15;

/// Folders with more files, and why.
const LARGE_FOLDERS: [(&str, &str); 6] = [
    ("api/routes", "one file for each area of the API"),
    ("api/schema", "one file for each area of the API"),
    ("app/letters/templates", "one file for each letter"),
    ("cli", "one file for each subcommand"),
    (
        "domain/product/file",
        "one file for each part of a product file",
    ),
    ("store", "the interface of the store beside its engines"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The names that a source declares: items, fields, variants, parameters and variables.
#[derive(Default)]
struct Declared {
    names: Vec<(&'static str, String)>,
    types: Vec<String>,
}

impl Declared {
    fn read(source: &str) -> Self {
        let mut declared = Self::default();
        declared.visit_file(&syn::parse_file(source).unwrap());
        declared
    }

    fn note(&mut self, kind: &'static str, name: &syn::Ident) {
        self.names.push((kind, name.to_string()));
    }

    fn refused(self) -> Vec<(&'static str, String)> {
        let is_plain = |(kind, name): &(&str, String)| {
            !is_refused(name) || (*kind == "field" && name == ALLOWED_FIELD)
        };
        let mut names = self.names;
        names.retain(|name| !is_plain(name));
        names
    }
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (kind, name, attributes) = match item {
            syn::Item::Fn(item) => ("fn", &item.sig.ident, &item.attrs),
            syn::Item::Struct(item) => ("type", &item.ident, &item.attrs),
            syn::Item::Enum(item) => ("type", &item.ident, &item.attrs),
            syn::Item::Trait(item) => ("type", &item.ident, &item.attrs),
            syn::Item::Type(item) => ("type", &item.ident, &item.attrs),
            syn::Item::Const(item) => ("const", &item.ident, &item.attrs),
            syn::Item::Static(item) => ("static", &item.ident, &item.attrs),
            syn::Item::Mod(item) => ("mod", &item.ident, &item.attrs),
            _ => return visit::visit_item(self, item),
        };
        if is_for_tests(attributes) {
            return;
        }
        self.note(kind, name);
        if kind == "type" {
            self.types.push(name.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.note("fn", &function.sig.ident);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.note("fn", &function.sig.ident);
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            self.note("field", name);
        }
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.note("variant", &variant.ident);
        visit::visit_variant(self, variant);
    }

    fn visit_field_pat(&mut self, pattern: &'ast syn::FieldPat) {
        // A pattern that takes a field by the field's own name declares no name.
        if pattern.colon_token.is_some() {
            visit::visit_field_pat(self, pattern);
        }
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.note("variable", &pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }
}

fn is_refused(name: &str) -> bool {
    let name = name.to_lowercase();
    REFUSED_WORDS.lines().any(|word| word == name) || name.starts_with("of_")
}

#[test]
fn items_have_plain_names() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut refused = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let names = Declared::read(&text).refused();
        refused.extend(
            names
                .iter()
                .map(|(kind, name)| format!("{}: {kind} {name}", file.display())),
        );
    }
    assert_eq!(refused, Vec::<String>::new());
    let planted =
        "pub(crate) fn told(kept: u8) { let said = 1; }\nconst AT_ONCE: u8 = 1;\n// fn some\n";
    let found = Declared::read(planted).refused();
    let expected = [
        ("fn", "told"),
        ("variable", "kept"),
        ("variable", "said"),
        ("const", "AT_ONCE"),
    ];
    assert_eq!(found, expected.map(|(kind, name)| (kind, name.to_string())));
}

#[test]
fn a_type_name_is_declared_once() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut declaring: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for name in Declared::read(&text).types {
            declaring.entry(name).or_default().insert(file.clone());
        }
    }
    let shared = declaring.into_iter().filter(|(_, files)| files.len() > 1);
    let shared: Vec<String> = shared.map(|(name, _)| name).collect();
    assert_eq!(shared, SHARED_TYPE_NAMES.map(|(name, _)| name));
}

fn count_files(folder: &Path, large: &mut BTreeSet<String>) {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    if files.len() > MAX_FILES {
        let path = folder.strip_prefix(root()).unwrap();
        large.insert(path.display().to_string());
    }
    for folder in folders {
        count_files(&folder, large);
    }
}

#[test]
fn large_folders_have_a_reason() {
    let mut large = BTreeSet::new();
    count_files(&root(), &mut large);
    let listed: BTreeSet<String> = LARGE_FOLDERS.map(|(path, _)| path.to_string()).into();
    assert_eq!(large, listed);
}
