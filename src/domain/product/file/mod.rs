//! Reads a product's TOML file. Reports each mistake with its line. Replaces names by positions in
//! the form. The module also calculates the "from ..." price.

mod compile_form;
mod default_texts;
pub(crate) mod exclusions;
mod first_page;
mod info;
mod locked_fields;
mod names;
mod price_dependencies;
mod publish_form;
pub(crate) mod raw;
mod rules;
mod source;
mod steps;
mod table;
mod tariff;
mod tariff_file;
mod texts;
mod underwriting_fields;
mod waiting_times;

pub use source::Mistake;
pub(crate) use texts::FILE_ENDS as DOCUMENTS_FILE_ENDS;

use names::Names;
use raw::ProductFile;
use source::{ProductSource, SourceLine};

use crate::domain::money::Pence;
use crate::domain::payment::renewal_text;
use crate::domain::product::fields::Form;
use crate::domain::product::form::{self, Scope};
use crate::domain::product::form_json::FormJson;
use crate::domain::product::info::Info;
use crate::domain::product::rating;
use crate::domain::product::{CompiledProduct, Product};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::Campaign;
use crate::domain::time::dates::TERM_DAYS;

/// A product, and the documents file that its own file names.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub product: Product,
    /// Name and text of the documents file, if there is one.
    pub documents_file: Option<(String, String)>,
}

impl Product {
    /// Reads a product file without a documents file. Reports all mistakes of syntax. If there are
    /// none, reports the first mistake of type. If there is none either, reports all mistakes of
    /// meaning in the order of the file.
    pub fn parse(file_name: &str, text: &str) -> Result<Self, Vec<Mistake>> {
        Self::parse_with(file_name, text, &|_| None).map(|parsed| parsed.product)
    }

    /// Reads a product file and the documents file that it may name. `find_file` returns the text
    /// of a file, or `None` for a missing file. Reports the mistakes of the product file, and then the
    /// mistakes of the documents file.
    pub fn parse_with(
        file_name: &str,
        text: &str,
        find_file: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Parsed, Vec<Mistake>> {
        let source = ProductSource::new(file_name, text);
        let parsed = source.read(|file, root| compile(file, root, find_file));
        match parsed.flatten() {
            Some(parsed) if source.is_clean() => Ok(parsed),
            _ => Err(source.into_mistakes()),
        }
    }

    /// Returns the total price of `answers`, on the first day of the product version. Missing
    /// answers get the answers that a price assumes. Returns `None` if the answers have no price.
    fn price_of(&self, answers: &Answers) -> Option<Pence> {
        let today = self.effective_from();
        let checked = form::check(self, answers, Scope::Rate, today);
        let price = rating::price(self, &checked.answers, today, &Campaign::default());
        price.ok().map(|price| price.total)
    }
}

fn compile(
    mut file: ProductFile,
    root: SourceLine,
    find_file: &dyn Fn(&str) -> Option<String>,
) -> Option<Parsed> {
    publish_form::publish(&mut file.datasets, root);
    let datasets = &file.datasets;
    let names = Names::new(datasets);
    let rules = rules::Rules { names: &names };
    info::check(&file, &names, root);
    if let Some(map) = &mut file.coverage_map {
        first_page::complete(&names, map, root.key("coverage_map"));
    }
    let mut info = Info {
        quote_valid_days: file.terms.quote_valid_days,
        renewal_consent: renewal_text(file.terms.renewal_lead_days, file.monthly.is_some()),
        term_days: TERM_DAYS,
        summary: file.summary,
        documents: info::documents(&file.product),
        needs: file.needs,
        exclusions: file.exclusions,
        assumptions: file.assumptions,
        help: file.help,
        coverage_map: file.coverage_map,
        start_field: file.start_field,
        presets: file.presets,
        ..file.product
    };
    rules::check_terms(&file.terms, root.key("terms"));
    let steps = steps::Steps {
        names: &names,
        datasets,
        kind: info.stepper,
    };
    steps.check(&file.stepper, root.key("stepper"));
    let underwriting = file.underwriting.iter().zip(root.items("underwriting"));
    let underwriting: Vec<_> = underwriting
        .map(|(rule, place)| rules.underwriting(rule, place))
        .collect();
    let written = file.documents;
    let is_monthly = file.monthly.is_some();
    let written =
        written.map(|section| texts::texts(section, is_monthly, root.key("documents"), find_file));
    let (texts, documents) = written.unwrap_or_else(|| {
        let facts = default_texts::ProductFacts {
            info: &info,
            terms: &file.terms,
            is_monthly,
            datasets,
            underwriting: &underwriting,
        };
        (facts.texts(), None)
    });
    let term = rules.term(&file.term, &file.terms, root.key("term"));
    info.affiliates = match file.affiliates {
        Some(list) => info::affiliates(datasets, list.entries, root.key("affiliates")),
        None => info::counted_datasets(datasets),
    };
    let monthly = file.monthly.as_ref();
    let summary = info.summary.iter().zip(root.items("summary"));
    let needs = info.needs.iter().zip(root.items("need"));
    let mut compiled = CompiledProduct {
        datasets: compile_form::compile(datasets, &names, root),
        tariff: tariff::TariffCompiler::new(rules).compile(file.tariff, root.key("tariff")),
        monthly: monthly.map(|monthly| rules::compile_monthly(monthly, root.key("monthly"))),
        underwriting,
        summary: summary
            .map(|(line, place)| rules.summary(line, place))
            .collect(),
        needs: needs.map(|(need, place)| rules.need(need, place)).collect(),
        exclusions: exclusions::compile(rules, &info.exclusions, &texts, root),
        // This field is evaluated last, so that a wrong term doesn't hide the mistakes of the
        // fields above.
        term: term?,
    };
    waiting_times::check(&compiled, datasets, root);
    let price_from = root.key("product").key("price_from");
    let cheapest = info.price_from_answers.as_ref();
    let cheapest = cheapest.map(|answers| info::price_from(&names, answers, price_from));
    price_dependencies::mark(&mut compiled);
    locked_fields::lock(&mut compiled, &mut file.datasets);
    info.watch = price_dependencies::collect_dependencies(&compiled);
    underwriting_fields::mark(&mut compiled);
    info.decides = underwriting_fields::list(&compiled);
    let mut product = Product {
        form_json: FormJson::default(),
        form: Form {
            product_identifier: info.product_identifier.clone(),
            product_id: info.product_id,
            datasets: file.datasets,
        },
        info,
        stepper: file.stepper,
        terms: file.terms,
        texts,
        compiled,
    };
    product.info.offers = info::offers(&product.compiled.tariff);
    product.form = product.form();
    product.form_json = FormJson::new(&product.form);
    if let Some(answers) = cheapest.filter(|_| root.source.is_clean()) {
        product.info.price_from = product.price_of(&answers);
        if product.info.price_from.is_none() {
            price_from.report("the answers of `price_from` have no price");
        }
    }
    Some(Parsed {
        product,
        documents_file: documents,
    })
}
