//! The output file of `layby export`, and a closed output.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};

use super::{layby, run, text};

fn seeded() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let some = ["seed", "--customers", "2", "--policies", "300"];
    assert!(run(layby(data.path()).args(some)).status.success());
    data
}

fn export_to(data: &Path, path: &Path) -> Output {
    run(layby(data).args(["export", "quotes", "--output"]).arg(path))
}

#[test]
fn an_export_is_its_owners_alone_and_takes_its_place_when_it_is_whole() {
    let data = seeded();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quotes.csv");
    let names = || -> Vec<_> {
        let files = std::fs::read_dir(folder.path()).unwrap();
        files.map(|file| file.unwrap().file_name()).collect()
    };
    std::fs::write(&path, "yesterday's").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let done = export_to(data.path(), &path);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let rights = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    let whole = std::fs::read_to_string(&path).unwrap();
    assert!(whole.lines().count() > 300);
    let header = whole.lines().next().unwrap();
    assert!(
        header.contains(",paid,payment_frequency,uncollected,"),
        "{header}"
    );
    assert!(whole.contains(",monthly,") && whole.contains(",annual,"));
    assert_eq!(names(), ["quotes.csv"]);

    // An unreadable row ends the export half-way: the old file stays, and no temporary file is left.
    super::local::spoil(data.path(), "quotes", &[2, 0xC1]);
    let failed = export_to(data.path(), &path);
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    assert_eq!(names(), ["quotes.csv"]);

    // A link stays a link, and a target other than a file is written directly.
    let link = folder.path().join("newest.csv");
    std::os::unix::fs::symlink("quotes.csv", &link).unwrap();
    let openapi = |path: &Path| {
        let done = run(layby(data.path())
            .args(["export", "openapi", "--output"])
            .arg(path));
        assert!(done.status.success(), "{}", text(&done.stderr));
    };
    openapi(&link);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::read_to_string(&path).unwrap().starts_with('{'));
    openapi(Path::new("/dev/null"));
    let nowhere = export_to(seeded().path(), &folder.path().join("no/such/folder.csv"));
    assert_eq!(nowhere.status.code(), Some(1));
    let said = text(&nowhere.stderr);
    assert!(said.contains("folder.csv can't be written"), "{said}");
}

#[test]
fn a_command_whose_output_nobody_reads_any_more_ends_quietly() {
    let data = seeded();
    for command in [
        &["export", "quotes"][..],
        &["export", "policies", "--format", "jsonl"],
        &["export", "openapi"],
        &["check"],
        &["mail", "list"],
        &["migrate"],
        &["serve", "--check"],
    ] {
        let mut child = layby(data.path())
            .args(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // As `head -c 0` does.
        drop(child.stdout.take());
        let mut said = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{command:?}: {said}");
        assert!(!said.contains("failed"), "{command:?}: {said}");
        assert!(!said.contains("layby:"), "{command:?}: {said}");
    }
}
