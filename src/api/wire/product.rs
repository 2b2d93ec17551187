//! Products as the website reads them: the form, what the shop says of the product, and its steps.

use indexmap::IndexMap;
use poem_openapi::Enum;
use serde::Serialize;

use super::answers::Values;
use super::first_page::{Reach, WayIn};
use super::form::{Condition, Form};
use super::gap::Gap;
use super::published::answer;
use super::{Named, Pounds};
use crate::domain::product::{info, stepper};

/// Which stepper leads through a form: steps 1, 2, 3 or steps 10, 20, 30.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "stepper::StepperKind")]
#[serde(rename_all = "snake_case")]
pub enum Stepper {
    Form,
    Generic,
}

answer! {
    /// A line of the summary card: a text with `{field}` in it, and when it is there.
    pub struct SummaryRule {
        code: String,
        text: String,
        upper: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        when: Option<Condition>,
    }
}

impl From<info::SummaryRule> for SummaryRule {
    fn from(rule: info::SummaryRule) -> Self {
        let info::SummaryRule {
            code,
            text,
            upper,
            when,
        } = rule;
        Self {
            code,
            text,
            upper,
            when: when.map(Condition::from),
        }
    }
}

answer! {
    /// A demands-and-needs sentence, and when it is said.
    pub struct Need {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        when: Option<Condition>,
    }
}

impl From<info::Need> for Need {
    fn from(need: info::Need) -> Self {
        let info::Need { text, when } = need;
        Self {
            text,
            when: when.map(Condition::from),
        }
    }
}

answer! {
    /// What the cover takes for granted, to be read before it is bought.
    pub struct Assumptions {
        title: String,
        /// A sentence before the points.
        #[serde(skip_serializing_if = "Option::is_none")]
        intro: Option<String>,
        points: Vec<String>,
    }
}

impl From<info::Assumptions> for Assumptions {
    fn from(assumptions: info::Assumptions) -> Self {
        let info::Assumptions {
            title,
            intro,
            points,
        } = assumptions;
        Self {
            title,
            intro,
            points,
        }
    }
}

answer! {
    /// What to do when the cover is needed.
    pub struct Help {
        title: String,
        text: String,
        /// What cover is for, such as "A breakdown": it isn't covered before cover begins.
        #[serde(skip_serializing_if = "Option::is_none")]
        event: Option<String>,
        /// True where the number to call is the site's `assistance_phone`.
        assistance: bool,
        /// The number of somebody else to call.
        #[serde(skip_serializing_if = "Option::is_none")]
        phone: Option<String>,
    }
}

impl From<info::Help> for Help {
    fn from(help: info::Help) -> Self {
        let info::Help {
            title,
            text,
            event,
            assistance,
            phone,
        } = help;
        Self {
            title,
            text,
            event,
            assistance,
            phone,
        }
    }
}

answer! {
    /// What an affiliate's list counts: a dataset's instances and so many more. The largest is
    /// how long the list may be.
    pub struct AffiliateEntries {
        dataset: String,
        more: usize,
    }
}

answer! {
    /// A document of the product.
    pub struct DocumentLink {
        identifier: String,
        title: String,
    }
}

answer! {
    /// What the shop says of a product.
    pub struct ProductInfo {
        product_id: u32,
        product_identifier: String,
        product_title: String,
        product_short_title: String,
        version: String,
        currency: String,
        locale: String,
        money_format: String,
        stepper: Stepper,
        min_bind_days: i64,
        quote_valid_days: i64,
        /// Days before the last day of cover from which the next term is quoted.
        renewal_lead_days: i64,
        term_days: i64,
        headline: String,
        facts: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        price_from: Option<Pounds>,
        /// What that price is for: "one car, local, with the excess".
        #[serde(skip_serializing_if = "Option::is_none")]
        price_from_for: Option<String>,
        summary: Vec<SummaryRule>,
        documents: Vec<DocumentLink>,
        /// True when the prices are samples.
        sample: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        price_note: Option<String>,
        needs: Vec<Need>,
        /// What the cover would not do, to be said before it is bought.
        gaps: Vec<Gap>,
        /// Null where the product assumes nothing.
        assumptions: Option<Assumptions>,
        /// Null where the product has no words of its own for it.
        help: Option<Help>,
        /// How far its choices reach; absent where the product doesn't say.
        #[serde(skip_serializing_if = "Option::is_none")]
        reach: Option<Reach>,
        /// The answer that leads into the form.
        #[serde(skip_serializing_if = "Option::is_none")]
        way_in: Option<WayIn>,
        affiliates: Vec<AffiliateEntries>,
        /// Answers that a word in the address chooses.
        presets: Named<Values>,
        /// Fields whose change changes the price; `dataset.field` in repeatable datasets.
        watch: Vec<String>,
        /// Fields that underwriting reads, named alike: some answers to them are refused at once.
        decides: Vec<String>,
    }
}

impl From<info::Info> for ProductInfo {
    fn from(info: info::Info) -> Self {
        let entries = info.affiliates.into_iter().map(|entries| AffiliateEntries {
            dataset: entries.dataset,
            more: entries.more,
        });
        let documents = info.documents.into_iter().map(|document| DocumentLink {
            identifier: document.identifier,
            title: document.title,
        });
        let presets = info.presets.into_iter();
        let presets = presets.map(|(word, values)| (word, Values(values)));
        Self {
            product_id: info.product_id,
            product_identifier: info.product_identifier,
            product_title: info.product_title,
            product_short_title: info.product_short_title,
            version: info.version,
            currency: info.currency,
            locale: info.locale,
            money_format: info.money_format,
            stepper: info.stepper.into(),
            min_bind_days: info.min_bind_days,
            quote_valid_days: info.quote_valid_days,
            renewal_lead_days: info.renewal_lead_days,
            term_days: info.term_days,
            headline: info.headline,
            facts: info.facts,
            price_from: info.price_from.map(Pounds),
            price_from_for: info.price_from_for,
            summary: info.summary.into_iter().map(SummaryRule::from).collect(),
            documents: documents.collect(),
            sample: info.sample,
            price_note: info.price_note,
            needs: info.needs.into_iter().map(Need::from).collect(),
            gaps: info.gaps.into_iter().map(Gap::from).collect(),
            assumptions: info.assumptions.map(Assumptions::from),
            help: info.help.map(Help::from),
            reach: info.reach.map(Reach::from),
            way_in: info.way_in.map(WayIn::from),
            affiliates: entries.collect(),
            presets: Named(presets.collect()),
            watch: info.watch,
            decides: info.decides,
        }
    }
}

answer! {
    /// A product: its form and its information.
    pub struct ProductRead {
        pub(in crate::api) form: Form,
        pub(in crate::api) info: ProductInfo,
    }
}

answer! {
    /// A step of the form.
    pub struct Step {
        number: u32,
        title: String,
        icon: String,
        datasets: Vec<String>,
        /// Fields this step's validation leaves out.
        skip: Vec<String>,
    }
}

impl From<stepper::Step> for Step {
    fn from(step: stepper::Step) -> Self {
        let stepper::Step {
            number,
            title,
            icon,
            datasets,
            skip,
        } = step;
        Self {
            number,
            title,
            icon,
            datasets,
            skip,
        }
    }
}

answer! {
    /// Steps that belong together.
    pub struct StepGroup {
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        steps: Vec<Step>,
    }
}

fn groups(groups: IndexMap<String, stepper::StepGroup>) -> Named<StepGroup> {
    let group = |group: stepper::StepGroup| StepGroup {
        title: group.title,
        steps: group.steps.into_iter().map(Step::from).collect(),
    };
    let groups = groups.into_iter();
    Named(
        groups
            .map(|(context, steps)| (context, group(steps)))
            .collect(),
    )
}

answer! {
    /// Steps that take over when a field has a value.
    pub struct ActivatedSteps {
        title: String,
        product_steps: Named<StepGroup>,
    }
}

answer! {
    /// Which value brings which steps.
    pub struct ActivatedBy {
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        values: Named<ActivatedSteps>,
    }
}

answer! {
    /// A product's steps, by context.
    pub struct StepperData {
        title: String,
        /// Key of the default steps.
        default: String,
        product_steps: Named<StepGroup>,
        #[serde(rename = "activatedBy")]
        activated_by: ActivatedBy,
    }
}

impl From<stepper::StepperData> for StepperData {
    fn from(stepper: stepper::StepperData) -> Self {
        let stepper::StepperData {
            title,
            default,
            product_steps,
            activated_by,
        } = stepper;
        let values = activated_by.values.into_iter().map(|(value, steps)| {
            let steps = ActivatedSteps {
                title: steps.title,
                product_steps: groups(steps.product_steps),
            };
            (value, steps)
        });
        Self {
            title,
            default,
            product_steps: groups(product_steps),
            activated_by: ActivatedBy {
                field: activated_by.field,
                values: Named(values.collect()),
            },
        }
    }
}

answer! {
    /// A product in the list of all.
    pub struct ProductListItem {
        pub(in crate::api) product_title: String,
        pub(in crate::api) identifier: String,
    }
}

answer! {
    /// A product that is on sale.
    pub struct EnabledProduct {
        pub(in crate::api) identifier: String,
        pub(in crate::api) product_title: String,
        pub(in crate::api) product_short_title: String,
        pub(in crate::api) enabled: bool,
        pub(in crate::api) stepper: Stepper,
    }
}
