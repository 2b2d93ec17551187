//! The callbacks of gateways.

use crate::app::{App, AppError};

impl App {
    /// Handles a gateway's callback. Any number of callbacks, in any order, lead to one sale.
    ///
    /// # Errors
    /// [`AppError::Malformed`] when the callback isn't the gateway's.
    pub async fn gateway_callback(
        &self,
        provider: &str,
        body: &[u8],
        signature: impl Fn(&str) -> Option<String>,
    ) -> Result<(), AppError> {
        let provider = self
            .providers()
            .find(|known| known.name() == provider)
            .ok_or(AppError::NotFound)?;
        let signature = signature(provider.signature_header()).unwrap_or_default();
        let secret = self.provider_secret(provider);
        let event = provider.verify(body, &signature, secret, self.clock.now())?;
        self.record_outcome(event.payment, event.status).await?;
        Ok(())
    }
}
