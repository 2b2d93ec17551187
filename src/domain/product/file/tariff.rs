//! Checks `[tariff]`, compiles it and fills its tables.

use super::names::{NameScope, Names};
use super::rules::Rules;
use super::source::SourceLine;
use super::table::{self, RawTableKey};
use super::tariff_file::{self as file, MeasureKind};
use crate::domain::money::premium_tax::PremiumTax;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::condition::Literal;
use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::rules::Piece;
use crate::domain::product::tariff::{Figure, KeySource, Measure, StepKind, Tariff, TariffStep};

/// The context to compile a tariff.
pub(super) struct TariffCompiler<'a> {
    names: &'a Names<'a>,
    rules: Rules<'a>,
    measures: Vec<NamedMeasure>,
}

struct NamedMeasure {
    name: String,
    measure: Measure,
    bands: Vec<(String, i64)>,
}

impl<'a> TariffCompiler<'a> {
    pub(super) fn new(rules: Rules<'a>) -> Self {
        Self {
            names: rules.names,
            rules,
            measures: Vec::new(),
        }
    }

    pub(super) fn compile(mut self, file: file::RawTariff, place: SourceLine) -> Tariff {
        let needs = file.needs.iter().zip(place.items("needs"));
        let needs = needs
            .filter_map(|(name, place)| self.rated(name, place, None))
            .collect();
        for (measure, place) in file.measures.iter().zip(place.items("measure")) {
            if let Some(measure) = self.compile_measure(measure, place) {
                self.measures.push(measure);
            }
        }
        if file.steps.is_empty() {
            place.report("a tariff needs at least one `step`");
        }
        let steps = file.steps.into_iter().zip(place.items("step"));
        let steps = steps
            .filter_map(|(step, place)| self.step(step, place))
            .collect();
        if !(0..=10_000).contains(&file.tax_percent.0) {
            place.report_key("tax_percent", "is a number from 0 to 100");
        }
        Tariff {
            needs,
            measures: self.measures.iter().map(|named| named.measure).collect(),
            steps,
            tax: PremiumTax::from_basis_points(file.tax_percent.0),
            tax_label: file.tax_label,
        }
    }

    /// Returns a field that the price depends on. Reports an unknown name. Also reports a field
    /// that is not rateable, because the website watches only rateable fields.
    fn rated(&self, name: &str, place: SourceLine, own: Option<usize>) -> Option<FieldRef> {
        let found = self.names.resolve(name, NameScope { own, before: None });
        let field_ref = found.map_err(|text| place.report(text)).ok()?;
        self.check_rateable(field_ref, place);
        Some(field_ref)
    }

    fn check_rateable(&self, field_ref: FieldRef, place: SourceLine) {
        if let Some(field) = self.names.field(field_ref)
            && !field.rateable
        {
            place.report(format!(
                "the tariff uses `{}`, which isn't `rateable`",
                field.name
            ));
        }
    }

    fn compile_measure(&self, file: &file::RawMeasure, place: SourceLine) -> Option<NamedMeasure> {
        let name = &file.name;
        if self
            .measures
            .iter()
            .any(|candidate| candidate.name == *name)
        {
            place.report(format!("measure `{name}` is there twice"));
        }
        if self.names.resolve(name, NameScope::default()).is_ok() {
            place.report(format!("`{name}` is already the name of a field"));
        }
        let named = |key: &str, name: &Option<String>| {
            let place = place.key(key);
            if name.is_none() {
                place.report(format!("`{key}` is missing"));
            }
            self.rated(name.as_ref()?, place, None)
        };
        let dated = |key: &str, name: &Option<String>| {
            let field_ref = named(key, name)?;
            let field = self.names.field(field_ref);
            if field.is_none_or(|field| field.kind != FieldKind::Date) {
                place.report(format!("measure `{}` needs a date", file.name));
            }
            Some(field_ref)
        };
        let allow = |keys: &[&str], kind: &str| {
            let keys = [keys, &["name", "kind", "bands"]].concat();
            place.allow(&keys, &format!("kind `{kind}`"));
        };
        let (measure, least) = match file.kind {
            MeasureKind::Years => {
                allow(&["field"], "years");
                (dated("field", &file.field).map(Measure::Years), 0)
            }
            MeasureKind::Days => {
                allow(&["from", "to"], "days");
                let (from, to) = (dated("from", &file.from), dated("to", &file.to));
                (from.zip(to).map(|(from, to)| Measure::Days(from, to)), 1)
            }
            MeasureKind::Number => {
                allow(&["field"], "number");
                let field_ref = named("field", &file.field);
                let field = field_ref.and_then(|field_ref| self.names.field(field_ref));
                if field.is_some_and(|field| field.kind != FieldKind::Number) {
                    place.report(format!("measure `{name}` needs a number or a count"));
                }
                let least = field.and_then(|field| field.validation.min).unwrap_or(0);
                (field_ref.map(Measure::Number), least)
            }
            MeasureKind::Position => {
                allow(&["dataset"], "position");
                let dataset = file.dataset.as_deref().unwrap_or_default();
                let dataset = self.rules.repeatable(dataset, place, "dataset");
                (dataset.map(Measure::Position), 1)
            }
        };
        let bands = check_bands(&file.bands, least, &place.items("bands"));
        Some(NamedMeasure {
            name: name.clone(),
            measure: measure?,
            bands,
        })
    }

    fn step(&self, file: file::RawStep, place: SourceLine) -> Option<TariffStep> {
        let each = file.each.as_ref();
        let each = each.and_then(|name| self.rules.repeatable(name, place, "each"));
        let when = self
            .rules
            .compile_condition(file.when.as_ref(), place, each);
        if let Some(rule) = &when {
            rule.each_field(&mut |field_ref| self.check_rateable(*field_ref, place));
        }
        let kind = file.kind;
        if kind == StepKind::Minimum && each.is_some() {
            place
                .key("each")
                .report("a minimum is for the whole price, not for each instance");
        }
        let times = file.times.as_ref();
        let times = times.and_then(|name| self.find_measure(name, place, each));
        if times.is_some() && !matches!(kind, StepKind::Amount | StepKind::Charge) {
            place.report_key("times", "is for kinds `amount` and `charge`");
        }
        let label = self.rules.template(&file.label, place.key("label"), each);
        for piece in &label.pieces {
            if let Piece::Answer(field_ref) = piece {
                self.check_rateable(*field_ref, place);
            }
        }
        let figure = self.compile_figure(&file, place, each);
        let least = match kind {
            StepKind::Percent => Some(-10_000),
            StepKind::Minimum => Some(0),
            StepKind::Amount | StepKind::Charge => None,
        };
        if let (Some(least), Some(figure)) = (least, &figure)
            && figure.values().any(|value| value < least)
        {
            place.report("a percentage is at least -100, a minimum at least 0");
        }
        Some(TariffStep {
            code: file.code,
            label,
            when,
            each,
            kind,
            figure: figure?,
            times,
            free: file.free_when,
        })
    }

    fn find_measure(&self, name: &str, place: SourceLine, each: Option<usize>) -> Option<usize> {
        let found = self
            .measures
            .iter()
            .position(|candidate| candidate.name == name);
        let Some(measure) = found.and_then(|index| self.measures.get(index)) else {
            place.report(format!("there is no measure `{name}`"));
            return None;
        };
        let own = match measure.measure {
            Measure::Position(dataset) => Some(dataset),
            Measure::Years(field_ref) => self.names.repeatable_dataset(field_ref),
            Measure::Days(..) | Measure::Number(_) => None,
        };
        if own.is_some() && own != each {
            place.report(format!(
                "`{name}` only has a meaning in a step with its own `each`"
            ));
        }
        found
    }

    fn compile_figure(
        &self,
        file: &file::RawStep,
        place: SourceLine,
        each: Option<usize>,
    ) -> Option<Figure> {
        match (file.keys.as_slice(), &file.rows, file.figure) {
            ([], None, Some(figure)) => Some(Figure::Fixed(figure.0)),
            (keys @ [_, ..], Some(rows), None) => {
                let keys: Vec<_> = keys.iter().map(|key| self.key(key, place, each)).collect();
                let keys = keys.into_iter().collect::<Option<Vec<_>>>()?;
                table::fill(&keys, rows, place)
            }
            _ => {
                place.report("a step has either a `figure`, or `keys` and `rows`");
                None
            }
        }
    }

    fn key(&self, name: &str, place: SourceLine, each: Option<usize>) -> Option<RawTableKey> {
        if let Some(named) = self
            .measures
            .iter()
            .find(|candidate| candidate.name == name)
        {
            let measure = self.find_measure(name, place, each)?;
            if named.bands.is_empty() {
                place.report(format!("measure `{name}` has no bands, so it is no key"));
            }
            let (names, starts): (Vec<_>, Vec<_>) = named.bands.iter().cloned().unzip();
            return Some(RawTableKey {
                name: name.to_owned(),
                by: KeySource::Band(measure, starts),
                values: names.into_iter().map(Literal::Text).collect(),
            });
        }
        let field_ref = self.rated(name, place, each)?;
        if self
            .names
            .repeatable_dataset(field_ref)
            .is_some_and(|d| Some(d) != each)
        {
            place.report(format!("`{name}` repeats: the step needs `each`"));
        }
        let field = self.names.field(field_ref);
        let (by, values) = if field.is_some_and(|field| field.kind == FieldKind::Checkbox) {
            (
                KeySource::Flag(field_ref),
                vec![Literal::Bool(false), Literal::Bool(true)],
            )
        } else {
            let options = field.into_iter().flat_map(|field| &field.options);
            let values = options.filter_map(|option| Literal::from_json(&option.value));
            (KeySource::Option(field_ref), values.collect())
        };
        if values.is_empty() {
            place.report(format!(
                "`{name}` has no options; a number needs a `measure` with bands"
            ));
            return None;
        }
        Some(RawTableKey {
            name: name.to_owned(),
            by,
            values,
        })
    }
}

/// Returns the name and start of each band. Reports repeated names, gaps, overlaps, and a band that
/// ends before its start. The last band must have no end, and all other bands must have an end. The
/// first band must not start above the measure's minimum.
fn check_bands(listed: &[file::Band], least: i64, places: &[SourceLine]) -> Vec<(String, i64)> {
    let mut bands: Vec<(String, i64)> = Vec::new();
    let last = listed.len().saturating_sub(1);
    let mut due = None;
    for (index, (band, place)) in listed.iter().zip(places).enumerate() {
        let file::Band { name, from, to } = band;
        let from = *from;
        if bands.iter().any(|(candidate, _)| candidate == name) {
            place.report(format!("band `{name}` is there twice"));
        }
        match due {
            None if from > least => {
                place.report(format!(
                    "band `{name}` starts at {from}; nothing covers {least}"
                ));
            }
            Some(due) if from < due => {
                place.report(format!("band `{name}` overlaps the one before it"));
            }
            Some(due) if from > due => {
                place.report(format!("nothing covers {due} before band `{name}`"));
            }
            _ => {}
        }
        match to {
            None if index < last => place.report(format!("band `{name}` needs `to`")),
            Some(_) if index == last => {
                place.report("the last band has no `to`: it covers all above");
            }
            Some(to) if *to < from => {
                place.report(format!("band `{name}` ends before it starts"));
            }
            _ => {}
        }
        due = Some(to.unwrap_or(from).saturating_add(1));
        bands.push((name.clone(), from));
    }
    bands
}
