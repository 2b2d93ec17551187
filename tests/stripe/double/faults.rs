//! Deliberate faults.

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is done, and this status is returned. As at Stripe, the idempotency key then returns 500 for
    /// ever, but not 409 and 429.
    Status(u16),
    /// It is done, and the response is never sent: the caller waits.
    LostAnswer,
    /// It is done, and the connection ends without a response.
    Reset,
    /// It is done, and half the response arrives.
    HalfAnswer,
    /// It is done, and the response is 500, for ever.
    FailsAfter,
    /// Nothing is done; the connection ends.
    Nothing,
    /// Nothing is done; a proxy's page with this status is returned.
    Html(u16),
}

/// Faults for future calls.
#[derive(Debug, Default)]
pub struct Faults(Vec<(String, Fault)>);

impl Faults {
    /// Adds a fault for the next call whose method and path begin with `call`, such as `POST /v1/refunds`.
    pub fn add(&mut self, call: &str, fault: Fault) {
        self.0.push((call.to_owned(), fault));
    }

    /// Returns the fault of this call, and removes it.
    pub fn take(&mut self, call: &str) -> Option<Fault> {
        let place = self
            .0
            .iter()
            .position(|(begin, _)| call.starts_with(begin))?;
        Some(self.0.remove(place).1)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Fault {
    /// Returns a fault by its name in the double's own calls: `500`, `lost`, `reset`, `half`, `fails-after`,
    /// `nothing`, `html`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "lost" => Self::LostAnswer,
            "reset" => Self::Reset,
            "half" => Self::HalfAnswer,
            "fails-after" => Self::FailsAfter,
            "nothing" => Self::Nothing,
            "html" => Self::Html(502),
            status => Self::Status(status.parse().ok()?),
        })
    }
}
