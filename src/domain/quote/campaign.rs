//! Where a visitor came from, and which lines of a price a campaign makes free.

use serde::{Deserialize, Serialize};

use crate::json_schema::ResponseSchema;

/// The campaign a quote came from, which its price keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(default, rename = "QuoteCampaign")]
pub struct SourceTracking {
    /// A partner's own id of the click.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_uuid: Option<String>,
    /// Who sent the visitor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_source: Option<String>,
    /// Which campaign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_campaign: Option<String>,
    /// By which medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_medium: Option<String>,
}

/// What rating reads of the source tracking.
pub type Campaign = SourceTracking;

/// When a line of the tariff is free: the campaign, the medium and the source
/// must each be among those named (specification, part 5). Case doesn't
/// matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreeWhen {
    /// Campaigns that count.
    #[serde(default, rename = "utm_campaign")]
    pub campaigns: Vec<String>,
    /// Media that count.
    #[serde(default, rename = "utm_medium")]
    pub mediums: Vec<String>,
    /// Sources that count.
    #[serde(default, rename = "utm_source")]
    pub sources: Vec<String>,
    /// Why the line is free, for the customer.
    pub note: String,
}

impl FreeWhen {
    /// Whether the line is free for a visitor of this campaign.
    pub fn holds(&self, campaign: &Campaign) -> bool {
        named(&self.campaigns, campaign.utm_campaign.as_deref())
            && named(&self.mediums, campaign.utm_medium.as_deref())
            && named(&self.sources, campaign.utm_source.as_deref())
    }
}

fn named(list: &[String], value: Option<&str>) -> bool {
    value.is_some_and(|value| {
        let value = value.trim();
        list.iter().any(|item| item.eq_ignore_ascii_case(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(name: &str, medium: &str, source: &str) -> Campaign {
        Campaign {
            utm_campaign: Some(name.into()),
            utm_medium: Some(medium.into()),
            utm_source: Some(source.into()),
            ..Campaign::default()
        }
    }

    #[test]
    fn needs_all_three_and_ignores_case() {
        let rule = FreeWhen {
            campaigns: vec!["fkc".into()],
            mediums: vec!["affiliate".into()],
            sources: vec!["source1".into(), "bnp".into()],
            note: String::new(),
        };
        assert!(rule.holds(&campaign("fkc", "affiliate", "BNP")));
        assert!(rule.holds(&campaign("FKC", "Affiliate", "Source1")));
        assert!(!rule.holds(&campaign("fkc", "affiliate", "source11")));
        assert!(!rule.holds(&campaign("fkc", "email", "bnp")));
        assert!(!rule.holds(&campaign("spring", "affiliate", "bnp")));
        assert!(!rule.holds(&Campaign::default()));
    }
}
