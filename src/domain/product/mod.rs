//! A product is data: one TOML file with its form, steps, tariff, underwriting,
//! texts and terms. Here it is read, checked and compiled.

mod derived;
pub(crate) mod form_text;
mod link_form;
mod lock;
mod names;
pub(crate) mod plan;
mod rated;
mod read_form;
mod read_info;
mod read_rules;
mod read_steps;
mod read_table;
mod read_tariff;
mod read_texts;
pub(crate) mod rules;
pub mod shape;
mod source;
pub(crate) mod tariff;
pub mod texts;

use chrono::NaiveDate;
use indexmap::IndexMap;
use toml::de::DeTable;

pub(crate) use read_texts::FILE_ENDS as DOCUMENTS_FILE_ENDS;
pub use rules::Terms;
pub use shape::{Dataset, DateLimit, Field, Form, Info, Kind, StepperData};
pub use source::Mistake;
pub use texts::Texts;

use crate::domain::adjustment::TaxWithin;
use crate::domain::answers::Answers;
use crate::domain::campaign::Campaign;
use crate::domain::condition::Scalar;
use crate::domain::money::Pence;
use crate::domain::{form, rating};
use form_text::FormText;
use plan::{DatasetPlan, Default as Start, FieldPlan, FieldRef};
use rules::{LinePlan, MonthlyPlan, TermPlan, UnderwritingRule};
use shape::AffiliateEntries;
use tariff::Tariff;

/// A product, read and compiled.
#[derive(Clone, Debug)]
pub struct Product {
    pub(crate) form: Form,
    pub(crate) form_text: FormText,
    info: Info,
    stepper: StepperData,
    effective_from: NaiveDate,
    reference_prefix: String,
    terms: Terms,
    texts: Texts,
    pub(crate) plan: Plan,
}

/// A product, and the file of documents that its own file names.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The product.
    pub product: Product,
    /// Name and text of the file beside, where there is one.
    pub beside: Option<(String, String)>,
}

/// What the engine works from.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub datasets: Vec<DatasetPlan>,
    pub term: TermPlan,
    pub tariff: Tariff,
    pub monthly: Option<MonthlyPlan>,
    pub underwriting: Vec<UnderwritingRule>,
    pub summary: Vec<LinePlan>,
    pub needs: Vec<LinePlan>,
    /// What an affiliate's list counts: a dataset, and how many more than its instances.
    pub affiliates: Vec<(usize, usize)>,
}

impl Plan {
    /// A field by its place.
    pub fn field(&self, place: FieldRef) -> Option<&FieldPlan> {
        match place {
            FieldRef::Cell { dataset, field } => self.datasets.get(dataset)?.fields.get(field),
            FieldRef::Count(_) => None,
        }
    }
}

impl Product {
    /// Reads a product file that names no other. Every mistake in it is reported, in the order
    /// of the file.
    pub fn parse(file_name: &str, text: &str) -> Result<Self, Vec<Mistake>> {
        Self::parse_with(file_name, text, &|_| None).map(|parsed| parsed.product)
    }

    /// Reads a product file and the file of documents it may name, whose text `beside` finds.
    /// Every mistake in both is reported, in the order of the files.
    pub fn parse_with(
        file_name: &str,
        text: &str,
        beside: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Parsed, Vec<Mistake>> {
        let source = source::Source::new(file_name, text);
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let line = source.line_at(error.span().map_or(0, |span| span.start));
            source.report(line, format!("this isn't TOML: {}", error.message()));
        }
        if !source.is_clean() {
            return Err(source.into_mistakes());
        }
        match read(&source, document.get_ref(), beside) {
            Some(parsed) if source.is_clean() => Ok(parsed),
            _ => Err(source.into_mistakes()),
        }
    }

    /// The form as it stands before any answer; defaults that move with the
    /// day are null, see [`Product::form_on`].
    pub fn form(&self) -> Form {
        self.form_on(self.effective_from, false)
    }

    /// The form as it stands on a day before any answer, with the defaults
    /// of that day.
    pub fn form_for(&self, today: NaiveDate) -> Form {
        self.form_on(today, true)
    }

    fn form_on(&self, today: NaiveDate, moving: bool) -> Form {
        let mut form = self.form.clone();
        let unanswered = |_: &FieldRef| Scalar::Missing;
        for (dataset, plan) in form.datasets.iter_mut().zip(&self.plan.datasets) {
            let nothing = &unanswered;
            dataset.visible = plan
                .visible_when
                .as_ref()
                .is_none_or(|rule| rule.holds(nothing));
            for (field, plan) in dataset.fields.iter_mut().zip(&plan.fields) {
                let holds = plan
                    .visible_when
                    .as_ref()
                    .is_none_or(|rule| rule.holds(nothing));
                field.visible = dataset.visible && holds && !plan.force_hidden;
                for (shape, limit) in [
                    (&mut field.validation.min_date, &plan.min_date),
                    (&mut field.validation.max_date, &plan.max_date),
                ] {
                    if let (Some(shape), Some(limit)) = (shape.as_mut(), limit) {
                        shape.days = (limit.after(today) - today).num_days();
                    }
                }
                if let (true, Some(start @ Start::Date(_))) = (moving, &plan.default) {
                    let value = start.value(today, nothing);
                    field.default = value.clone();
                    field.value = value;
                }
            }
        }
        form
    }

    /// What the shop says about it.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The steps that lead through its form.
    pub fn stepper(&self) -> &StepperData {
        &self.stepper
    }

    /// The stepper with only the steps of one context; `None` when there is
    /// no such context.
    pub fn stepper_in(&self, context: &str) -> Option<StepperData> {
        let mut stepper = self.stepper.clone();
        stepper.product_steps.retain(|known, _| known == context);
        if stepper.product_steps.is_empty() {
            return None;
        }
        stepper.default = context.to_owned();
        Some(stepper)
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.form.product_id
    }

    /// Its identifier.
    pub fn identifier(&self) -> &str {
        &self.form.product_identifier
    }

    /// Version of its file.
    pub fn version(&self) -> &str {
        &self.info.version
    }

    /// The day from which new quotes use this version.
    pub fn effective_from(&self) -> NaiveDate {
        self.effective_from
    }

    /// What its references begin with.
    pub fn reference_prefix(&self) -> &str {
        &self.reference_prefix
    }

    /// The price of a few answers, the rest being what a price assumes.
    fn price_of(&self, answers: &Answers) -> Option<Pence> {
        let today = self.effective_from;
        let checked = form::check(self, answers, form::Scope::Rate, today);
        let price = rating::price(self, &checked.answers, today, &Campaign::default());
        price.ok().map(|price| price.total)
    }

    /// How many entries an affiliate's list has at the most for so many instances: the
    /// largest of what the file counts, or of all counts where it doesn't say.
    pub fn affiliate_entries(&self, counts: &IndexMap<String, usize>) -> usize {
        let count = |dataset: usize| {
            let field = self.plan.datasets.get(dataset)?.count_field.as_ref()?;
            counts.get(field).copied()
        };
        let entries = self.plan.affiliates.iter();
        let entries = entries.map(|(dataset, more)| count(*dataset).unwrap_or(0) + more);
        entries.max().unwrap_or(0).max(1)
    }

    /// What its documents say.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The share of an inclusive premium that is tax, by its tariff.
    pub fn tax_within(&self) -> TaxWithin {
        let tax = self.plan.tariff.tax;
        (tax, 10_000 + tax)
    }

    /// Its life-cycle terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
}

/// Every dataset whose instances are counted, with none more.
fn counted(datasets: &[Dataset]) -> Vec<(usize, usize)> {
    let all = datasets.iter().enumerate();
    let counted = all.filter(|(_, dataset)| dataset.count_field.is_some());
    counted.map(|(index, _)| (index, 0)).collect()
}

fn read(
    source: &source::Source,
    document: &DeTable,
    beside: &dyn Fn(&str) -> Option<String>,
) -> Option<Parsed> {
    let root = source::Section::root(source, document);
    let (datasets, raw) = read_form::datasets(&root);
    let names = names::Names::of(&datasets);
    let plans = link_form::link(&datasets, &raw, &names, source);
    let rules = read_rules::Rules {
        names: &names,
        source,
    };
    let terms = rules.terms(root.need_section("terms"));
    let term = rules.term(root.need_section("term"), &terms);
    let monthly = rules.monthly(root.section("monthly"));
    let underwriting = rules.underwriting(&root);
    let affiliates = match root.section("affiliates") {
        Some(section) => rules.affiliates(section),
        None => counted(&datasets),
    };
    let (summary, summary_plans) = rules.summary(&root).into_iter().unzip();
    let (needs, need_plans) = rules.needs(&root).into_iter().unzip();
    let tariff = read_tariff::TariffReader::new(&names, source).read(root.need_section("tariff"));
    let identity = read_info::Reader {
        names: &names,
        source,
    };
    let mut identity = identity.read(&root, &terms, summary, needs);
    let steps = read_steps::Steps {
        names: &names,
        source,
        datasets: &datasets,
        generic: identity.info.stepper == "generic",
    };
    let stepper = steps.read(root.need_section("stepper"));
    let written = root.section("documents");
    let written = written.map(|section| read_texts::read(source, section, beside));
    root.done();
    let (texts, beside) = written.unwrap_or_else(|| {
        let said = derived::Said {
            info: &identity.info,
            terms: &terms,
            datasets: &datasets,
            underwriting: &underwriting,
        };
        (said.texts(), None)
    });
    let mut plan = Plan {
        datasets: plans,
        term: term?,
        tariff,
        monthly,
        underwriting,
        summary: summary_plans,
        needs: need_plans,
        affiliates,
    };
    let entries = plan.affiliates.iter().map(|(dataset, more)| {
        let dataset = plan.datasets.get(*dataset)?.name.clone();
        Some(AffiliateEntries {
            dataset,
            more: *more,
        })
    });
    identity.info.affiliates = entries.flatten().collect();
    rated::mark(&mut plan);
    let mut datasets = datasets;
    lock::lock(&mut plan, &mut datasets);
    identity.info.watch = rated::watch(&plan);
    let form = Form {
        product_identifier: identity.info.product_identifier.clone(),
        product_id: identity.info.product_id,
        datasets,
    };
    let mut product = Product {
        form_text: FormText::default(),
        form,
        effective_from: identity.effective_from?,
        reference_prefix: identity.reference_prefix,
        info: identity.info,
        stepper,
        terms,
        texts,
        plan,
    };
    product.form = product.form();
    product.form_text = FormText::of(&product.form);
    if let Some((answers, line)) = identity.price_from.filter(|_| source.is_clean()) {
        product.info.price_from = product.price_of(&answers);
        if product.info.price_from.is_none() {
            source.report(line, "the answers of `price_from` have no price");
        }
    }
    Some(Parsed { product, beside })
}
