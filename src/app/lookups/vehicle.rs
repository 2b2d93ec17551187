//! Looking up a vehicle by its registration.

use uuid::Uuid;

use crate::app::limits::{self, ALL, Limit};
use crate::app::{App, AppError, ClientAddress, new_id};
use crate::domain::quote::lookup::{LookupResult, Vehicle};
use crate::domain::time::dates;
use crate::domain::uk::registration;
use crate::integrations::lookup::LookupFault;
use crate::store::tables;

/// What the register says of a vehicle, and the id under which that is kept for thirty days.
///
/// # Errors
/// [`AppError::Invalid`] where no style has such marks, [`AppError::NotFound`] where the register
/// doesn't know it, [`AppError::TooMany`] when the client has asked too often,
/// [`AppError::LookupUnavailable`] when there is no answer of use.
pub async fn look_up_vehicle(
    app: &App,
    client: &ClientAddress,
    typed: &str,
) -> Result<(Uuid, Vehicle), AppError> {
    let now = app.clock.now();
    let today = dates::london_date(now);
    let mark = registration::check(typed, today)
        .map_err(|fault| AppError::field("registration", fault.text()))?;
    app.disk_space.ensure()?;
    // Whoever is logged in is counted too: each may cost money.
    let network = client.network();
    limits::count_limits(
        app,
        &[
            (Limit::VehicleLookups, network.as_str()),
            (Limit::TotalVehicleLookups, ALL),
        ],
    )
    .await?;
    let found = app.lookups.vehicle(&mark, today).await;
    let vehicle = found.map_err(|fault| match fault {
        LookupFault::Unknown(_) => AppError::NotFound,
        LookupFault::Unavailable => AppError::LookupUnavailable,
    })?;
    let id = new_id(now);
    let result = LookupResult {
        vehicle: vehicle.clone(),
        at: now,
    };
    app.store
        .write(move |tx| {
            tables::LOOKUPS
                .put(tx, &id, &result)
                .map_err(AppError::from)
        })
        .await?;
    Ok((id, vehicle))
}
