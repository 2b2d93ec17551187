//! docs/GLOSSARY.md defines each word once, and names only existing types and files.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Returns the rows of the page's tables: a word, its meaning, and where it is.
fn rows(page: &str) -> Vec<(&str, &str, &str)> {
    let mut rows = Vec::new();
    for line in page.lines() {
        let Some(cells) = line.strip_prefix("| ").and_then(|l| l.strip_suffix("|")) else {
            continue;
        };
        let cells: Vec<_> = cells.split(" | ").map(str::trim).collect();
        let [word, meaning, place] = cells[..] else {
            panic!("a row has three cells: {line}");
        };
        if word != "word" {
            rows.push((word, meaning, place));
        }
    }
    rows
}

/// Checks whether a source declares a type, function, module or variant (`Type::Variant`) of this name.
fn declares(source: &str, name: &str) -> bool {
    let (name, variant) = match name.split_once("::") {
        Some((name, variant)) => (name, Some(variant)),
        None => (name, None),
    };
    let kinds = ["struct", "enum", "trait", "type", "fn"];
    let ends = ['(', ' ', '<', ';', ':', '\n'];
    let declared = kinds.iter().any(|kind| {
        let head = format!("{kind} {name}");
        let mut found = source.match_indices(&head);
        found.any(|(at, _)| source[at + head.len()..].starts_with(ends))
    });
    let has = |variant: &str| {
        source.lines().any(|line| {
            let rest = line.trim().strip_prefix(variant);
            rest.is_some_and(|rest| [",", "(", " {"].iter().any(|end| rest.starts_with(end)))
        })
    };
    declared && variant.is_none_or(has)
}

#[test]
fn each_word_is_defined_once_and_is_where_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/GLOSSARY.md")).unwrap();
    let rows = rows(&page);
    assert!(rows.len() > 50, "the page was not read");
    let mut wrong = Vec::new();
    let mut known = HashSet::new();
    for (word, meaning, place) in rows {
        if !known.insert(word.to_lowercase()) {
            wrong.push(format!("{word}: defined twice"));
        }
        let named: Vec<_> = place.split('`').skip(1).step_by(2).collect();
        let (name, file) = match named[..] {
            [] if meaning.ends_with("*later*") => continue,
            [file] => (None, file),
            [name, file] => (Some(name), file),
            _ => {
                wrong.push(format!("{word}: names no file"));
                continue;
            }
        };
        match fs::read_to_string(root.join(file)) {
            Err(_) => wrong.push(format!("{word}: there is no file {file}")),
            Ok(source) if name.is_some_and(|name| !declares(&source, name)) => {
                wrong.push(format!(
                    "{word}: {file} has no {}",
                    name.unwrap_or_default()
                ));
            }
            Ok(_) => {}
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_name_that_is_not_there_is_found_out() {
    let source = "pub enum Decision {\n    Accept,\n    Refer(String),\n}\nfn decide(x: u8) {}\n";
    for there in ["Decision", "Decision::Accept", "Decision::Refer", "decide"] {
        assert!(declares(source, there), "{there}");
    }
    for missing in ["Decide", "Decision::Decline", "Decisions", "Accept"] {
        assert!(!declares(source, missing), "{missing}");
    }
    let twice = "| word | meaning | where |\n| a | b | `c` |\n";
    assert_eq!(rows(twice), [("a", "b", "`c`")]);
}
