//! Mistakes in gadget cover's file, which has parts that breakdown's lacks.

use layby::products::builtin;

use super::try_parse;

/// Returns the mistakes in gadget cover's file after one replacement.
fn gadget_mistakes(from: &str, to: &str) -> Vec<String> {
    let text = builtin()[1].1;
    assert!(text.contains(from), "{from} isn't in the file");
    let mistakes = try_parse("g.toml", &text.replacen(from, to, 1)).unwrap_err();
    let line = 1 + text[..text.find(from).unwrap()].matches('\n').count();
    let at = format!("g.toml:{line}: ");
    let texts = mistakes.iter().map(ToString::to_string);
    texts.map(|text| text.replace(&at, "")).collect()
}

#[test]
fn finds_what_is_wrong_with_assumptions_samples_lists_and_steps() {
    for (from, to, says) in [
        (
            "title = \"Gadget assumptions\"",
            "titel = \"Gadget assumptions\"",
            "unknown field `titel`, expected one of `title`, `intro`, `points`",
        ),
        (
            "intro = \"We offer",
            "intro = 3 # \"We offer",
            "`intro`: invalid type: integer `3`, expected a string",
        ),
        (
            "event = \"Damage or loss\"",
            "phone = \"0800 1\"\nassistance = true",
            "`phone` and `assistance` name two numbers to call",
        ),
        (
            "event = \"Damage or loss\"",
            "events = \"Damage or loss\"",
            "unknown field `events`, expected one of `title`, `text`, `event`, `assistance`, `phone`",
        ),
        (
            "{ gadget_type = \"headphones\", value = 100 }",
            "{ gadget_type = \"boat\", value = 100 }",
            "\"boat\" is no option of `gadget_type`",
        ),
        (
            "{ gadget_type = \"headphones\", value = 100 }",
            "{ gadget_type = \"headphones\", worth = 100 }",
            "there is no field `worth` here",
        ),
        (
            "{ gadget_type = \"phone\", make = \"Apple\"",
            "{ gadget_type = \"phone\", maker = \"Apple\"",
            "there is no field `maker` here",
        ),
        (
            "{ gadget_type = \"phone\", make = \"Apple\"",
            "{ gadget_type = \"phone\", make = \"\"",
            "`make` can never be \"\"",
        ),
        (
            "{ gadget_type = \"phone\", make = \"Apple\"",
            "{ gadget_type = \"phone\", purchase_date = \"2026-12-31\", make = \"Apple\"",
            "`purchase_date` can never be \"2026-12-31\"",
        ),
        (
            "count = \"number_of_gadgets\"",
            "count = \"gadgets\"",
            "`gadgets` is no `count_field`",
        ),
    ] {
        let found = gadget_mistakes(from, to);
        assert!(found.iter().any(|text| text == says), "{says}: {found:#?}");
    }
    let text = builtin()[1].1;
    let (before, list) = text.split_once("\npoints = [").unwrap();
    let (_, after) = list.split_once("\n]").unwrap();
    let mistakes = try_parse("g.toml", &format!("{before}\npoints = []{after}")).unwrap_err();
    let says = "assumptions need at least one of `points`";
    let line = 2 + before.matches('\n').count();
    assert_eq!(mistakes[0].to_string(), format!("g.toml:{line}: {says}"));
    let renamed = text.replace("by.values.essentials", "by.values.essential");
    let mistakes = try_parse("g.toml", &renamed).unwrap_err();
    let mut texts = mistakes.iter().map(|mistake| mistake.text.as_str());
    assert!(texts.any(|text| text == "essential is no option of `plan`"));
    // Conditional steps may leave out hidden fields only.
    let group = text
        .find("[stepper.activated_by.values.essentials]")
        .unwrap();
    let (before, after) = text.split_at(group);
    let left_out = after.replacen("[\"policyholder\"]", "[]", 1);
    let mistakes = try_parse("g.toml", &format!("{before}{left_out}")).unwrap_err();
    assert_eq!(mistakes.len(), 1);
    assert_eq!(mistakes[0].text, "no step shows dataset `policyholder`");
}

#[test]
fn a_name_that_must_be_there_is_not_empty() {
    let found = gadget_mistakes("start = \"start_date\"", "start = \"\"");
    assert!(found.contains(&"`start` is empty".to_owned()), "{found:?}");
}
