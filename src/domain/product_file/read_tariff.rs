//! Reads `[tariff]` and fills its tables.

use super::names::{NameScope, Names};
use super::read_rules::Rules;
use super::read_table::{Key, table};
use super::reader::{FileReader, Section};
use crate::domain::campaign::FreeWhen;
use crate::domain::condition::Literal;
use crate::domain::premium_tax::PremiumTax;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::fields::FieldKind;
use crate::domain::product::rules::TextTemplate;
use crate::domain::product::tariff::{Figure, KeySource, Measure, StepKind, Tariff, TariffStep};

/// What is needed to read a tariff.
pub(super) struct TariffReader<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) source: &'a FileReader<'a>,
    measures: Vec<NamedMeasure>,
}

struct NamedMeasure {
    name: String,
    measure: Measure,
    bands: Vec<(String, i64)>,
}

impl<'a> TariffReader<'a> {
    pub(super) fn new(names: &'a Names<'a>, source: &'a FileReader<'a>) -> Self {
        Self {
            names,
            source,
            measures: Vec::new(),
        }
    }

    fn rules(&self) -> Rules<'a> {
        Rules {
            names: self.names,
            source: self.source,
        }
    }

    pub(super) fn read(mut self, section: Option<Section>) -> Tariff {
        let Some(section) = section else {
            return Tariff::default();
        };
        let needs = section.texts("needs");
        let needs = needs
            .iter()
            .filter_map(|name| self.rated(&section, name, None))
            .collect();
        for inner in section.sections("measure") {
            if let Some(measure) = self.measure(inner) {
                self.measures.push(measure);
            }
        }
        let steps: Vec<_> = section
            .sections("step")
            .into_iter()
            .map(|s| self.step(s))
            .collect();
        if steps.is_empty() {
            section.report("a tariff needs at least one `step`");
        }
        let tax = section.decimal("tax_percent", 2);
        if !tax.is_some_and(|tax| (0..=10_000).contains(&tax)) {
            section.report_at("tax_percent", "`tax_percent` is a number from 0 to 100");
        }
        let tariff = Tariff {
            needs,
            measures: self.measures.iter().map(|named| named.measure).collect(),
            steps: steps.into_iter().flatten().collect(),
            tax: PremiumTax::of_basis_points(tax.unwrap_or(0)),
            tax_label: section.need_text("tax_label"),
        };
        section.done();
        tariff
    }

    /// A field the price depends on; the website watches those, so each must
    /// say so itself.
    fn rated(&self, section: &Section, name: &str, own: Option<usize>) -> Option<FieldRef> {
        let field_ref = match self.names.resolve(name, NameScope { own, before: None }) {
            Ok(field_ref) => field_ref,
            Err(text) => {
                section.report(text);
                return None;
            }
        };
        self.must_be_rateable(section, field_ref);
        Some(field_ref)
    }

    fn must_be_rateable(&self, section: &Section, field_ref: FieldRef) {
        if let Some(field) = self.names.field(field_ref)
            && !field.rateable
        {
            section.report(format!(
                "the tariff uses `{}`, which isn't `rateable`",
                field.name
            ));
        }
    }

    fn measure(&self, section: Section) -> Option<NamedMeasure> {
        let name = section.need_text("name");
        if self.measures.iter().any(|known| known.name == name) {
            section.report(format!("measure `{name}` is there twice"));
        }
        if self.names.resolve(&name, NameScope::default()).is_ok() {
            section.report(format!("`{name}` is already the name of a field"));
        }
        let kind = section.need_text("kind");
        let of = |key: &'static str| self.rated(&section, &section.need_text(key), None);
        let dated = |field_ref: Option<FieldRef>| {
            let kind = field_ref
                .and_then(|field_ref| self.names.field(field_ref))
                .map(|f| f.kind);
            if field_ref.is_some() && kind != Some(FieldKind::Date) {
                section.report(format!("measure `{name}` needs a date"));
            }
            field_ref
        };
        let (measure, least) = match kind.as_str() {
            "years" => (dated(of("field")).map(Measure::Years), 0),
            "days" => {
                let (from, to) = (dated(of("from")), dated(of("to")));
                (from.zip(to).map(|(from, to)| Measure::Days(from, to)), 1)
            }
            "number" => {
                let field_ref = of("field");
                let field = field_ref.and_then(|field_ref| self.names.field(field_ref));
                if field.is_some_and(|field| field.kind != FieldKind::Number) {
                    section.report(format!("measure `{name}` needs a number or a count"));
                }
                let least = field.and_then(|field| field.validation.min).unwrap_or(0);
                (field_ref.map(Measure::Number), least)
            }
            "position" => (
                self.rules()
                    .repeatable(&section, "dataset")
                    .map(Measure::Position),
                1,
            ),
            _ => {
                section.report_at(
                    "kind",
                    "a measure's `kind` is `years`, `days`, `number` or `position`",
                );
                (None, 0)
            }
        };
        let bands = self.bands(&section, least);
        section.done();
        Some(NamedMeasure {
            name,
            measure: measure?,
            bands,
        })
    }

    /// Bands must begin at the least the measure can be, follow one another
    /// without gap or overlap, and leave the last one open.
    fn bands(&self, section: &Section, least: i64) -> Vec<(String, i64)> {
        let mut bands: Vec<(String, i64)> = Vec::new();
        let listed = section.sections("bands");
        let last = listed.len().saturating_sub(1);
        let mut due = None;
        for (index, band) in listed.into_iter().enumerate() {
            let name = band.need_text("name");
            let from = band.whole("from").unwrap_or(0);
            let to = band.whole("to");
            if bands.iter().any(|(known, _)| *known == name) {
                band.report(format!("band `{name}` is there twice"));
            }
            match due {
                None if from > least => {
                    band.report(format!(
                        "band `{name}` starts at {from}; nothing covers {least}"
                    ));
                }
                Some(due) if from < due => {
                    band.report(format!("band `{name}` overlaps the one before it"));
                }
                Some(due) if from > due => {
                    band.report(format!("nothing covers {due} before band `{name}`"));
                }
                _ => {}
            }
            match to {
                None if index < last => band.report(format!("band `{name}` needs `to`")),
                Some(_) if index == last => {
                    band.report("the last band has no `to`: it covers all above");
                }
                Some(to) if to < from => {
                    band.report(format!("band `{name}` ends before it starts"))
                }
                _ => {}
            }
            due = Some(to.unwrap_or(from) + 1);
            bands.push((name, from));
            band.done();
        }
        bands
    }

    fn step(&self, section: Section) -> Option<TariffStep> {
        let each = self.rules().repeatable(&section, "each");
        let when = self.rules().when(&section, "when", each);
        if let Some(rule) = &when {
            rule.each_field(&mut |field_ref| self.must_be_rateable(&section, *field_ref));
        }
        let kind = match section.need_text("kind").as_str() {
            "amount" => StepKind::Amount,
            "charge" => StepKind::Charge,
            "percent" => StepKind::Percent,
            "minimum" => StepKind::Minimum,
            _ => {
                section.report_at(
                    "kind",
                    "a step's `kind` is `amount`, `charge`, `percent` or `minimum`",
                );
                StepKind::Amount
            }
        };
        if kind == StepKind::Minimum && each.is_some() {
            section.report_at(
                "each",
                "a minimum is for the whole price, not for each instance",
            );
        }
        let times = section.text("times");
        let times = times.and_then(|name| self.used_measure(&section, &name, each));
        if times.is_some() && !matches!(kind, StepKind::Amount | StepKind::Charge) {
            section.report_at("times", "`times` is for kinds `amount` and `charge`");
        }
        let free = section.section("free_when").map(|inner| {
            let free = FreeWhen {
                campaigns: inner.texts("utm_campaign"),
                mediums: inner.texts("utm_medium"),
                sources: inner.texts("utm_source"),
                note: inner.need_text("note"),
            };
            inner.done();
            free
        });
        section.need_text("label");
        let label = self.rules().template(&section, "label", each);
        self.label_is_of_the_whole(&section, &label);
        let code = section.need_text("code");
        let figure = self.figure(&section, each);
        let least = match kind {
            StepKind::Percent => Some(-10_000),
            StepKind::Minimum => Some(0),
            StepKind::Amount | StepKind::Charge => None,
        };
        if let (Some(least), Some(figure)) = (least, &figure)
            && figure.values().any(|value| value < least)
        {
            section.report("a percentage is at least -100, a minimum at least 0");
        }
        section.done();
        Some(TariffStep {
            code,
            label,
            when,
            each,
            kind,
            figure: figure?,
            times,
            free,
        })
    }

    fn label_is_of_the_whole(&self, section: &Section, label: &TextTemplate) {
        for piece in &label.pieces {
            if let crate::domain::product::rules::Piece::Answer(field_ref) = piece {
                self.must_be_rateable(section, *field_ref);
            }
        }
    }

    fn used_measure(&self, section: &Section, name: &str, each: Option<usize>) -> Option<usize> {
        let found = self.measures.iter().position(|known| known.name == name);
        let Some(measure) = found.and_then(|at| self.measures.get(at)) else {
            section.report(format!("there is no measure `{name}`"));
            return None;
        };
        let own = match measure.measure {
            Measure::Position(dataset) => Some(dataset),
            Measure::Years(field_ref) => self.names.repeats(field_ref),
            Measure::Days(..) | Measure::Number(_) => None,
        };
        if own.is_some() && own != each {
            section.report(format!(
                "`{name}` only has a meaning in a step with its own `each`"
            ));
        }
        found
    }

    fn figure(&self, section: &Section, each: Option<usize>) -> Option<Figure> {
        let keys = section.texts("keys");
        let rows = section.node("rows");
        let fixed = section.decimal("figure", 2);
        match (keys.is_empty(), rows, section.has("figure")) {
            (true, None, true) => fixed.map(Figure::Fixed),
            (false, Some(rows), false) => {
                let compiled: Vec<_> = keys.iter().map(|k| self.key(section, k, each)).collect();
                let keys = compiled.into_iter().collect::<Option<Vec<_>>>()?;
                table(self.source, section, &keys, rows)
            }
            _ => {
                section.report("a step has either a `figure`, or `keys` and `rows`");
                None
            }
        }
    }

    fn key(&self, section: &Section, name: &str, each: Option<usize>) -> Option<Key> {
        if let Some(named) = self.measures.iter().find(|known| known.name == name) {
            let measure = self.used_measure(section, name, each)?;
            if named.bands.is_empty() {
                section.report(format!("measure `{name}` has no bands, so it is no key"));
            }
            let (names, starts): (Vec<_>, Vec<_>) = named.bands.iter().cloned().unzip();
            return Some(Key {
                name: name.to_owned(),
                by: KeySource::Band(measure, starts),
                values: names.into_iter().map(Literal::Text).collect(),
            });
        }
        let field_ref = self.rated(section, name, each)?;
        if self
            .names
            .repeats(field_ref)
            .is_some_and(|d| Some(d) != each)
        {
            section.report(format!("`{name}` repeats: the step needs `each`"));
        }
        let field = self.names.field(field_ref);
        let options = field.map_or(&[][..], |field| &field.options);
        let (by, values) = if field.is_some_and(|field| field.kind == FieldKind::Checkbox) {
            (
                KeySource::Flag(field_ref),
                vec![Literal::Bool(false), Literal::Bool(true)],
            )
        } else {
            let values = options
                .iter()
                .filter_map(|option| Literal::of(&option.value));
            (KeySource::Option(field_ref), values.collect())
        };
        if values.is_empty() {
            section.report(format!(
                "`{name}` has no options; a number needs a `measure` with bands"
            ));
            return None;
        }
        Some(Key {
            name: name.to_owned(),
            by,
            values,
        })
    }
}
