//! The configured look-ups, with their time limit.

use std::time::Duration;

use chrono::NaiveDate;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::dvsa::Dvsa;
use super::fault::{LookupFault, failed};
use super::ideal_postcodes::IdealPostcodes;
use super::os_places::OsPlaces;
use super::sample;
use super::ves::Ves;
use crate::config::{self, AddressSource, VehicleSource};
use crate::domain::quote::lookup::{Address, Vehicle};

/// The look-ups of the settings.
#[derive(Debug)]
pub struct Lookups {
    vehicles: Vehicles,
    addresses: Addresses,
    timeout: Duration,
}

#[derive(Debug)]
enum Vehicles {
    Off,
    Sample,
    Dvsa(Box<Dvsa>),
    Ves(Ves),
}

#[derive(Debug)]
enum Addresses {
    Off,
    Sample,
    IdealPostcodes(IdealPostcodes),
    OsPlaces(OsPlaces),
}

impl Lookups {
    /// Builds the look-ups of the settings, which call their services with `http`.
    #[must_use]
    pub fn from_settings(settings: &config::LookupSettings, http: &reqwest::Client) -> Self {
        let http = || http.clone();
        let vehicles = match settings.vehicle {
            VehicleSource::Off => Vehicles::Off,
            VehicleSource::Sample => Vehicles::Sample,
            VehicleSource::Dvsa => Vehicles::Dvsa(Box::new(Dvsa {
                http: http(),
                settings: settings.dvsa.clone(),
                token: Mutex::default(),
            })),
            VehicleSource::Ves => Vehicles::Ves(Ves {
                http: http(),
                settings: settings.ves.clone(),
            }),
        };
        let addresses = match settings.address {
            AddressSource::Off => Addresses::Off,
            AddressSource::Sample => Addresses::Sample,
            AddressSource::IdealPostcodes => Addresses::IdealPostcodes(IdealPostcodes {
                http: http(),
                settings: settings.ideal_postcodes.clone(),
            }),
            AddressSource::OsPlaces => Addresses::OsPlaces(OsPlaces {
                http: http(),
                settings: settings.os_places.clone(),
            }),
        };
        Self {
            vehicles,
            addresses,
            timeout: settings.timeout,
        }
    }

    /// Returns the vehicle with a registration mark. The mark must be in its customary form.
    ///
    /// # Errors
    /// Returns a [`LookupFault`] if the vehicle is unknown, or the look-up is off, fails or is too
    /// slow.
    pub async fn vehicle(&self, mark: &str, today: NaiveDate) -> Result<Vehicle, LookupFault> {
        let lookup = async {
            match &self.vehicles {
                Vehicles::Off => Err(LookupFault::Unavailable),
                Vehicles::Sample => sample::vehicle(mark, today),
                Vehicles::Dvsa(dvsa) => dvsa.find(mark, today).await,
                Vehicles::Ves(ves) => ves.find(mark, today).await,
            }
        };
        let late = || failed("vehicle", "it is too slow");
        timeout(self.timeout, lookup).await.map_err(|_| late())?
    }

    /// Returns the addresses of a postcode. The postcode must be in its customary form.
    ///
    /// # Errors
    /// Returns a [`LookupFault`] if the postcode is unknown, or the look-up is off, fails or is too
    /// slow.
    pub async fn addresses(&self, postcode: &str) -> Result<Vec<Address>, LookupFault> {
        let lookup = async {
            match &self.addresses {
                Addresses::Off => Err(LookupFault::Unavailable),
                Addresses::Sample => sample::addresses(postcode),
                Addresses::IdealPostcodes(service) => service.find(postcode).await,
                Addresses::OsPlaces(service) => service.find(postcode).await,
            }
        };
        let late = || failed("address", "it is too slow");
        timeout(self.timeout, lookup).await.map_err(|_| late())?
    }
}
