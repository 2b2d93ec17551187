//! An extra whose waiting time is as long as its term is a mistake of the product file.

use layby::products::builtin;

use super::try_parse;

/// Returns the mistakes in breakdown's file after a replacement.
fn mistakes(from: &str, to: &str) -> Vec<String> {
    let text = builtin()[0].1;
    assert!(text.contains(from), "{from} isn't in the file");
    match try_parse("b.toml", &text.replacen(from, to, 1)) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

/// Returns the line of a text in breakdown's file.
fn line(text: &str) -> usize {
    let file = builtin()[0].1;
    1 + file[..file.find(text).unwrap()].matches('\n').count()
}

const OFFERED: &str =
    "waiting_days = 14\nvisible_when = { not = { field = \"cover_length\", is = 2 } }";

#[test]
fn an_extra_that_waits_is_not_offered_with_a_single_trip() {
    let at = line("waiting_days = 14");
    let says = |found: &[String]| {
        let expected = format!(
            "b.toml:{at}: `waiting_days` of `key_cover`: a single trip may be shorter, so that it \
             could never pay; its `visible_when` must be `{{ not = ... }}` of `when` in `[term.single]`"
        );
        assert_eq!(found, [expected]);
    };
    says(&mistakes(OFFERED, "waiting_days = 14"));
    // Conditions that also hold for single trips.
    for also in [
        "{ field = \"cover_level\", is = 5 }",
        "{ field = \"cover_length\", set = true }",
        "{ any = [{ field = \"cover_length\", is = 1 }, { field = \"excess\", is = 1 }] }",
        "{ field = \"cover_length\", in = [1, 2] }",
    ] {
        let offered = format!("waiting_days = 14\nvisible_when = {also}");
        says(&mistakes(OFFERED, &offered));
    }
    // Conditions that never hold for single trips.
    for never in [
        "{ field = \"cover_length\", is = 1 }",
        "{ field = \"cover_length\", set = false }",
        "{ all = [{ field = \"excess\", is = 1 }, { not = { field = \"cover_length\", is = 2 } }] }",
        "{ any = [{ field = \"cover_length\", is = 1 }, { field = \"cover_length\", set = false }] }",
    ] {
        let offered = format!("waiting_days = 14\nvisible_when = {never}");
        assert_eq!(mistakes(OFFERED, &offered), Vec::<String>::new(), "{never}");
    }
}

#[test]
fn nothing_waits_as_long_as_the_year() {
    let at = line("waiting_days = 14");
    assert_eq!(
        mistakes("waiting_days = 14", "waiting_days = 365"),
        [format!(
            "b.toml:{at}: `waiting_days` of `key_cover` is not less than the 365 days of a year's \
             cover, so that it could never pay"
        )]
    );
    assert_eq!(
        mistakes("waiting_days = 14", "waiting_days = 364"),
        Vec::<String>::new()
    );
    assert_eq!(
        mistakes("waiting_days = 14", "waiting_days = 0"),
        [format!("b.toml:{at}: `waiting_days` is at least 1")]
    );
    let at = line("cover_delay_hours = 24");
    assert_eq!(
        mistakes("cover_delay_hours = 24", "cover_delay_hours = 8760"),
        [format!(
            "b.toml:{at}: `cover_delay_hours` is not less than a year's cover, which would never begin"
        )]
    );
}

#[test]
fn a_renewal_is_quoted_early_enough_to_charge_its_card() {
    let at = line("renewal_lead_days = 28");
    let change = |to: &str| mistakes("renewal_lead_days = 28", to);
    assert_eq!(
        change("renewal_lead_days = 23"),
        [format!(
            "b.toml:{at}: `renewal_lead_days` is at least 24: a card is charged 10 days before the last \
             day, and seven working days after the letter"
        )]
    );
    assert_eq!(change("renewal_lead_days = 24"), Vec::<String>::new());
}

#[test]
fn only_a_tick_can_wait() {
    let excess = "name = \"excess\"\n";
    let at = line(excess) + 1;
    let found = mistakes(excess, "name = \"excess\"\nwaiting_days = 7\n");
    let kind = format!("b.toml:{at}: `waiting_days` is for kind `checkbox`");
    assert!(found.contains(&kind), "{found:?}");
}
