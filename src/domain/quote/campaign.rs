//! The source of a visitor, and the price lines that a campaign makes free.

use serde::{Deserialize, Serialize};

use crate::json_schema::ResponseSchema;

/// The campaign from which a quote came. A later save keeps the campaign, because the price depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(default, rename = "QuoteCampaign")]
pub struct SourceTracking {
    /// A partner's own id of the click. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_uuid: Option<String>,
    /// Who sent the visitor. Left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_source: Option<String>,
    /// The name of the campaign. Left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_campaign: Option<String>,
    /// The medium of the campaign. Left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_medium: Option<String>,
}

/// The source tracking, as rating reads it.
pub type Campaign = SourceTracking;

/// The condition of a free line of the tariff. The campaign, the medium and the source must be in
/// the lists of accepted names (specification, part 5). Upper and lower case are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreeWhen {
    /// The accepted campaigns.
    #[serde(default, rename = "utm_campaign")]
    pub campaigns: Vec<String>,
    /// The accepted media.
    #[serde(default, rename = "utm_medium")]
    pub mediums: Vec<String>,
    /// The accepted sources.
    #[serde(default, rename = "utm_source")]
    pub sources: Vec<String>,
    /// Why the line is free, for the customer.
    pub note: String,
}

impl FreeWhen {
    /// Returns whether the line is free for a visitor of this campaign.
    pub fn holds(&self, campaign: &Campaign) -> bool {
        contains_name(&self.campaigns, campaign.utm_campaign.as_deref())
            && contains_name(&self.mediums, campaign.utm_medium.as_deref())
            && contains_name(&self.sources, campaign.utm_source.as_deref())
    }
}

fn contains_name(list: &[String], value: Option<&str>) -> bool {
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
