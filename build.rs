//! Builds the website of `ui/` into `ui/dist`, which the binary embeds.
//!
//! Nothing happens while the website's sources are unchanged. Packages are installed only if the lock
//! file has changed. With `LAYBY_SKIP_UI=1` the website is not built: the binary embeds the present
//! `ui/dist`, or a page that names the variable. That is for work on the Rust side only, and needs no
//! Node.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, SystemTime};

const UI: &str = "ui";
const INDEX: &str = "ui/dist/index.html";

/// A copy of the lock file whose packages are installed. `tests/run` writes it too.
const INSTALLED: &str = "ui/node_modules/.layby-lock.json";

/// The hash of the sources of the built website. A build by hand deletes this file.
const BUILT: &str = "ui/dist/.built";

const PLACEHOLDER: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>layby</title></head>
<body><h1>The website is not in this build</h1>
<p>It was built with LAYBY_SKIP_UI=1. Build it without, on a machine with Node.</p></body></html>
";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LAYBY_SKIP_UI");
    println!("cargo::rerun-if-changed={INDEX}");
    strip_symbols();
    name_commit();
    let skip = std::env::var_os("LAYBY_SKIP_UI").is_some_and(|value| !value.is_empty());
    let done = if skip { keep() } else { website() };
    match done.and_then(|()| settle()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            println!("cargo::error=The website can't be built: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn is_release() -> bool {
    std::env::var_os("DEBUG").is_some_and(|debug| debug == "false")
}

/// Strips the symbols of a release binary on Linux: they are a quarter of it.
fn strip_symbols() {
    let is_linux = std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux");
    if is_release() && is_linux {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
}

/// Sets the commit that `--version` of a release binary names. Names none without git, and in other builds, which
/// would compile again after each commit.
fn name_commit() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let mut commit = None;
    if is_release() {
        commit = git(&["rev-parse", "--short=12", "HEAD"]);
        let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
        for log in log.iter().filter(|log| Path::new(log).exists()) {
            println!("cargo::rerun-if-changed={log}");
        }
    }
    let commit = commit.map_or(String::new(), |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=BUILD_COMMIT={commit}");
}

fn keep() -> Result<(), String> {
    if Path::new(INDEX).exists() {
        return Ok(());
    }
    fs::create_dir_all("ui/dist")
        .and_then(|()| fs::write(INDEX, PLACEHOLDER))
        .map_err(|error| format!("{INDEX} can't be written ({error})."))
}

fn website() -> Result<(), String> {
    let sources = sources()?;
    let hash = hash(&sources)?;
    if Path::new(INDEX).exists() && fs::read_to_string(BUILT).is_ok_and(|built| built == hash) {
        return Ok(());
    }
    let lock = fs::read(Path::new(UI).join("package-lock.json"))
        .map_err(|error| format!("ui/package-lock.json can't be read ({error})."))?;
    if fs::read(INSTALLED).ok().as_ref() != Some(&lock) {
        npm(&["ci", "--no-audit", "--no-fund"])?;
        fs::create_dir_all("ui/node_modules")
            .and_then(|()| fs::write(INSTALLED, lock))
            .map_err(|error| format!("{INSTALLED} can't be written ({error})."))?;
    }
    npm(&["run", "build"])?;
    if !Path::new(INDEX).exists() {
        return Err(format!("npm run build left no {INDEX}."));
    }
    fs::write(BUILT, hash).map_err(|error| format!("{BUILT} can't be written ({error})."))
}

/// Returns every source file of the website, in a fixed order. Makes cargo watch the files.
fn sources() -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in list(Path::new(UI))? {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let generated = ["dist", "node_modules"].contains(&name.as_ref());
        if generated || name.ends_with(".tsbuildinfo") {
            continue;
        }
        println!("cargo::rerun-if-changed={}", entry.display());
        walk(&entry, &mut files)?;
    }
    Ok(files)
}

fn walk(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    list(path)?.iter().try_for_each(|entry| walk(entry, files))
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?;
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<_>>()?;
        paths.sort();
        Ok(paths)
    };
    read().map_err(|error| format!("{} can't be read ({error}).", folder.display()))
}

fn hash(files: &[PathBuf]) -> Result<String, String> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        let name = file.to_string_lossy();
        if name.contains(".test.") {
            continue;
        }
        let content = fs::read(file).map_err(|error| format!("{name} can't be read ({error})."))?;
        for part in [name.as_bytes(), &content] {
            hasher.write_usize(part.len());
            hasher.write(part);
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn npm(arguments: &[&str]) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(program)
        .args(arguments)
        .current_dir(UI)
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(
                "npm was not found. Install Node 20 or newer, or set LAYBY_SKIP_UI=1 to \
                        build without the website."
                    .to_owned(),
            );
        }
        Err(error) => return Err(format!("npm can't be started ({error}).")),
    };
    if output.status.success() {
        return Ok(());
    }
    let mut stderr = io::stderr().lock();
    let shown = stderr
        .write_all(&output.stdout)
        .and(stderr.write_all(&output.stderr));
    let command = arguments.join(" ");
    let where_ = if shown.is_ok() {
        ": its own words are above"
    } else {
        ""
    };
    Err(format!("`npm {command}` failed in ui/{where_}."))
}

/// Sets the page's time an hour back if it is newer. Cargo watches the page to notice a website built by
/// hand. A page written just now would look newer than this run.
fn settle() -> Result<(), String> {
    let page = Path::new(INDEX);
    let date_back = || -> io::Result<()> {
        let before = SystemTime::now() - Duration::from_secs(3600);
        if fs::metadata(page)?.modified()? > before {
            File::options()
                .write(true)
                .open(page)?
                .set_modified(before)?;
        }
        Ok(())
    };
    date_back().map_err(|error| format!("{INDEX} can't be dated ({error})."))
}
