//! Parsing a product file reports every mistake, each with its line.

use layby::products::builtin;

use super::try_parse;

/// Returns the mistakes in breakdown's file after replacements.
fn mistakes(changes: &[(&str, &str)]) -> Vec<String> {
    let mut text = builtin()[0].1.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from} isn't in the file");
        text = text.replacen(from, to, 1);
    }
    let mistakes = try_parse("b.toml", &text).unwrap_err();
    mistakes.iter().map(ToString::to_string).collect()
}

/// Returns the line of a text in breakdown's file.
fn line(text: &str) -> usize {
    let file = builtin()[0].1;
    let at = file.find(text).unwrap();
    1 + file[..at].matches('\n').count()
}

/// Each replacement makes one mistake, on the line of the replacement.
const MADE: [(&str, &str, &str); 29] = [
    (
        "code = \"callouts\"",
        "cod = \"callouts\"",
        "unknown field `cod`, expected one of `code`, `text`, `upper`, `in_lists`, `when`",
    ),
    (
        "reference_prefix = \"BRK\"",
        "reference_prefix = \"brk\"",
        "`reference_prefix` is a few capital letters",
    ),
    (
        "visible_when = { field = \"cover_level\", is = 5 }",
        "visible_when = { field = \"cover_levl\", is = 5 }",
        "there is no field `cover_levl`",
    ),
    (
        "visible_when = { field = \"cover_level\", is = 5 }",
        "visible_when = { field = \"cover_level\", is = 6 }",
        "6 is no option of `cover_level`",
    ),
    (
        "visible_when = { field = \"cover_level\", is = 5 }",
        "visible_when = { field = \"start_date\", set = true }",
        "`start_date` is declared later than it is used here",
    ),
    (
        "visible_when = { field = \"cover_type\", is = 2 }",
        "visible_when = { field = \"key_cover\", is = true }",
        "`key_cover` is declared later than it is used here",
    ),
    (
        "visible_when = { field = \"cover_type\", is = 2 }",
        "visible_when = { field = \"persons.title\", is = 2 }",
        "a condition names fields without a dot, not `persons.title`",
    ),
    (
        "default = 1\n",
        "default = 3\n",
        "default 3 is no option of `cover_length`",
    ),
    ("kind = \"radio\"", "kind = \"dial\"", ""),
    (
        "{ name = \"5-9\", from = 5",
        "{ name = \"5-9\", from = 4",
        "band `5-9` overlaps the one before it",
    ),
    (
        "{ name = \"5-9\", from = 5",
        "{ name = \"5-9\", from = 6",
        "nothing covers 5 before band `5-9`",
    ),
    (
        "{ name = \"0-4\", from = 0",
        "{ name = \"0-4\", from = 1",
        "band `0-4` starts at 1; nothing covers 0",
    ),
    (
        "{ name = \"13+\", from = 13 }",
        "{ name = \"13+\", from = 13, to = 20 }",
        "the last band has no `to`: it covers all above",
    ),
    (
        "[1, 1, 28.50]",
        "[1, 1, 28.505]",
        "the figure of a row must be a number with at most 2 decimals",
    ),
    (
        "when = { field = \"excess\", is = 1 }",
        "when = { field = \"excess\" }",
        "the condition on `excess` needs exactly one of `is`, `in`, `at_least`, `at_most`, `set`",
    ),
    (
        "text = \"{cover_type} cover\"",
        "text = \"{cover_typ} cover\"",
        "there is no field `cover_typ`",
    ),
    (
        "assume = { vehicle_type = 1 }\n",
        "",
        "`assumed` needs `assume`",
    ),
    (
        "outcome = \"decline\"",
        "outcome = \"no\"",
        "unknown variant `no`, expected `refer` or `decline`",
    ),
    (
        "effective_from = 2024-01-01",
        "effective_from = \"soon\"",
        "invalid type: string \"soon\", expected a TOML datetime",
    ),
    (
        "countries = [\"GB\", \"IM\"",
        "countries = [\"GB\", \"UA\"",
        "the map has no outline of a country `UA`",
    ),
    (
        "countries = [\"GB\", \"IM\", \"GG\", \"JE\"]",
        "countries = []",
        "`countries` needs at least one country",
    ),
    (
        "field = \"cover_level\"\ncountries",
        "field = \"start_date\"\ncountries",
        "`start_date` has no options",
    ),
    (
        "home_miles = 1",
        "home_miles = -1",
        "`home_miles` must be zero or more",
    ),
    (
        "level = [\n  { value = 1 },",
        "level = [\n  { value = 1 }, { value = 7 },",
        "7 is no option of `cover_level`",
    ),
    (
        "abroad = \"trips.trip_destination\"",
        "abroad = \"title\"",
        "the map has no outline of a country ``",
    ),
    (
        ", abroad_help = \"help",
        ", help = \"help",
        "unknown field `help`, expected one of `value`, `at_home`, `recovery`, `abroad`, `abroad_help`",
    ),
    (
        "field = \"vehicles.vehicle_registration\"",
        "field = \"vehicles.vehicle_make\"",
        "the way in is a `registration` of a dataset that repeats",
    ),
    (
        "answers = { cover_type = 2 }\nother",
        "answers = { cover_type = 3 }\nother",
        "3 is no option of `cover_type`",
    ),
    (
        "other = \"or cover yourself",
        "othr = \"or cover yourself",
        "unknown field `othr`, expected one of `field`, `label`, `button`, `answers`, `other`, `other_answers`",
    ),
];

#[test]
fn names_the_line_of_each_kind_of_mistake() {
    for (from, to, says) in MADE {
        let at = format!("b.toml:{}: ", line(from));
        let found = mistakes(&[(from, to)]);
        let here = found.iter().find(|mistake| mistake.starts_with(&at));
        let here = here.unwrap_or_else(|| panic!("nothing at {at} in {found:#?}"));
        assert!(here.ends_with(says), "{here}");
    }
}

#[test]
fn an_exclusion_says_what_is_wrong_with_it() {
    let exclusion = |id: &str| line(&format!("[[exclusion]]\nid = \"{id}\""));
    let home = "answers = { cover_level = 2 }";
    for (from, to, at, says) in [
        (
            "id = \"tow\"",
            "id = \"Tow\"",
            line("id = \"tow\""),
            "`id` is a word of small letters, digits and underscores",
        ),
        (
            "id = \"tow\"",
            "id = \"at_home\"",
            line("id = \"tow\""),
            "there are two exclusions `at_home`",
        ),
        (
            "section = \"Home cover\"",
            "section = \"House cover\"",
            exclusion("at_home"),
            "the wording has no section \"House cover\"",
        ),
        (
            home,
            "answers = { cover_level = 6 }",
            line(home),
            "6 is no option of `cover_level`",
        ),
        (
            home,
            "answers = { cover_level = 3 }",
            line(home),
            "the exclusion is still there with the `answers` of its `fix`",
        ),
        (
            home,
            "answers = {}",
            line(home),
            "`answers` needs at least one answer",
        ),
        (
            "button = \"Change to Local and home\", ",
            "",
            line(home),
            "missing field `button`",
        ),
        (
            "instead = \"You may buy the miles",
            "# \"You may buy the miles",
            exclusion("tow"),
            "missing field `instead`",
        ),
    ] {
        let found = mistakes(&[(from, to)]);
        let wanted = format!("b.toml:{at}: {says}");
        assert!(found.contains(&wanted), "{wanted} isn't in {found:#?}");
    }
}

#[test]
fn finds_holes_and_doubles_in_a_table() {
    let step = line("[[tariff.step]]");
    assert_eq!(
        mistakes(&[("[1, 1, 28.50], ", ""), ("[5, 3, 80.00],", "")]),
        [format!(
            "b.toml:{step}: the table has no row for cover_level, vehicle_type = [1, 1], [5, 3]"
        )]
    );
    let row = line("[1, 1, 28.50]");
    assert_eq!(
        mistakes(&[("[1, 1, 28.50], ", "[1, 1, 28.50], [1, 1, 29.00], ")]),
        [format!("b.toml:{row}: this row is there twice")]
    );
    assert_eq!(
        mistakes(&[("[1, 1, 28.50], ", "[1, 1, 28.50], [9, 1, 29.00], ")]),
        [format!("b.toml:{row}: 9 is no value of `cover_level`")]
    );
}

#[test]
fn every_choice_says_how_far_it_reaches_and_once() {
    let section = line("[coverage_map]");
    assert_eq!(
        mistakes(&[("  { value = 2, at_home = true },\n", "")]),
        [format!(
            "b.toml:{section}: no `level` says how far 2 reaches"
        )]
    );
    assert_eq!(
        mistakes(&[("  { value = 1 },\n", "  { value = 1 },\n  { value = 1 },\n")]),
        [format!("b.toml:{section}: `level` 1 is there twice")]
    );
}

#[test]
fn finds_what_stands_twice_or_out_of_order() {
    let found = mistakes(&[
        ("name = \"excess\"", "name = \"cover_level\""),
        (
            "id = 3\nidentifier = \"vehicles\"",
            "id = 2\nidentifier = \"vehicles\"",
        ),
        ("number = 2", "number = 3"),
        ("datasets = [\"extras\"]", "datasets = [\"extra\"]"),
        ("value = 2, label = \"Van\"", "value = 1, label = \"Van\""),
    ]);
    let text = found.join("\n");
    for says in [
        "field `cover_level` is there twice",
        "dataset id 2 is there twice",
        "step 3 is out of order; this one must be 2",
        "there is no dataset `extra`",
        "no step shows dataset `extras`",
        "option 1 is there twice",
        "there is no field `excess`",
    ] {
        assert!(text.contains(says), "{says} isn't in\n{text}");
    }
    let lines: Vec<usize> = found
        .iter()
        .map(|m| m.split(':').nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(lines.is_sorted(), "{text}");
}

#[test]
fn the_tariff_may_only_use_rateable_fields() {
    let found = mistakes(&[(
        "name = \"excess\"\nlabel = \"Would you like a £30 excess?\"\nnoun = \"£30 excess\"\nkind = \"yes_no\"\nrateable = true",
        "name = \"excess\"\nlabel = \"Excess\"\nkind = \"yes_no\"",
    )]);
    assert!(
        found[0].ends_with("the tariff uses `excess`, which isn't `rateable`"),
        "{found:?}"
    );
}

#[test]
fn what_isn_t_toml_is_said_with_its_line() {
    let mistakes = try_parse("b.toml", "[product]\nid = \n").unwrap_err();
    assert_eq!(mistakes[0].line, 2);
    let empty = try_parse("b.toml", "").unwrap_err();
    let texts: Vec<_> = empty.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["b.toml:1: missing field `product`"]);
}

#[test]
fn a_file_with_five_mistakes_of_meaning_names_all_five_with_their_lines() {
    let made = [
        (
            "reference_prefix = \"BRK\"",
            "reference_prefix = \"brk\"",
            "`reference_prefix` is a few capital letters",
        ),
        (
            "home_miles = 1",
            "home_miles = -1",
            "`home_miles` must be zero or more",
        ),
        (
            "default = 1\n",
            "default = 3\n",
            "default 3 is no option of `cover_length`",
        ),
        (
            "section = \"Home cover\"",
            "section = \"\"",
            "`section` is empty",
        ),
        (
            "[1, 1, 28.50]",
            "[9, 1, 28.50]",
            "9 is no value of `cover_level`",
        ),
    ];
    let found = mistakes(&made.map(|(from, to, _)| (from, to)));
    for (from, _, says) in made {
        let wanted = format!("b.toml:{}: {says}", line(from));
        assert!(found.contains(&wanted), "{wanted} isn't in {found:#?}");
    }
    // A mistake of type is reported alone, because nothing else can be checked before.
    let [prefix, ..] = made.map(|(from, to, _)| (from, to));
    assert_eq!(
        mistakes(&[prefix, ("id = 1\n", "id = \"one\"\n")]),
        [format!(
            "b.toml:{}: `id`: invalid type: string \"one\", expected u32",
            line("id = 1\n")
        )]
    );
}

#[test]
fn a_list_is_no_table() {
    let min_date = "min_date = { from = \"today\", days = 1 }";
    let default = "default = { from = \"today\", days = 1 }";
    let free = "free_when = { utm_campaign";
    for (from, to, key) in [
        (min_date, "min_date = [\"today\"]", "min_date"),
        (free, "free_when = [] # ", "free_when"),
        ("entries = [", "entries = [[], ", "entries"),
    ] {
        let says = format!("`{key}`: invalid type: sequence, expected a table");
        let wanted = format!("b.toml:{}: {says}", line(from));
        assert_eq!(mistakes(&[(from, to)]), [wanted]);
    }
    let list = [
        ("[product]\n", "affiliates = []\n[product]\n"),
        ("[affiliates]", "[others]"),
    ];
    let says = "`affiliates`: invalid type: sequence, expected a table";
    let wanted = format!("b.toml:{}: {says}", line("[product]\n"));
    assert_eq!(mistakes(&list), [wanted]);
    let says = "must be an answer, or a date such as { from = \"today\", days = 1 }";
    let wanted = format!("b.toml:{}: `default`: {says}", line(default));
    let list = "default = [\"today\"]";
    assert_eq!(mistakes(&[(default, list)]), [wanted]);
}
