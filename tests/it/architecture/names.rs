//! Names of the server: plain words, one type for a name, and folders that are not flat.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::tree::sources;

/// Words that name nothing: participles, pronouns, prepositions and verbs of speech.
const REFUSED_WORDS: [&str; 24] = [
    "at", "at_once", "beside", "begun", "coming", "given", "glance", "had", "heard", "kept",
    "known", "later", "longest", "me", "met", "most", "nap", "noted", "of", "said", "some",
    "there", "told", "whose",
];

/// Keywords before the name of an item.
const KEYWORDS: [&str; 8] = [
    "fn", "struct", "enum", "trait", "type", "const", "static", "mod",
];

/// Types of one name in two files. The module tells them apart.
const SHARED_TYPE_NAMES: [&str; 10] = [
    "Check",
    "DisputeNews",
    "Failure",
    "Field",
    "Mode",
    "Reader",
    "Scalar",
    "Source",
    "UnappliedReason",
    "UnresolvedReason",
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

/// The keyword and name of each item that a source declares.
fn declared(source: &str) -> Vec<(&str, &str)> {
    let mut items = Vec::new();
    for line in source.lines() {
        let code = line.split(['"', '/']).next().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        for pair in words.windows(2) {
            let is_item = KEYWORDS.contains(&pair[0]);
            let name = pair[1]
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next();
            if let Some(name) = name.filter(|name| is_item && !name.is_empty()) {
                items.push((pair[0], name));
            }
        }
    }
    items
}

fn is_refused(name: &str) -> bool {
    let name = name.to_lowercase();
    REFUSED_WORDS.contains(&name.as_str()) || name.starts_with("of_")
}

#[test]
fn items_have_plain_names() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut refused = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (keyword, name) in declared(&text) {
            if is_refused(name) {
                refused.push(format!("{}: {keyword} {name}", file.display()));
            }
        }
    }
    assert_eq!(refused, Vec::<String>::new());
    let planted = "pub(crate) fn told(x: u8) {}\nconst AT_ONCE: usize = 1;\n// fn kept\n";
    let found: Vec<_> = declared(planted)
        .into_iter()
        .filter(|(_, name)| is_refused(name))
        .collect();
    assert_eq!(found, [("fn", "told"), ("const", "AT_ONCE")]);
}

#[test]
fn a_type_name_is_declared_once() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut declaring: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let top_level = text.lines().filter(|line| !line.starts_with(' '));
        let top_level: Vec<&str> = top_level.collect();
        for (keyword, name) in declared(&top_level.join("\n")) {
            if ["struct", "enum", "trait", "type"].contains(&keyword) {
                declaring
                    .entry(name.to_string())
                    .or_default()
                    .insert(file.clone());
            }
        }
    }
    let shared = declaring.into_iter().filter(|(_, files)| files.len() > 1);
    let shared: Vec<String> = shared.map(|(name, _)| name).collect();
    assert_eq!(shared, SHARED_TYPE_NAMES);
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
