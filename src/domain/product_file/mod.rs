//! Reads a product's TOML file: every mistake is reported with its line, names become
//! positions in the form, and the price that "from ..." promises is worked out.

mod compile_form;
mod default_texts;
mod locked_fields;
mod names;
mod price_dependencies;
mod read_first_page;
mod read_form;
mod read_gaps;
mod read_info;
mod read_options;
mod read_rules;
mod read_steps;
mod read_table;
mod read_tariff;
mod read_texts;
mod reader;
mod underwriting_fields;
mod waiting_times;

use toml::de::DeTable;

pub(crate) use read_texts::FILE_ENDS as DOCUMENTS_FILE_ENDS;
pub use reader::Mistake;
use reader::{FileReader, Section};

use super::answers::Answers;
use super::campaign::Campaign;
use super::money::Pence;
use super::product::fields::{Dataset, Form};
use super::product::form_json::FormJson;
use super::product::info::AffiliateEntries;
use super::product::stepper::StepperKind;
use super::product::{CompiledProduct, Product};
use super::{form, rating};

/// A product, and the file of documents that its own file names.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The product.
    pub product: Product,
    /// Name and text of the file beside, where there is one.
    pub beside: Option<(String, String)>,
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
        let source = FileReader::new(file_name, text);
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

    /// The price of a few answers, the rest being what a price assumes.
    fn price_of(&self, answers: &Answers) -> Option<Pence> {
        let today = self.effective_from;
        let checked = form::check(self, answers, form::Scope::Rate, today);
        let price = rating::price(self, &checked.answers, today, &Campaign::default());
        price.ok().map(|price| price.total)
    }
}

/// Every dataset whose instances are counted, with none more.
fn counted(datasets: &[Dataset]) -> Vec<(usize, usize)> {
    let all = datasets.iter().enumerate();
    let counted = all.filter(|(_, dataset)| dataset.count_field.is_some());
    counted.map(|(index, _)| (index, 0)).collect()
}

fn read(
    source: &FileReader,
    document: &DeTable,
    beside: &dyn Fn(&str) -> Option<String>,
) -> Option<Parsed> {
    let root = Section::root(source, document);
    let (datasets, raw) = read_form::datasets(&root);
    let names = names::Names::of(&datasets);
    let compiled = compile_form::compile(&datasets, &raw, &names, source);
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
    let gaps = read_gaps::Reader {
        rules,
        info: read_info::Reader {
            names: &names,
            source,
        },
    };
    let gaps = gaps.read(&root);
    let steps = read_steps::Steps {
        names: &names,
        source,
        datasets: &datasets,
        generic: identity.info.stepper == StepperKind::Generic,
    };
    let stepper = steps.read(root.need_section("stepper"));
    let written = root.section("documents");
    let written = written.map(|section| read_texts::read(source, section, beside));
    root.done();
    let (texts, beside) = written.unwrap_or_else(|| {
        let said = default_texts::ProductFacts {
            info: &identity.info,
            terms: &terms,
            datasets: &datasets,
            underwriting: &underwriting,
        };
        (said.texts(), None)
    });
    gaps.check_sections(source, &texts);
    identity.info.gaps = gaps.published;
    let mut compiled = CompiledProduct {
        datasets: compiled,
        term: term?,
        tariff,
        monthly,
        underwriting,
        summary: summary_plans,
        needs: need_plans,
        gaps: gaps.rules,
        affiliates,
    };
    waiting_times::check(&compiled, &raw, source);
    let entries = compiled.affiliates.iter().map(|(dataset, more)| {
        let dataset = compiled.datasets.get(*dataset)?.name.clone();
        Some(AffiliateEntries {
            dataset,
            more: *more,
        })
    });
    identity.info.affiliates = entries.flatten().collect();
    price_dependencies::mark(&mut compiled);
    let mut datasets = datasets;
    locked_fields::lock(&mut compiled, &mut datasets);
    identity.info.watch = price_dependencies::watch(&compiled);
    underwriting_fields::mark(&mut compiled);
    identity.info.decides = underwriting_fields::list(&compiled);
    let form = Form {
        product_identifier: identity.info.product_identifier.clone(),
        product_id: identity.info.product_id,
        datasets,
    };
    let mut product = Product {
        form_json: FormJson::default(),
        form,
        effective_from: identity.effective_from?,
        reference_prefix: identity.reference_prefix,
        info: identity.info,
        stepper,
        terms,
        texts,
        compiled,
    };
    product.form = product.form();
    product.form_json = FormJson::of(&product.form);
    if let Some((answers, line)) = identity.price_from.filter(|_| source.is_clean()) {
        product.info.price_from = product.price_of(&answers);
        if product.info.price_from.is_none() {
            source.report(line, "the answers of `price_from` have no price");
        }
    }
    Some(Parsed { product, beside })
}
