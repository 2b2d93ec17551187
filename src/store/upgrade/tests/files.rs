//! Tests of upgrades of a store's file: its copy, and the files left in the folder.

use std::path::Path;

use super::*;

fn at_noon() -> DateTime<Utc> {
    "2026-11-22T12:00:00Z".parse().unwrap()
}

/// Returns the schemas of the file's remaining steps.
fn left(path: &Path) -> Vec<u32> {
    let upgrade = Upgrade::look(path, STEPS).unwrap();
    upgrade.steps().iter().map(|step| step.schema).collect()
}

#[test]
fn a_file_is_copied_first_and_the_copy_is_the_store_of_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layby.redb");
    fill(&Engine::open(&path).unwrap());
    assert_eq!(left(&path), [2, 3]);
    let plan = |step| Upgrade::look(&path, STEPS).unwrap().plan(step).unwrap();
    assert_eq!(plan(&STEPS[0]), [(NUMBERS, 2500)]);
    assert_eq!(plan(&STEPS[1]), [(NUMBERS, 2500), (GIVEN_UP, 2500)]);

    // The upgrade stops half way, and continues one second later.
    let before = std::fs::read(&path).unwrap();
    let upgrade = Upgrade::look(&path, STOPPING).unwrap();
    let mut done = Vec::new();
    upgrade
        .run(at_noon(), &mut |one| done.push(names_of(&one)))
        .unwrap_err();
    assert_eq!(done, ["copy"]);
    assert_eq!(left(&path), [2, 3]);
    let copy = upgrade.copy(at_noon()).unwrap();
    assert!(std::fs::read(&copy).unwrap() == before);
    let description = describe_file(&path).unwrap().unwrap();
    description.may_be_served(1).unwrap_err();

    let one_second_later = at_noon() + chrono::Duration::seconds(1);
    let upgrade = Upgrade::look(&path, STEPS).unwrap();
    assert_eq!(upgrade.copy(one_second_later).unwrap(), copy);
    let mut done = Vec::new();
    upgrade
        .run(one_second_later, &mut |one| done.push(names_of(&one)))
        .unwrap();
    assert_eq!(done, ["numbers are one more", "numbers can be looked up"]);
    assert_eq!(left(&path), [] as [u32; 0]);
    is_upgraded(&Engine::open(&path).unwrap().read().unwrap());
    // The copy still has the old schema.
    assert_eq!(left(&copy), [2, 3]);
    let description = describe_file(&copy).unwrap().unwrap();
    description.may_be_served(1).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// Returns the names of the files beside the store.
fn file_names(path: &Path) -> Vec<String> {
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "layby.redb").collect()
}

#[test]
fn an_upgrade_that_changes_no_row_leaves_no_copy() {
    const REFUSING: &[Migration] = &[Migration {
        schema: 2,
        name: "refuses every row",
        walks: &[Walk {
            table: NUMBERS,
            version: 1,
            row: |_, _| Err("refused".to_string()),
        }],
    }];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layby.redb");
    fill(&Engine::open(&path).unwrap());
    let upgrade = Upgrade::look(&path, REFUSING).unwrap();
    let mut done = Vec::new();
    let say = &mut |one: Done<'_>| done.push(names_of(&one));
    upgrade.run(at_noon(), say).unwrap_err();
    assert_eq!(done, ["copy", "copy removed"]);
    assert_eq!(file_names(&path), [""; 0]);
    let description = describe_file(&path).unwrap().unwrap();
    description.may_be_served(1).unwrap();
}

#[test]
fn a_store_that_another_upgrade_has_changed_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layby.redb");
    let one_second_later = at_noon() + chrono::Duration::seconds(1);
    fill(&Engine::open(&path).unwrap());

    // Another upgrade runs between the look and the copy.
    let late = Upgrade::look(&path, STEPS).unwrap();
    let other = Upgrade::look(&path, STEPS).unwrap();
    other.run(at_noon(), &mut |_| {}).unwrap();
    let copies = [other
        .copy(at_noon())
        .unwrap()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_string()];
    let refused = late
        .run(one_second_later, &mut |_| panic!("done"))
        .unwrap_err();
    assert!(matches!(refused, StoreError::Changed), "{refused}");
    assert_eq!(file_names(&path), copies);

    // Another upgrade runs between the copy and the first batch.
    std::fs::rename(path.with_file_name(&copies[0]), &path).unwrap();
    let upgrade = Upgrade::look(&path, STEPS).unwrap();
    let mut done = Vec::new();
    let say = &mut |one: Done<'_>| {
        if matches!(one, Done::Copy(_)) {
            let other = Upgrade::look(&path, STEPS).unwrap();
            other.run(at_noon(), &mut |_| {}).unwrap();
        }
        done.push(names_of(&one));
    };
    let refused = upgrade.run(one_second_later, say).unwrap_err();
    assert!(matches!(refused, StoreError::Changed), "{refused}");
    assert_eq!(done, ["copy", "copy removed"]);
    assert_eq!(file_names(&path), copies);

    // The copy replaces a half-upgraded store after `Upgrade::look`.
    let copy = path.with_file_name(&copies[0]);
    std::fs::copy(&copy, &path).unwrap();
    let stopping = Upgrade::look(&path, STOPPING).unwrap();
    stopping.run(one_second_later, &mut |_| {}).unwrap_err();
    let half = Upgrade::look(&path, STEPS).unwrap();
    std::fs::rename(&copy, &path).unwrap();
    let refused = half
        .run(one_second_later, &mut |_| panic!("done"))
        .unwrap_err();
    assert!(matches!(refused, StoreError::Changed), "{refused}");
    assert_eq!(left(&path), [2, 3]);
}
