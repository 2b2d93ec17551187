//! Compares docs/ARCHITECTURE.md with the tree. Every file and folder on the page exists. The maps under
//! "Inside ..." name every file.
//!
//! A map is a run of lines that begin with four blanks. A line begins with a folder, which ends with `/`, and
//! then names its files and folders. A line with more indent continues the line above. Brackets hold remarks.
//! In the text, a path is in backticks and ends with `/` or an extension.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Folders at which the page's paths may begin.
const ROOTS: [&str; 11] = [
    "",
    "docs",
    "src",
    "src/app",
    "src/config",
    "src/documents",
    "src/domain",
    "src/integrations",
    "src/store",
    "ui",
    "ui/src",
];

/// Extensions of file names.
const EXTENSIONS: [&str; 8] = ["css", "json", "md", "mjs", "rs", "toml", "ts", "tsx"];

fn is_path(word: &str) -> bool {
    let is_file = |(_, end): (&str, &str)| EXTENSIONS.contains(&end);
    !word.starts_with(['/', '.'])
        && !word.contains(|c: char| c.is_whitespace() || "<>{}:*".contains(c))
        && (word.ends_with('/') || word.rsplit_once('.').is_some_and(is_file))
}

/// Returns a text without its remarks in brackets.
fn without_remarks(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// Returns each folder of a map with the names after it. The root has the empty name.
fn folders(map: &str) -> BTreeMap<String, Vec<String>> {
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut folder = String::new();
    for line in without_remarks(map).lines() {
        let words = line.split([' ', ',']).filter(|word| !word.is_empty());
        let mut words = words.map(str::to_owned).peekable();
        if !line.starts_with("     ") {
            let named = words.next_if(|word| word.ends_with('/'));
            folder = named.unwrap_or_default();
        }
        folders.entry(folder.clone()).or_default().extend(words);
    }
    folders
}

/// Returns the maps of a page, each as one joined text.
fn maps(page: &str) -> Vec<String> {
    let mut maps = vec![String::new()];
    for line in page.lines() {
        match (line.starts_with("    "), maps.last_mut()) {
            (true, Some(map)) => *map += &format!("{line}\n"),
            (false, Some(map)) if !map.is_empty() => maps.push(String::new()),
            _ => {}
        }
    }
    maps.retain(|map| !map.is_empty() && !map.contains("->"));
    maps
}

/// Returns the names on the page that don't exist in `root`.
pub fn missing(page: &str, root: &Path) -> Vec<String> {
    let there = |path: &str| ROOTS.iter().any(|from| root.join(from).join(path).exists());
    let mut missing = BTreeSet::new();
    for line in page.lines().filter(|line| !line.starts_with("    ")) {
        let quoted = line.split('`').skip(1).step_by(2);
        missing.extend(
            quoted
                .filter(|word| is_path(word) && !there(word))
                .map(str::to_owned),
        );
    }
    for map in maps(page) {
        for (folder, words) in folders(&map) {
            let inside = words.iter().filter(|word| is_path(word));
            let inside = inside.map(|word| {
                let whole = format!("{folder}{word}");
                if there(&whole) { whole } else { word.clone() }
            });
            let named = std::iter::once(folder.clone()).chain(inside);
            missing.extend(named.filter(|path| !there(path)));
        }
    }
    missing.into_iter().collect()
}

/// Compares a map with the tree: for each listed folder, the names of its files (without `.rs`) and folders.
/// A folder without names is not checked.
pub fn differences(map: &str, root: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for (folder, words) in folders(map) {
        if words.is_empty() && !folder.is_empty() {
            continue;
        }
        let named: BTreeSet<String> = words
            .iter()
            .map(|word| {
                word.trim_end_matches('/')
                    .trim_end_matches(".rs")
                    .to_owned()
            })
            .filter(|name| name != "mod")
            .collect();
        let Ok(entries) = fs::read_dir(root.join(&folder)) else {
            wrong.push(format!("there is no folder {folder}"));
            continue;
        };
        let there: BTreeSet<String> = entries
            .map(|entry| entry.unwrap())
            .filter(|entry| {
                entry.path().is_dir() || entry.path().extension() == Some("rs".as_ref())
            })
            .map(|entry| entry.file_name().into_string().unwrap())
            .map(|name| name.trim_end_matches(".rs").to_owned())
            .filter(|name| name != "mod" && name != "tests")
            .collect();
        let gone = named.difference(&there);
        wrong.extend(gone.map(|name| format!("{folder}{name} is named and isn't there")));
        let new = there.difference(&named).filter(|name| {
            let path = format!("{folder}{name}/");
            !map.lines().any(|line| line.trim_start().starts_with(&path))
        });
        wrong.extend(new.map(|name| format!("{folder}{name} is there and isn't named")));
    }
    wrong
}

/// Returns the map under a heading of the page.
pub fn map_under(page: &str, heading: &str) -> String {
    let after = page.split_once(heading).map(|(_, after)| after);
    maps(after.unwrap_or_default())
        .into_iter()
        .next()
        .unwrap_or_default()
}
