//! The socket of a data folder: one shop owns it at a time, and removes no other shop's socket.

use std::os::unix::net::UnixStream;

use layby::api::admin_socket::listen;

#[tokio::test]
async fn of_two_shops_on_one_data_folder_neither_removes_the_others_socket() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layby.sock");
    let is_answered = || UnixStream::connect(&path).is_ok();
    let first = listen(folder.path()).unwrap();
    assert!(listen(folder.path()).is_none(), "the first has it");
    assert!(is_answered());
    // The first shop must not remove a socket that replaced its own.
    std::fs::remove_file(&path).unwrap();
    let second = listen(folder.path()).unwrap();
    drop(first);
    assert!(is_answered());
    drop(second);
    assert!(!path.exists());
    // A killed shop's socket may be replaced.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.exists() && !is_answered());
    let third = listen(folder.path()).unwrap();
    assert!(is_answered());
    drop(third);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
