//! The gateway's page on which a customer pays.

use serde::{Deserialize, Serialize};

use crate::json_schema::ResponseSchema;

/// The gateway's page for one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentPage {
    /// How the page is shown.
    pub kind: PageKind,
    /// The page's address.
    pub url: String,
    /// The HTTP method of the request for the page.
    pub method: PageMethod,
    /// Fields to post, if the method is `POST`.
    pub fields: indexmap::IndexMap<String, String>,
}

/// How a gateway's page is shown: in a frame, or in place of the shop's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// In a frame on the shop's page.
    Iframe,
    /// In place of the shop's page.
    Redirect,
}

/// The HTTP method of the request for a gateway's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum PageMethod {
    /// The address alone is the request.
    Get,
    /// The request posts the page's fields.
    Post,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pages_method_is_stored_by_its_name_in_http() {
        for (method, name) in [(PageMethod::Get, "GET"), (PageMethod::Post, "POST")] {
            let stored = rmp_serde::to_vec(&method).unwrap();
            assert_eq!(stored, rmp_serde::to_vec(name).unwrap());
            assert_eq!(
                rmp_serde::from_slice::<PageMethod>(&stored).unwrap(),
                method
            );
        }
    }
}
