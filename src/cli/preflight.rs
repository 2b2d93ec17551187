//! The checks before a start. `serve` loads the products. `serve --check` also checks the data folder, the
//! templates of documents, the store, the port, the mail server, the keys of gateways and look-ups, the bucket and
//! the public address.

use std::net::TcpListener;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::setup::{self, AtStore, CommandError};
use crate::api::admin_socket::{self, AdminCommand, AdminReply, AskError};
use crate::app::commands::StoreCommand;
use crate::app::letters::delivery::mail_server::check_mail_server;
use crate::app::lookups::check_lookups;
use crate::app::public_address::{PublicAnswer, call_public_address};
use crate::app::{App, BlobStore, documents, payments, products};
use crate::config::{Config, DocumentPlace};
use crate::products::Catalogue;
use crate::store::Store;

/// Loads the products on sale. In production mode, none of these products may be a sample, or be paid
/// monthly by regulated credit.
pub(super) fn load_products(config: &Config) -> Result<Catalogue, CommandError> {
    let catalogue = Catalogue::load(config.products.folder.as_deref()).map_err(|mistakes| {
        let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        lines.join("\n")
    })?;
    let catalogue = catalogue
        .sell_only(&config.products.sold)
        .map_err(|name| format!("products.sold names {name}, and there is no such product"))?;
    let mut faults = Faults::default();
    if config.is_production() {
        faults.note(refuse_samples(&catalogue));
        faults.note(refuse_regulated_credit(config, &catalogue));
    }
    faults.end(Some(catalogue))
}

/// The faults found so far, each in a line of its own.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    /// Returns the value of a successful check. Adds the error of a failed one.
    fn note<T>(&mut self, checked: Result<T, impl Into<CommandError>>) -> Option<T> {
        let fault = |error| self.0.push(setup::error_text(&error));
        checked.map_err(Into::into).map_err(fault).ok()
    }

    /// Returns `value`, or all faults together.
    fn end<T>(self, value: Option<T>) -> Result<T, CommandError> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => Err(self.0.join("\n").into()),
        }
    }
}

/// Loads the products, and checks what every start checks before it opens the store. The error has a line for each
/// failed check.
pub(super) fn prepare(config: &Config) -> Result<Catalogue, CommandError> {
    let mut faults = Faults::default();
    faults.note(refuse_unsafe_folder(config));
    let catalogue = faults.note(load_products(config));
    faults.note(App::check_settings(config));
    faults.end(catalogue)
}

fn refuse_samples(catalogue: &Catalogue) -> Result<(), CommandError> {
    let samples = catalogue
        .list()
        .iter()
        .filter(|entry| entry.product.info().sample);
    let samples: Vec<&str> = samples.map(|entry| entry.product.identifier()).collect();
    if samples.is_empty() {
        return Ok(());
    }
    let samples = samples.join(", ");
    Err(format!(
        "a shop in production mode sells no samples, and these products are samples: {samples}; put files of \
         your own into products.folder, without sample = true, and name what you sell in products.sold"
    )
    .into())
}

/// Refuses monthly payment that no exemption from the regulation of credit covers.
fn refuse_regulated_credit(config: &Config, catalogue: &Catalogue) -> Result<(), CommandError> {
    let too_long = catalogue.too_many_payments();
    if !too_long.is_empty() {
        let lines: Vec<String> = too_long.iter().map(ToString::to_string).collect();
        return Err(lines.join("\n").into());
    }
    let monthly = catalogue.paid_monthly();
    if monthly.is_empty() || config.monthly.granted_by.is_some() {
        return Ok(());
    }
    let names = monthly.join(", ");
    Err(format!(
        "monthly.granted_by must be insurer when mode is production and these products have [monthly]: {names}; \
         free credit is exempt from regulation only if the supplier of the cover grants it"
    )
    .into())
}

/// Refuses, in production mode, a data folder by a relative name, and a new store beside the traces of another.
fn refuse_unsafe_folder(config: &Config) -> Result<(), CommandError> {
    let folder = &config.server.data;
    if !config.is_production() {
        return Ok(());
    }
    if folder.is_relative() {
        return Err(format!(
            "server.data must be a whole path when mode is production, and {} is not",
            folder.display()
        )
        .into());
    }
    if config.store.url.is_some() || setup::store_path(config).exists() {
        return Ok(());
    }
    let is_trace =
        |name: &str| name == "documents" || name == "mail" || name.starts_with("layby.redb.");
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = found.map(|entry| entry.file_name().to_string_lossy().into_owned());
    match found.find(|name| is_trace(name)) {
        None => Ok(()),
        Some(name) => Err(format!(
            "{} has no store, and {name} there says that it had one: put the store back with `layby restore`, or \
             move {name} away to begin anew",
            folder.display()
        )
        .into()),
    }
}

/// Returns a line for each place of customers' data that other users of this machine may read or write.
pub(super) fn open_files(config: &Config) -> Vec<String> {
    let folder = &config.server.data;
    let places = [
        folder.clone(),
        setup::store_path(config),
        folder.join("mail"),
    ];
    let is_open = |path: &PathBuf| {
        let mode = path.metadata().map(|meta| meta.permissions().mode());
        mode.is_ok_and(|mode| mode & 0o077 != 0)
    };
    let open = places.into_iter().filter(is_open);
    open.map(|path| {
        let path = path.display();
        format!("other users may read or write {path}: `chmod go= {path}` ends that")
    })
    .collect()
}

/// Checks the data folder, the templates of documents, the store in a file, the port, the mail server, the keys of gateways and look-ups, and the
/// access to a bucket of documents. Changes nothing and sends no letter. Returns a summary for the operator. The error
/// has a line for each failed check, also of those of `prepared`. After a fault of this machine, no service is called.
pub(super) fn check(
    config: &Config,
    prepared: Result<Catalogue, CommandError>,
) -> Result<String, CommandError> {
    let runtime = setup::runtime()?;
    let mut faults = Faults::default();
    let catalogue = faults.note(prepared);
    faults.note(check_data_folder(config));
    faults.note(check_document_templates(config));
    let new_products = faults.note(check_store(config, catalogue.as_ref()));
    faults.note(check_port(config));
    let new_products = faults.end(new_products)?;
    let mut faults = Faults::default();
    faults.note(runtime.block_on(check_mail_server(config)));
    let keys = faults.note(runtime.block_on(payments::check_keys(config)));
    faults.note(runtime.block_on(check_lookups(config)));
    let mut answers = Vec::new();
    let bucket = BlobStore::to_read(config).map_err(CommandError::from);
    if let Some(bucket) = faults.note(bucket)
        && let Some(DocumentPlace::Bucket { .. }) = &config.documents.url
    {
        faults.note(runtime.block_on(bucket.is_reached()));
        answers.push(bucket.place().to_string());
    }
    let keys = faults.end(keys)?;
    answers.extend(config.mail.smtp.as_ref().map(|smtp| smtp.host.clone()));
    let mut summary = match keys.gateways.join(" and ").as_str() {
        "" => "no gateway has keys to try".to_string(),
        names => format!("the keys of {names} work"),
    };
    for answer in answers {
        summary += &format!("; {answer} answers");
    }
    let untested = keys.untested.iter();
    let untested = untested.map(|setting| format!("{setting} can't be tried without a payment"));
    let clock_errors = keys.clock_errors.iter();
    let clock_errors = clock_errors.map(|error| format!("our clock is {error}"));
    let fuse = config.payments.smartpayfuse.as_ref();
    let key_warnings = fuse.map(|fuse| fuse.key_warnings(config.clock().today()));
    let lines = untested
        .chain(clock_errors)
        .chain(key_warnings.into_iter().flatten())
        .chain(open_files(config))
        .chain(new_products)
        .chain(runtime.block_on(public_address(config)));
    for line in lines {
        summary = summary + "\n" + &line;
    }
    Ok(summary)
}

/// Returns a line about `server.public_url`. A shop that was never started is not reached there yet.
async fn public_address(config: &Config) -> Option<String> {
    let url = config.server.public_url.as_ref()?.as_str();
    Some(match call_public_address(config).await {
        Ok(PublicAnswer {
            status,
            certificate_ends: Some(end),
        }) => format!("{url} answers {status}; its certificate ends {end}"),
        Ok(answer) => format!("{url} answers {}", answer.status),
        Err(why) => format!("{url} is not reached from here: {why}"),
    })
}

/// Checks that the shop can listen, unless it does so already.
fn check_port(config: &Config) -> Result<(), CommandError> {
    let listen = config.server.listen;
    match TcpListener::bind(listen) {
        Err(_) if admin_socket::is_served(&config.server.data) => Ok(()),
        Err(error) => Err(format!("can't listen on {listen}: {error}").into()),
        Ok(_) => Ok(()),
    }
}

/// Checks that files can be written to the data folder. Accepts a missing folder, because a start creates the
/// folder.
fn check_data_folder(config: &Config) -> Result<(), CommandError> {
    let folder = &config.server.data;
    if !folder.exists() {
        return Ok(());
    }
    let written = tempfile::tempfile_in(folder);
    written.map_err(|error| {
        let folder = folder.display();
        format!("the data folder {folder} can't be written: {error}")
    })?;
    Ok(())
}

/// Checks that the folder of document templates can be read, and the syntax of its templates.
fn check_document_templates(config: &Config) -> Result<(), CommandError> {
    let Some(folder) = &config.documents.templates else {
        return Ok(());
    };
    std::fs::read_dir(folder).map_err(|error| {
        let folder = folder.display();
        format!("documents.templates, {folder}, can't be read: {error}")
    })?;
    let lines: Vec<String> = documents::template_errors(folder)
        .iter()
        .map(|error| format!("documents.templates can't be used: {error}"))
        .collect();
    match lines.is_empty() {
        true => Ok(()),
        false => Err(lines.join("\n").into()),
    }
}

/// Checks whether a store in a file is readable and accepts the product files. The shop may be stopped or
/// running. Returns a line for each product that the shop would sell under a new version. Does not check a store in a
/// database, because the program would have to open the database.
fn check_store(
    config: &Config,
    catalogue: Option<&Catalogue>,
) -> Result<Vec<String>, CommandError> {
    if config.store.url.is_some() {
        return Ok(Vec::new());
    }
    let seen = Store::preview(&setup::store_path(config));
    let seen = seen.map_err(|why| AtStore::new(config, why))?;
    let hashes = catalogue.map(Catalogue::hashes).unwrap_or_default();
    if let Some(store) = seen {
        return Ok(products::check_versions(store.rows(), &hashes)?);
    }
    let order = AdminCommand::Command(StoreCommand::Products(hashes));
    let mut lines = Vec::new();
    let asked = admin_socket::ask(&config.server.data, &order, &mut |line| {
        if let AdminReply::Text(text) = line {
            lines.push(text);
        }
    });
    match asked {
        Ok(_) => Ok(lines),
        Err(AskError::Failed(why)) => Err(why.into()),
        // The shop belongs to another system user, or stopped during the request. The product files then
        // stay unchecked.
        Err(AskError::NotAllowed | AskError::BrokenOff) => Ok(lines),
    }
}
