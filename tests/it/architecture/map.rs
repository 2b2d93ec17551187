//! Compares docs/ARCHITECTURE.md with the tree. Every file and folder on the page exists. The maps under
//! "Inside ..." name every file of `src/` and `ui/src/`, without tests.
//!
//! A map is a run of lines that begin with four blanks. A line begins with a folder, which ends with `/`, and
//! then names its files. A line with more indent continues the line above. Brackets hold remarks.
//! In the text, a path is in backticks and ends with `/` or an extension.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Folders at which the text's paths may begin.
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

/// Parts of the paths that the maps may leave out: `mod.rs`, styles of one component, tests.
const UNNAMED: [&str; 5] = ["mod", "module", "test", "tests", "testing"];

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

/// Returns the first map of the page's start, and the map under each heading "Inside ...". Each has the folder
/// of its heading; the first has the empty name.
fn maps(page: &str) -> Vec<(&str, String)> {
    let mut sections = page.split("# Inside `");
    let start = sections.next().map(|section| ("", section));
    let inside = sections.filter_map(|section| section.split_once('`'));
    let sections = start.into_iter().chain(inside);
    let is_map = |line: &&str| line.starts_with("    ");
    sections
        .map(|(folder, section)| {
            let lines = section.lines().skip_while(|line| !is_map(line));
            let lines = lines.take_while(is_map);
            (folder, lines.map(|line| format!("{line}\n")).collect())
        })
        .collect()
}

/// Returns the names in the text and in the first map that don't exist in `root`.
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
    let (_, map) = maps(page).swap_remove(0);
    for (folder, words) in folders(&map) {
        let inside = words.iter().filter(|word| is_path(word));
        let inside = inside.map(|word| {
            let whole = format!("{folder}{word}");
            if there(&whole) { whole } else { word.clone() }
        });
        let named = std::iter::once(folder.clone()).chain(inside);
        missing.extend(named.filter(|path| !there(path)));
    }
    missing.into_iter().collect()
}

/// Adds the paths of the files in a folder of `root`, without the extension of source files.
fn add_files(root: &Path, folder: &str, files: &mut BTreeSet<String>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            add_files(root, &format!("{folder}{name}/"), files);
            continue;
        }
        let stem = match name.rsplit_once('.') {
            Some((stem, "rs" | "ts" | "tsx")) => stem,
            _ => &name,
        };
        files.insert(format!("{folder}{stem}"));
    }
}

/// Compares the maps under "Inside ..." with the files in some folders of `root`.
pub fn differences(page: &str, root: &Path, inside: &[&str]) -> Vec<String> {
    let mut named = BTreeSet::new();
    for (top, map) in maps(page).into_iter().skip(1) {
        for (folder, words) in folders(&map) {
            named.extend(words.iter().map(|word| format!("{top}{folder}{word}")));
        }
    }
    let mut there = BTreeSet::new();
    for folder in inside {
        add_files(root, folder, &mut there);
    }
    let gone = named.difference(&there);
    let new = there.difference(&named);
    let new = new.filter(|path| {
        !path
            .split(['/', '.', '-'])
            .any(|part| UNNAMED.contains(&part))
    });
    gone.map(|path| format!("{path} is named and isn't there"))
        .chain(new.map(|path| format!("{path} is there and isn't named")))
        .collect()
}
