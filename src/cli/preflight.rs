//! The checks before a start. `serve` loads the products. `serve --check` also checks the data folder, the
//! store, the port, the mail server, the gateways' keys and the bucket.

use std::net::TcpListener;

use std::os::unix::fs::PermissionsExt;

use super::setup::{self, AtStore, CommandError};
use crate::api::admin_socket::{self, AdminCommand, AskError};
use crate::app::commands::StoreCommand;
use crate::app::letters::delivery::mail_server::check_mail_server;
use crate::app::{BlobStore, payments, products};
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
    if config.is_production() {
        refuse_samples(&catalogue)?;
        refuse_regulated_credit(config, &catalogue)?;
    }
    Ok(catalogue)
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
pub(super) fn refuse_unsafe_folder(config: &Config) -> Result<(), CommandError> {
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

/// Logs each place of customers' data that other users of this machine may read or write.
pub(super) fn warn_of_open_files(config: &Config) {
    let folder = &config.server.data;
    for path in [
        folder.clone(),
        setup::store_path(config),
        folder.join("mail"),
    ] {
        let mode = path.metadata().map(|meta| meta.permissions().mode());
        if mode.is_ok_and(|mode| mode & 0o077 != 0) {
            let path = path.display();
            tracing::warn!("other users may read or write {path}: `chmod go= {path}` ends that");
        }
    }
}

/// Checks the data folder, the store in a file, the port, the mail server, the gateways' keys, and the access to
/// a bucket of documents. Changes nothing and sends no letter. Returns a summary for the operator. The error has
/// a line for each failed check.
pub(super) fn check(config: &Config, catalogue: &Catalogue) -> Result<String, CommandError> {
    let runtime = setup::runtime()?;
    let keys = runtime.block_on(payments::check_keys(config));
    let contents = BlobStore::to_read(config);
    let documents = contents.map_err(CommandError::from).and_then(|contents| {
        if let Some(DocumentPlace::Bucket { .. }) = &config.documents.url {
            runtime.block_on(contents.is_reached())?;
            return Ok(format!("; {} answers", contents.place()));
        }
        Ok(String::new())
    });
    let mail = runtime.block_on(check_mail_server(config));
    let faults = [
        check_data_folder(config).err(),
        check_store(config, catalogue).err(),
        check_port(config).err(),
        mail.err().map(CommandError::from),
        keys.as_ref().err().map(|error| error.clone().into()),
        documents
            .as_ref()
            .err()
            .map(|error| error.to_string().into()),
    ];
    let faults: Vec<String> = faults.iter().flatten().map(setup::error_text).collect();
    let (Ok(keys), Ok(documents), true) = (keys, documents, faults.is_empty()) else {
        return Err(faults.join("\n").into());
    };
    let mail = config.mail.smtp.as_ref();
    let mail = mail.map_or(String::new(), |smtp| format!("; {} answers", smtp.host));
    let untested = keys.untested.iter();
    let untested: String = untested
        .map(|setting| format!("\n{setting} can't be tried without a payment"))
        .collect();
    let working = match keys.gateways.join(" and ").as_str() {
        "" => "no gateway has keys to try".to_string(),
        names => format!("the keys of {names} work"),
    };
    let fuse = config.payments.smartpayfuse.as_ref();
    let warnings = fuse.map(|fuse| fuse.key_warnings(config.clock().today()));
    let clock_errors = keys.clock_errors.iter();
    let clock_errors = clock_errors.map(|error| format!("our clock is {error}"));
    let warnings = clock_errors.chain(warnings.into_iter().flatten());
    let warnings: String = warnings.map(|warning| format!("\n{warning}")).collect();
    Ok(format!("{working}{documents}{mail}{untested}{warnings}"))
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

/// Checks whether a store in a file is readable and accepts the product files. The shop may be stopped or
/// running. Does not check a store in a database, because the program would have to open the database.
fn check_store(config: &Config, catalogue: &Catalogue) -> Result<(), CommandError> {
    if config.store.url.is_some() {
        return Ok(());
    }
    let seen = Store::preview(&setup::store_path(config));
    let seen = seen.map_err(|why| AtStore::new(config, why))?;
    let hashes = catalogue.hashes();
    if let Some(store) = seen {
        return Ok(products::check_versions(store.rows(), &hashes)?);
    }
    let order = AdminCommand::Command(StoreCommand::Products(hashes));
    match admin_socket::ask(&config.server.data, &order, &mut drop) {
        Ok(_) => Ok(()),
        Err(AskError::Failed(why)) => Err(why.into()),
        // The shop belongs to another system user, or stopped during the request. The product files then
        // stay unchecked.
        Err(AskError::NotAllowed | AskError::BrokenOff) => Ok(()),
    }
}
