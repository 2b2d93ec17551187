//! Reads `[product]`, `[presets]`, `[assumptions]`, `[help]` and `[way_in]`: who the product is
//! and what is said of it.

use chrono::NaiveDate;
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::names::{NameScope, Names};
use super::read_first_page;
use super::read_form::instance;
use super::reader::{FileReader, Node, Section};
use crate::domain::answers::Answers;
use crate::domain::condition::Literal;
use crate::domain::dates::TERM_DAYS;
use crate::domain::document::ProductDocument;
use crate::domain::product::first_page::{Reach, WayIn};
use crate::domain::product::info::{Assumptions, DocumentLink, Help, Info, Need, SummaryRule};
use crate::domain::product::rules::Terms;
use crate::domain::product::stepper::StepperKind;

/// What is needed to read the identity.
pub(super) struct Reader<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) source: &'a FileReader<'a>,
}

/// What `[product]` and `[presets]` say.
pub(super) struct Identity {
    pub(super) info: Info,
    pub(super) effective_from: Option<NaiveDate>,
    pub(super) reference_prefix: String,
    /// The answers of the smallest price, and their line.
    pub(super) price_from: Option<(Answers, usize)>,
}

impl Reader<'_> {
    pub(super) fn read(
        &self,
        root: &Section,
        terms: &Terms,
        summary: Vec<SummaryRule>,
        needs: Vec<Need>,
    ) -> Identity {
        let mut identity = Identity {
            info: Info {
                product_id: 0,
                product_identifier: String::new(),
                product_title: String::new(),
                product_short_title: String::new(),
                version: String::new(),
                currency: String::new(),
                locale: String::new(),
                money_format: String::new(),
                stepper: StepperKind::default(),
                min_bind_days: 0,
                quote_valid_days: terms.quote_valid_days,
                renewal_lead_days: terms.renewal_lead_days,
                term_days: TERM_DAYS,
                headline: String::new(),
                facts: Vec::new(),
                price_from: None,
                price_from_for: None,
                summary,
                documents: Vec::new(),
                sample: false,
                price_note: None,
                needs,
                gaps: Vec::new(),
                assumptions: root.section("assumptions").map(assumptions),
                help: root.section("help").map(help),
                reach: root.section("reach").map(|section| self.reach(section)),
                way_in: root.section("way_in").map(|section| self.way_in(section)),
                affiliates: Vec::new(),
                presets: self.presets(root.section("presets")),
                watch: Vec::new(),
                decides: Vec::new(),
            },
            effective_from: None,
            reference_prefix: String::new(),
            price_from: None,
        };
        if let Some(section) = root.need_section("product") {
            self.product(section, &mut identity);
        }
        identity
    }

    fn product(&self, section: Section, identity: &mut Identity) {
        let info = &mut identity.info;
        info.product_id = u32::try_from(section.need_count("id")).unwrap_or(0);
        info.product_identifier = section.need_text("identifier");
        info.product_title = section.need_text("title");
        info.product_short_title = section.need_text("short_title");
        info.version = section.need_text("version");
        info.currency = section.need_text("currency");
        info.locale = section.need_text("locale");
        info.money_format = section.need_text("money_format");
        let stepper = section.need_text("stepper");
        if section.has("min_bind_days") {
            info.min_bind_days = section.need_count("min_bind_days");
        }
        info.headline = section.need_text("headline");
        info.facts = section.texts("facts");
        info.sample = section.flag("sample", false);
        info.price_note = section.text("price_note");
        let word = |text: &str| {
            !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        };
        if !word(&info.product_identifier) {
            section.report_at(
                "identifier",
                "`identifier` is a word of small letters and hyphens",
            );
        }
        match StepperKind::ALL.iter().find(|(known, _)| *known == stepper) {
            Some((_, known)) => info.stepper = *known,
            None => section.report_at("stepper", "`stepper` is `form` or `generic`"),
        }
        identity.effective_from = section.date("effective_from");
        identity.reference_prefix = section.need_text("reference_prefix");
        if !identity
            .reference_prefix
            .bytes()
            .all(|b| b.is_ascii_uppercase())
        {
            section.report_at(
                "reference_prefix",
                "`reference_prefix` is a few capital letters",
            );
        }
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        if !identity.info.version.bytes().all(plain) {
            section.report_at(
                "version",
                "`version` is letters, digits, full stops and hyphens: it is part of addresses",
            );
        }
        identity.info.documents = documents(&identity.info);
        identity.price_from = section
            .section("price_from")
            .map(|inner| (self.price_from(&inner), inner.line));
        identity.info.price_from_for = section.text("price_from_for");
        if section.has("price_from_for") && !section.has("price_from") {
            section.report_at("price_from_for", "`price_from_for` needs `price_from`");
        }
        section.done();
    }

    /// Answers to top-level fields, and a list of instances for each repeatable dataset named.
    fn price_from(&self, section: &Section) -> Answers {
        let mut answers = Answers::default();
        for (name, node) in section.entries() {
            if !node.is_list() {
                answers.values.extend(self.answer(name, node));
                continue;
            }
            match self.names.repeatable(&name) {
                Ok(dataset) => {
                    let sections = node.items(&name).into_iter();
                    let instances = sections.filter_map(|item| {
                        let read = instance(&item.section("an instance")?);
                        self.names.check_instance(self.source, dataset, &read);
                        Some(read.0)
                    });
                    answers.multi.insert(name, instances.collect());
                }
                Err(text) => self.source.report(node.line, text),
            }
        }
        answers
    }

    fn reach(&self, section: Section) -> Reach {
        let names = self.names;
        read_first_page::Reader { names }.reach(section)
    }

    /// The answer that leads into the form: a registration that can be given for each of several.
    fn way_in(&self, section: Section) -> WayIn {
        let field = section.need_text("field");
        let found = self.names.resolve(&field, NameScope::default());
        let found = found.and_then(|field_ref| {
            let kind = self.names.field(field_ref).map(|field| field.kind);
            let repeats = self.names.repeats(field_ref).is_some();
            match kind {
                Some(kind) if kind.is_registration() && repeats => Ok(()),
                _ => Err("the way in is a `registration` of a dataset that repeats".into()),
            }
        });
        if let Err(text) = found {
            section.report_at("field", text);
        }
        let answers = |key| {
            let read = section.need_section(key);
            let read: Map<String, Value> = read.map(|read| self.answers(&read)).unwrap_or_default();
            read
        };
        let way_in = WayIn {
            label: section.need_text("label"),
            button: section.need_text("button"),
            answers: answers("answers"),
            other: section.need_text("other"),
            other_answers: answers("other_answers"),
            field,
        };
        section.done();
        way_in
    }

    fn presets(&self, section: Option<Section>) -> IndexMap<String, Map<String, Value>> {
        let entries = section.map(|section| section.entries());
        let preset = |(word, node): (String, super::reader::Node)| {
            let section = node.section(&format!("preset `{word}`"))?;
            Some((word, self.answers(&section)))
        };
        entries.into_iter().flatten().filter_map(preset).collect()
    }

    /// Answers to top-level fields, each of which must be possible.
    pub(super) fn answers(&self, section: &Section) -> Map<String, Value> {
        let entries = section.entries().into_iter();
        entries
            .filter_map(|(name, node)| self.answer(name, node))
            .collect()
    }

    fn answer(&self, name: String, node: Node) -> Option<(String, Value)> {
        let value = node.scalar(&format!("`{name}`"))?;
        let literal = Literal::of(&value)?;
        let field_ref = self.names.resolve(&name, NameScope::default());
        let fits = field_ref.and_then(|field_ref| self.names.check_value(field_ref, &literal));
        if let Err(text) = fits {
            self.source.report(node.line, text);
        }
        Some((name, value))
    }
}

/// The documents that every product has, wording first.
fn documents(info: &Info) -> Vec<DocumentLink> {
    ProductDocument::ALL
        .into_iter()
        .map(|kind| DocumentLink {
            identifier: kind.identifier(&info.product_identifier, &info.version),
            title: kind.title().to_owned(),
        })
        .collect()
}

fn assumptions(section: Section) -> Assumptions {
    let assumptions = Assumptions {
        title: section.need_text("title"),
        intro: section.text("intro"),
        points: section.texts("points"),
    };
    if assumptions.points.is_empty() {
        section.report_at("points", "assumptions need at least one of `points`");
    }
    section.done();
    assumptions
}

fn help(section: Section) -> Help {
    let help = Help {
        title: section.need_text("title"),
        text: section.need_text("text"),
        event: section.text("event"),
        assistance: section.flag("assistance", false),
        phone: section.text("phone"),
    };
    if help.assistance && help.phone.is_some() {
        section.report_at("phone", "`phone` and `assistance` name two numbers to call");
    }
    section.done();
    help
}
