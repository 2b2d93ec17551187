//! Documents in the folder beside the store, with the real binary.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Running, layby, run, text};

fn checked(data: &Path) -> (bool, String) {
    let checked = run(layby(data).arg("check"));
    let said = format!("{}{}", text(&checked.stdout), text(&checked.stderr));
    (checked.status.success(), said)
}

/// Returns the files of the folder's blobs.
fn contents(data: &Path) -> Vec<PathBuf> {
    let folder = fs::read_dir(data.join("documents")).unwrap();
    let shards = folder.map(|shard| shard.unwrap().path());
    let shards = shards.filter(|shard| shard.is_dir());
    shards
        .flat_map(|shard| fs::read_dir(shard).unwrap())
        .map(|file| file.unwrap().path())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_reads_every_document_and_a_copy_says_where_they_are() {
    let data = tempfile::tempdir().unwrap();
    let shop = Running::start(data.path(), &[]);
    let identifier = "breakdown-2026.8-ipid";
    let client = layby::integrations::http::client(None).unwrap();
    let address = format!("{}/api/v1/documents/{identifier}", shop.url);
    let read = client.get(&address).send().await.unwrap();
    assert_eq!(read.status().as_u16(), 200);
    let pdf = read.bytes().await.unwrap();
    drop(shop);

    let [file] = contents(data.path()).try_into().unwrap();
    assert_eq!(fs::read(&file).unwrap(), pdf);
    use std::os::unix::fs::PermissionsExt;
    let folder = fs::metadata(data.path().join("documents")).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    let (is_good, said) = checked(data.path());
    assert!(
        is_good && said.contains("the books and 1 document\n"),
        "{said}"
    );

    let copy = data.path().join("copy.redb");
    let copied = run(layby(data.path()).args(["migrate", "--to"]).arg(&copy));
    let said = text(&copied.stdout);
    let folder = data.path().join("documents");
    assert!(
        said.contains("documents that stay where they are: 1, in"),
        "{said}"
    );
    assert!(said.contains(&*folder.to_string_lossy()), "{said}");

    let stray = folder.join("ab");
    fs::create_dir_all(&stray).unwrap();
    fs::write(stray.join(format!("ab{}", "0".repeat(62))), "stray").unwrap();
    let (is_good, said) = checked(data.path());
    assert!(
        is_good && said.contains("contents that belong to no document: 1;"),
        "{said}"
    );

    let mut damaged = pdf.to_vec();
    damaged[7] ^= 1;
    fs::write(&file, damaged).unwrap();
    let (is_good, said) = checked(data.path());
    assert!(
        !is_good && said.contains("its bytes have another SHA-256"),
        "{said}"
    );
    fs::remove_file(&file).unwrap();
    let (is_good, said) = checked(data.path());
    assert!(!is_good && said.contains("there is no content"), "{said}");
    assert!(said.contains("1 mistake"), "{said}");
}
