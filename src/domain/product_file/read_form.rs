//! Reads `[[dataset]]` and `[[dataset.field]]`.

use serde_json::{Map, Value};

use super::read_options::options;
use super::reader::{Node, Section};
use crate::domain::condition::Condition;
use crate::domain::product::fields::{
    Confirm, Dataset, DateLimit, Field, FieldKind, Lookup, Validation, Width,
};

/// A dataset as it was read, before its names are looked up.
pub(super) struct RawDataset {
    pub(super) line: usize,
    pub(super) visible_line: usize,
    pub(super) assume: Option<RawInstance>,
    pub(super) samples: Vec<RawInstance>,
    pub(super) fields: Vec<RawField>,
}

/// Answers of one instance, and their line.
pub(super) type RawInstance = (Map<String, Value>, usize);

/// A field as it was read; what the website is told is in [`Field`].
pub(super) struct RawField {
    pub(super) line: usize,
    pub(super) visible_line: usize,
    pub(super) default: Option<RawDefault>,
    pub(super) price_default: Vec<(Option<(Condition, usize)>, RawDefault)>,
    pub(super) computed: Option<RawDateLimit>,
    pub(super) min_date: Option<RawDateLimit>,
    pub(super) max_date: Option<RawDateLimit>,
    pub(super) option_lines: Vec<usize>,
    pub(super) missing: Option<String>,
    pub(super) at_accept: bool,
    pub(super) unique: bool,
    pub(super) required_line: usize,
    pub(super) lookup_line: usize,
    pub(super) waiting: Option<RawWaiting>,
}

/// The first days in which an extra pays for nothing.
pub(super) struct RawWaiting {
    pub(super) days: i64,
    pub(super) line: usize,
}

pub(super) enum RawDefault {
    Value(Value, usize),
    Date(RawDateLimit),
}

#[derive(Clone)]
pub(super) struct RawDateLimit {
    pub(super) from: String,
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) line: usize,
}

impl RawDateLimit {
    /// The wire's form of it. Months have no fixed length in days, so they
    /// are filled in when the form is made for a day.
    fn published(&self) -> DateLimit {
        DateLimit {
            from: self.from.clone(),
            days: self.days,
        }
    }
}

/// What a date counts from where it moves with the day.
const TODAY: &str = "today";

/// Instances a repeatable dataset may have at most (specification, part 9:
/// "Add Another" is off above 9).
const MOST_INSTANCES: usize = 10;

pub(super) fn datasets(root: &Section) -> (Vec<Dataset>, Vec<RawDataset>) {
    let sections = root.sections("dataset");
    if sections.is_empty() {
        root.report("a product needs at least one `[[dataset]]`");
    }
    sections.into_iter().map(dataset).unzip()
}

fn dataset(section: Section) -> (Dataset, RawDataset) {
    let multi = section.flag("multi", false);
    let visible = section.condition("visible_when");
    let count = |key| section.whole(key).and_then(|n| usize::try_from(n).ok());
    let (min, max) = (count("min"), count("max"));
    let noun = section.text("noun");
    let plural = section.text("plural");
    let confirm = section.section("confirm").map(|inner| {
        let confirm = Confirm {
            remove: inner.need_text("remove"),
            clear: inner.need_text("clear"),
        };
        inner.done();
        confirm
    });
    let assume = section.section("assume").map(|inner| instance(&inner));
    let samples = section.sections("samples").iter().map(instance).collect();
    let mut published = Dataset {
        id: u32::try_from(section.need_count("id")).unwrap_or(0),
        identifier: section.need_text("identifier"),
        title: section.need_text("title"),
        description: section.text("description"),
        multi,
        min: min.unwrap_or(if multi { 0 } else { 1 }),
        max: max.unwrap_or(if multi { MOST_INSTANCES } else { 1 }),
        count_field: section.text("count_field"),
        noun,
        plural: None,
        confirm,
        assumed: section.text("assumed"),
        statements: section.texts("statements"),
        visible_when: visible.as_ref().map(|(condition, _)| condition.clone()),
        visible: true,
        fields: Vec::new(),
        instances: None,
    };
    if published.min > published.max || published.max == 0 {
        section.report("`min` must not be above `max`, and `max` not zero");
    }
    if !multi {
        for key in [
            "min",
            "max",
            "count_field",
            "noun",
            "plural",
            "confirm",
            "assume",
        ] {
            if section.has(key) {
                section.report_at(key, format!("`{key}` needs `multi = true`"));
            }
        }
    }
    if section.has("assumed") && !section.has("assume") {
        section.report_at("assumed", "`assumed` needs `assume`");
    }
    let fields: Vec<_> = section.sections("field").into_iter().map(field).collect();
    let (own, raw) = fields.into_iter().unzip();
    published.fields = own;
    if multi {
        let usual = || published.noun.as_ref().map(|noun| format!("{noun}s"));
        published.plural = plural.or_else(usual).or(Some(published.identifier.clone()));
    }
    let raw = RawDataset {
        line: section.line,
        visible_line: visible.map_or(section.line, |(_, line)| line),
        assume,
        samples,
        fields: raw,
    };
    section.done();
    (published, raw)
}

/// Single answers by their fields' names.
pub(super) fn instance(section: &Section) -> RawInstance {
    let entries = section.entries().into_iter();
    let values = entries.filter_map(|(key, node)| {
        let value = node.scalar(&format!("`{key}`"))?;
        Some((key, value))
    });
    (values.collect(), section.line)
}

fn field(section: Section) -> (Field, RawField) {
    let kind = kind(&section);
    let visible = section.condition("visible_when");
    let display_only = section.flag("display_only", false);
    let force_hidden = section.flag("force_hidden", false);
    let asked = !display_only && !force_hidden && kind != FieldKind::Checkbox;
    let required_when = section.condition("required_when");
    let (lookup, lookup_line) = lookup(&section, kind);
    let default = section.node("default").and_then(default);
    let limits = [
        limit(section.node("min_date")),
        limit(section.node("max_date")),
    ];
    let [min_date, max_date] = limits;
    let length = |key| section.whole(key).and_then(|n| usize::try_from(n).ok());
    let validation = Validation {
        min_length: length("min_length"),
        max_length: length("max_length"),
        min: section.whole("min"),
        max: section.whole("max"),
        min_date: min_date.as_ref().map(RawDateLimit::published),
        max_date: max_date.as_ref().map(RawDateLimit::published),
    };
    check_limits(&section, kind, &validation);
    let (options, option_lines) = options(&section, kind);
    let start = match &default {
        Some(RawDefault::Value(value, _)) => value.clone(),
        _ if kind == FieldKind::Checkbox => Value::Bool(false),
        _ => Value::Null,
    };
    let default_from = match &default {
        Some(RawDefault::Date(limit)) if limit.from == TODAY => Some(limit.published()),
        _ => None,
    };
    let published = Field {
        name: section.need_text("name"),
        label: section.need_text("label"),
        kind,
        value: start.clone(),
        default: start,
        default_from,
        visible: true,
        display_only,
        locked: section.flag("locked", false),
        force_hidden,
        required: section.flag("required", asked && required_when.is_none()),
        required_when: required_when
            .as_ref()
            .map(|(condition, _)| condition.clone()),
        folded: section.flag("folded", false),
        group: section.text("group"),
        lookup,
        rateable: section.flag("rateable", false),
        errors: Vec::new(),
        help: section.text("help"),
        why: section.text("why"),
        options,
        visible_when: visible.as_ref().map(|(condition, _)| condition.clone()),
        validation,
        width: width(&section),
        autocomplete: section.text("autocomplete"),
    };
    let raw = RawField {
        line: section.line,
        visible_line: visible.map_or(section.line, |(_, line)| line),
        default,
        price_default: price_defaults(&section),
        computed: limit(section.node("value_from")),
        min_date,
        max_date,
        option_lines,
        missing: section.text("missing"),
        at_accept: section.flag("asked_at_accept", false),
        unique: section.flag("unique", false),
        required_line: required_when.map_or(section.line, |(_, line)| line),
        lookup_line,
        waiting: waiting(&section, kind),
    };
    section.done();
    (published, raw)
}

/// `lookup = { make = "vehicle_make", ... }`, and its line.
fn lookup(section: &Section, kind: FieldKind) -> (Option<Lookup>, usize) {
    let Some(inner) = section.section("lookup") else {
        return (kind.is_lookup().then(Lookup::default), section.line);
    };
    if !kind.is_lookup() {
        section.report_at(
            "lookup",
            "`lookup` is for kinds `vehicle_lookup` and `address_lookup`",
        );
    }
    let of =
        |wanted: FieldKind, key: &'static str| (kind == wanted).then(|| inner.text(key)).flatten();
    let of_vehicle = |key: &'static str| of(FieldKind::VehicleLookup, key);
    let read = Lookup {
        make: of_vehicle("make"),
        model: of_vehicle("model"),
        colour: of_vehicle("colour"),
        fuel: of_vehicle("fuel"),
        first_registered: of_vehicle("first_registered"),
        mot_note: of_vehicle("mot_note"),
        tax_note: of_vehicle("tax_note"),
        lines: of(FieldKind::AddressLookup, "lines"),
    };
    let line = inner.line;
    inner.done();
    (Some(read), line)
}

fn waiting(section: &Section, kind: FieldKind) -> Option<RawWaiting> {
    let node = section.node("waiting_days")?;
    let line = node.line;
    let days = node.decimal("`waiting_days`", 0)?;
    if kind != FieldKind::Checkbox {
        section.report_at("waiting_days", "`waiting_days` is for kind `checkbox`");
    }
    if days < 1 {
        section.report_at("waiting_days", "`waiting_days` is at least 1");
    }
    Some(RawWaiting { days, line })
}

fn width(section: &Section) -> Option<Width> {
    let name = section.text("width")?;
    let found = Width::ALL.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        section.report_at("width", "`width` is `full`, `half` or `third`");
    }
    found.map(|(_, width)| *width)
}

fn kind(section: &Section) -> FieldKind {
    let name = section.need_text("kind");
    let found = FieldKind::ALL.iter().find(|(known, _)| *known == name);
    if found.is_none() && section.has("kind") {
        let known: Vec<_> = FieldKind::ALL.iter().map(|(known, _)| *known).collect();
        let known = known.join("`, `");
        section.report_at(
            "kind",
            format!("`{name}` is no kind of field; known: `{known}`"),
        );
    }
    found.map_or(FieldKind::Text, |(_, kind)| *kind)
}

fn check_limits(section: &Section, kind: FieldKind, validation: &Validation) {
    let dated = validation.min_date.is_some() || validation.max_date.is_some();
    let numbered = validation.min.is_some() || validation.max.is_some();
    let measured = validation.min_length.is_some() || validation.max_length.is_some();
    if dated && kind != FieldKind::Date {
        section.report("`min_date` and `max_date` are for kind `date`");
    }
    if numbered && kind != FieldKind::Number {
        section.report("`min` and `max` are for kind `number`");
    }
    if measured && !matches!(kind, FieldKind::Text | FieldKind::Address) {
        section.report("`min_length` and `max_length` are for kinds `text` and `address`");
    }
    if validation
        .min
        .zip(validation.max)
        .is_some_and(|(min, max)| min > max)
    {
        section.report("`min` is above `max`");
    }
    let lengths = validation.min_length.zip(validation.max_length);
    if lengths.is_some_and(|(min, max)| min > max) {
        section.report("`min_length` is above `max_length`");
    }
}

fn default(node: Node) -> Option<RawDefault> {
    if node.is_table() {
        return limit(Some(node)).map(RawDefault::Date);
    }
    let line = node.line;
    node.scalar("`default`")
        .map(|value| RawDefault::Value(value, line))
}

fn price_defaults(section: &Section) -> Vec<(Option<(Condition, usize)>, RawDefault)> {
    let cases = section.sections("price_default");
    let case = |case: Section| {
        let when = case.condition("when");
        let value = case.node("value");
        if value.is_none() {
            case.report("`value` is missing");
        }
        case.done();
        Some((when, value.and_then(default)?))
    };
    cases.into_iter().filter_map(case).collect()
}

/// `{ from = "today", days = 1 }`, with `months` or `years` for longer spans.
pub(super) fn limit(node: Option<Node>) -> Option<RawDateLimit> {
    let section = node?.section("a date limit")?;
    let years = section.whole("years").unwrap_or(0);
    let raw = RawDateLimit {
        from: section.need_text("from"),
        months: section.whole("months").unwrap_or(0) + 12 * years,
        days: section.whole("days").unwrap_or(0),
        line: section.line,
    };
    if raw.months.abs() > 2400 || raw.days.abs() > 73_000 {
        section.report("a date limit reaches at most 200 years");
    }
    section.done();
    Some(raw)
}
