//! docs/COVERAGE.md and the pages about security and money name only existing files and tests. The other pages
//! name only existing files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file that a row of the page names, and a test or a group of tests in it.
struct Named<'a> {
    line: usize,
    path: &'a str,
    test: Option<&'a str>,
}

/// Returns the names in backticks of the rows. The first cell of a row is a sentence of the specification, so
/// its backticks hold addresses of the website.
fn named(page: &str) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    for (number, row) in page.lines().enumerate() {
        let cells = row.strip_prefix("| ").and_then(|row| row.split_once(" | "));
        let Some((_, cells)) = cells else { continue };
        for quoted in cells.split('`').skip(1).step_by(2) {
            let (path, test) = match quoted.split_once("::") {
                Some((path, test)) => (path, Some(test)),
                None => (quoted, None),
            };
            let line = number + 1;
            found.push(Named { line, path, test });
        }
    }
    found
}

/// Checks whether a Rust file has a test of this name: a function below an attribute such as `#[test]`.
fn has_rust_test(text: &str, name: &str) -> bool {
    let begins = [format!("fn {name}("), format!("async fn {name}(")];
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let attributes = || {
            lines[..at]
                .iter()
                .rev()
                .take_while(|above| above.starts_with('#'))
        };
        begins.iter().any(|begin| line.starts_with(begin))
            && attributes().any(|above| above.contains("test"))
    })
}

/// Checks whether a TypeScript file has a test or group with this title. A title is the first string in the
/// brackets of `test`, `it` or `describe`, or of their `each`.
fn has_title(text: &str, title: &str) -> bool {
    let names_a_test = |before: &str| {
        let call = before.trim_end().strip_suffix('(');
        let word = call.and_then(|call| call.rsplit(|c: char| !c.is_alphanumeric()).next());
        call.is_some_and(|call| call.ends_with(')'))
            || word.is_some_and(|word| ["test", "it", "describe"].contains(&word))
    };
    ['\'', '"', '`'].iter().any(|quote| {
        let inside = title.replace(*quote, &format!("\\{quote}"));
        let literal = format!("{quote}{inside}{quote}");
        let mut places = text.match_indices(&literal);
        places.any(|(place, _)| names_a_test(&text[..place]))
    })
}

/// Returns the faults of a page by line. Its paths begin in `root`.
fn faults(page: &str, root: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    for Named { line, path, test } in named(page) {
        if !root.join(path).exists() {
            faults.push(format!("line {line}: there is no file {path}"));
            continue;
        }
        let Some(test) = test else { continue };
        let text = fs::read_to_string(root.join(path)).unwrap();
        let there = match path.ends_with(".rs") {
            true => has_rust_test(&text, test),
            false => has_title(&text, test),
        };
        if !there {
            faults.push(format!("line {line}: {path} has no test \"{test}\""));
        }
    }
    faults
}

#[test]
fn every_row_names_files_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/COVERAGE.md")).unwrap();
    assert!(named(&page).len() > 1000, "the rows of the page are read");
    let faults = faults(&page, root);
    assert!(
        faults.is_empty(),
        "docs/COVERAGE.md names what is not there; after a move `node tests/coverage-paths.mjs` \
         writes the present paths:\n{}",
        faults.join("\n")
    );
}

#[test]
fn the_pages_about_security_and_money_name_files_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (page, least) in [
        ("docs/SECURITY.md", 20),
        ("docs/ASVS.md", 200),
        ("docs/PAYMENTS.md", 40),
    ] {
        let text = fs::read_to_string(root.join(page)).unwrap();
        assert!(named(&text).len() > least, "the rows of {page} are read");
        assert_eq!(faults(&text, root), [""; 0], "{page}");
    }
}

/// The columns of the fault table.
const FAULT_COLUMNS: [&str; 6] = [
    "What happens",
    "What holds",
    "Sandbox",
    "Stripe",
    "Global Payments",
    "Smartpay Fuse",
];

/// Returns the cells of the fault table's rows.
fn fault_rows(page: &str) -> Vec<Vec<&str>> {
    let cells = |line| -> Vec<&str> {
        let inside = str::trim_matches(line, '|');
        inside.split('|').map(str::trim).collect()
    };
    let lines = page.lines().skip_while(|line| cells(line) != FAULT_COLUMNS);
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    rows.map(cells).collect()
}

/// Returns the faults that lack a test, or a test or a reason in a column. A reason has several words.
fn unfilled_faults(page: &str) -> Vec<&str> {
    let has_test = |cell: &&str| cell.contains("::");
    let is_filled = |cell: &&str| has_test(cell) || cell.split_whitespace().count() > 1;
    let rows = fault_rows(page).into_iter();
    let unfilled = rows.filter(|row| {
        row.len() != FAULT_COLUMNS.len() || !row.iter().all(is_filled) || !row.iter().any(has_test)
    });
    unfilled.map(|row| row[0]).collect()
}

#[test]
fn each_fault_has_a_test_or_a_reason_for_each_gateway() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/PAYMENTS.md")).unwrap();
    assert!(fault_rows(&page).len() > 60, "the rows are read");
    assert_eq!(unfilled_faults(&page), [""; 0]);

    let heading = format!("| {} |\n|---|", FAULT_COLUMNS.join(" | "));
    let test = "`tests/it/coverage.rs::a_wrong_row_is_found`";
    let planted = |cells: [&str; 6]| format!("{heading}\n| {} |\n", cells.join(" | "));
    let row = ["A fault", "No loss", test, test, test, test];
    assert_eq!(unfilled_faults(&planted(row)), [""; 0]);
    for column in 2..row.len() {
        for unfilled in ["", " ", "-", "none", "`tests/it/coverage.rs`"] {
            let mut changed = row;
            changed[column] = unfilled;
            assert_eq!(unfilled_faults(&planted(changed)), ["A fault"], "{column}");
        }
        let mut changed = row;
        changed[column] = "its page opens once";
        assert_eq!(unfilled_faults(&planted(changed)), [""; 0]);
        changed[column] = "`tests/it/coverage.rs::no_such_test`";
        assert_eq!(faults(&planted(changed), root).len(), 1, "{column}");
    }
    let short = planted(row).replacen(&format!(" {test} |"), "", 1);
    assert_eq!(unfilled_faults(&short), ["A fault"]);
    let without_test = row.map(|cell| if cell == test { "not tested" } else { cell });
    assert_eq!(unfilled_faults(&planted(without_test)), ["A fault"]);
}

/// The number of the standard's requirements at levels 1 and 2, and the allowed statuses of a row.
const REQUIREMENTS: usize = 253;
const STANDINGS: [&str; 4] = ["holds", "does not apply: ", "the operator's: ", "open: "];

#[test]
fn every_requirement_of_the_standard_has_a_row_that_says_how_we_stand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/ASVS.md")).unwrap();
    let mut numbers = BTreeSet::new();
    for row in page.lines().filter_map(|line| line.strip_prefix("| ")) {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let number: Option<Vec<u32>> = cells[0].split('.').map(|part| part.parse().ok()).collect();
        let Some(number) = number else { continue };
        let stands = STANDINGS.iter().any(|way| cells[3].starts_with(way));
        assert!(cells.len() == 5 && stands, "{row}");
        assert!(["1", "2"].contains(&cells[1]), "{row}");
        assert!(numbers.insert(number), "twice: {row}");
    }
    assert_eq!(numbers.len(), REQUIREMENTS);
}

/// Returns the first cell of each row, and its other cells.
fn rows(page: &str) -> Vec<(&str, Vec<&str>)> {
    let lines = page.lines().filter(|line| line.starts_with("| "));
    let cells = lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim));
    cells
        .map(|mut cells| (cells.next().unwrap(), cells.collect()))
        .filter(|(first, _)| *first != "what states it")
        .collect()
}

/// Returns the names of an enum's variants in a source.
fn variants<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
    let (_, body) = source.split_once(&format!("pub enum {name}")).unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let named = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    named
        .map(|line| line.split(|c: char| !c.is_alphanumeric()).next().unwrap())
        .collect()
}

/// Letters that state no price, no day and no status of a quote or policy.
const ABOUT_AN_ACCOUNT: [&str; 7] = [
    "FirstPassword",
    "ResetPassword",
    "PasswordChanged",
    "ConfirmAddress",
    "AddressChanged",
    "AddressChangeAsked",
    "AddressTaken",
];
/// Pages without such statements.
const WITHOUT_STATEMENTS: [&str; 5] = [
    "/help",
    "/portal",
    "/retrieve-password",
    "/reset-password",
    "/confirm-email",
];

#[test]
fn what_states_a_price_a_day_or_a_state_has_a_row_with_a_test_or_a_reason_for_each_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let page = read("docs/STATEMENTS.md");
    assert_eq!(faults(&page, root), [""; 0]);
    for (first, cases) in rows(&page) {
        assert_eq!(cases.len(), 6, "{first}");
        for case in cases {
            let told = case.starts_with("- ") && case.len() > 10;
            assert!(told || case.contains("::"), "{first}: {case}");
        }
    }

    let source = read("src/app/letters/event.rs");
    let letters = variants(&source, "LetterEvent").into_iter();
    let letters = letters.filter(|letter| !ABOUT_AN_ACCOUNT.contains(letter));
    let mut stating: Vec<String> = letters.map(str::to_owned).collect();
    assert!(stating.len() > 20, "{stating:?}");
    for file in fs::read_dir(root.join("src/documents/templates")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        stating.extend((name != "look.typ").then_some(name));
    }
    let pages = read("tests/fixtures/pages.json");
    let pages: serde_json::Value = serde_json::from_str(&pages).unwrap();
    let patterns = pages["pages"].as_object().unwrap().keys();
    let patterns = patterns.filter(|path| !WITHOUT_STATEMENTS.contains(&path.as_str()));
    stating.extend(patterns.cloned());
    let firsts: Vec<_> = rows(&page).into_iter().map(|(first, _)| first).collect();
    for one in stating {
        let has = |first: &&str| first.contains(&format!("`{one}`"));
        assert_eq!(firsts.iter().copied().filter(has).count(), 1, "{one}");
    }
}

/// Folders at which the page's paths begin.
const FOLDERS: [&str; 5] = ["benches/", "docs/", "src/", "tests/", "ui/"];
const BUILT: &str = "ui/dist";

/// Returns the project's files that a page names and that don't exist.
fn missing_files<'a>(page: &'a str, root: &Path) -> Vec<&'a str> {
    let in_path = |letter: char| letter.is_ascii_alphanumeric() || "./_-*".contains(letter);
    page.split(|letter| !in_path(letter))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .filter(|word| !word.starts_with(BUILT) && !root.join(word).exists())
        .collect()
}

#[test]
fn the_pages_for_operators_and_product_makers_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["docs/OPERATING.md", "docs/PRODUCTS.md"] {
        let text = fs::read_to_string(root.join(page)).unwrap();
        assert_eq!(missing_files(&text, root), [""; 0], "{page}");
    }
    let planted = "See `src/nothing.rs`, docs/PRODUCTS.md, (docs/none.md). `ui/dist` is built.";
    assert_eq!(
        missing_files(planted, root),
        ["src/nothing.rs", "docs/none.md"]
    );
}

#[test]
fn a_wrong_row_is_found() {
    let root = tempfile::tempdir().unwrap();
    let rust = "#[test]\nfn one() {}\n\n#[tokio::test]\nasync fn two() {}\n\nfn helper() {}\n";
    fs::write(root.path().join("a.rs"), rust).unwrap();
    let script = "describe('a group', () => {\n  test(\n    'it\\'s here', () => {\n      \
                  expect('no title');\n    });\n  test.each([1])('number %s', () => {});\n});\n";
    fs::write(root.path().join("b.test.ts"), script).unwrap();
    let page = "\
        Words with `no.rs` outside a table.\n\
        | sentence | done by | shown by |\n\
        |---|---|---|\n\
        | `/address/{id}` | `a.rs` | `a.rs::one`<br>`a.rs::two` (a remark) |\n\
        | right | `./` | `b.test.ts::a group`<br>`b.test.ts::it's here`<br>`b.test.ts::number %s` |\n\
        | moved | `old/a.rs`, `a.rs` | `c.test.ts::a group` |\n\
        | other tests | `a.rs` | `a.rs::tw`<br>`a.rs::helper`<br>`b.test.ts::no title` |\n";
    assert_eq!(
        faults(page, root.path()),
        [
            "line 6: there is no file old/a.rs",
            "line 6: there is no file c.test.ts",
            "line 7: a.rs has no test \"tw\"",
            "line 7: a.rs has no test \"helper\"",
            "line 7: b.test.ts has no test \"no title\"",
        ]
    );
}
