//! An operator's invalid letter templates.

use std::fs;
use std::path::Path;

use super::{layby, run, text};

/// Returns the error of a start with these files in `mail.templates`.
fn refused(files: &[(&str, &[u8])], command: &[&str]) -> String {
    let data = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    started(data.path(), folder.path(), command).unwrap_err()
}

fn started(data: &Path, folder: &Path, command: &[&str]) -> Result<(), String> {
    let done = run(layby(data)
        .env("LAYBY_MAIL__TEMPLATES", folder)
        .args(command));
    match done.status.code() {
        Some(0) => Ok(()),
        code => {
            assert_eq!(code, Some(1));
            let message = text(&done.stderr);
            assert_eq!(message.lines().count(), 1, "{message}");
            Err(message)
        }
    }
}

const CHECK: [&str; 2] = ["serve", "--check"];

const BOUGHT: &str = include_str!("../../../src/app/letters/templates/bought.txt");
const REFUNDS: &str = include_str!("../../../src/app/letters/templates/refunds.txt");

#[test]
fn a_start_names_what_is_wrong_with_a_template_of_letters() {
    let slip = |from: &str, to: &str| {
        assert!(BOUGHT.contains(from), "{from}");
        let line = BOUGHT[..BOUGHT.find(from).unwrap()].matches('\n').count() + 1;
        (BOUGHT.replacen(from, to, 1), line)
    };
    let title = "Your policy is set up{% endblock %}";
    let cases = [
        // An unknown field: printed, and in a branch that no sample takes.
        (slip("{{ paid }}", "{{ piad }}"), "undefined value: piad"),
        (
            slip(
                title,
                "Your policy is set up{% if paid == 'x' %}{{ titel }}{% endif %}{% endblock %}",
            ),
            "undefined value: titel",
        ),
        (
            slip(
                title,
                "Your policy is set up{% if paid == 'x' %}{{ previous_policy.until }}{% endif %}{% endblock %}",
            ),
            "undefined value: previous_policy.until",
        ),
        // A field of other letters.
        (
            slip("{{ paid }}", "{{ is_too_late }}"),
            "undefined value: is_too_late",
        ),
        // A field that may be none.
        (
            slip("{{ paid }}", "{{ charge_date }}"),
            "only a text can be printed, and this is none",
        ),
        (
            slip(
                title,
                "Your policy{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}\
                 {% endblock %}",
            ),
            "this takes too long; does a loop end?",
        ),
        (
            slip(
                "policy.txt\" %}",
                "policy.txt\" %}{% include \"bought.txt\" %}",
            ),
            "cycle in template inheritance",
        ),
        (
            slip("{% else %}", "{% els %}"),
            "syntax error: unknown statement els",
        ),
        (
            slip("block title", "block titel"),
            "letters have no block titel",
        ),
        (
            slip("Your policy is set up{%", "{%"),
            "the block title is empty",
        ),
        (
            slip("block more", "block moer"),
            "letters have no block moer",
        ),
        (
            slip("You paid: {{ paid }}", "You paid {{ paid }}"),
            "a line of the block facts is not a label, a colon and a value: You paid GBP 96.32",
        ),
    ];
    for ((template, line), why) in cases {
        let message = refused(&[("bought.txt", template.as_bytes())], &CHECK);
        // A fault of a whole block has no line of its own.
        let whole = why.contains("is empty") || why.contains("a label");
        let line = if whole { 1 } else { line };
        let wanted = format!("layby: mail.templates can't be used: bought.txt:{line}: {why}");
        assert!(message.starts_with(&wanted), "{wanted} isn't in\n{message}");
    }
}

#[test]
fn a_mistake_in_what_letters_share_is_named_where_it_is() {
    let from = ", by bank transfer";
    let line = REFUNDS[..REFUNDS.find(from).unwrap()].matches('\n').count() + 1;
    let shared = REFUNDS.replacen(from, ", by {{ part.way }}", 1);
    let message = refused(&[("refunds.txt", shared.as_bytes())], &CHECK);
    let wanted = format!("refunds.txt:{line}: undefined value: part.way");
    assert!(message.contains(&wanted), "{wanted} isn't in\n{message}");

    let layout = b"{{ title }}\n{% for label, value in facts %}\n{{ vlaue }}\n{% endfor %}\n";
    let message = refused(&[("layout.html", layout)], &CHECK);
    assert!(
        message.contains("layout.html:3: undefined value: vlaue"),
        "{message}"
    );
}

#[test]
fn a_start_names_a_file_that_is_no_template() {
    let message = refused(&[("bought.txt", b"{# One. #}\n{# Caf\xe9. #}\n")], &CHECK);
    assert!(
        message.contains("bought.txt:2: this is not UTF-8"),
        "{message}"
    );
    let message = refused(&[("bougth.txt", BOUGHT.as_bytes())], &CHECK);
    assert!(
        message.contains("bougth.txt: no template has this name"),
        "{message}"
    );
    let data = tempfile::tempdir().unwrap();
    let message = started(data.path(), Path::new("/nowhere/letters"), &CHECK).unwrap_err();
    assert!(
        message.contains("/nowhere/letters: No such file"),
        "{message}"
    );
}

#[test]
fn a_start_without_the_check_is_refused_too() {
    let listen = ["serve", "--listen", "127.0.0.1:0"];
    let message = refused(&[("bought.txt", b"{{ nonsense }}")], &listen);
    assert!(
        message.contains("bought.txt:1: undefined value: nonsense"),
        "{message}"
    );
}

#[test]
fn good_templates_are_taken() {
    let data = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bought.txt"), BOUGHT).unwrap();
    fs::write(folder.path().join(".DS_Store"), b"\xff").unwrap();
    assert_eq!(started(data.path(), folder.path(), &CHECK), Ok(()));
}
