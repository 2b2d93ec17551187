//! The payment providers of this shop.

use crate::app::{App, AppError};
use crate::domain::payment::Payment;
use crate::integrations::gateway::Provider;

impl App {
    /// The payment providers that are switched on.
    pub fn providers(&self) -> impl Iterator<Item = Provider> {
        self.config
            .payments
            .gateways
            .iter()
            .filter_map(|gateway| Provider::named(gateway.name()))
    }

    pub(in crate::app) fn provider_secret(&self, provider: Provider) -> &str {
        match provider {
            Provider::Sandbox => &self.sandbox_secret,
        }
    }

    /// An attempt's provider, while it is switched on.
    pub(in crate::app) fn provider_of(&self, attempt: &Payment) -> Result<Provider, AppError> {
        self.providers()
            .find(|provider| provider.name() == attempt.provider)
            .ok_or_else(|| {
                AppError::Internal(
                    format!("the gateway {} is switched off", attempt.provider).into(),
                )
            })
    }
}
