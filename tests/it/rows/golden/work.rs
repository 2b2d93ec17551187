//! Jobs and documents.

use layby::app::jobs::JobQueue;
use layby::domain::document::{Document, DocumentKind};
use layby::domain::payment::sandbox::SandboxEvent;
use layby::store::AnyTable;
use layby::store::tables::{
    self, BackupState, Content, GoodBackup, HeldShop, Job, JobFailure, Lease, LimitCount, Notice,
    PolicyNotification, Removal, SetAside, SetAsideWork, Task, Tries, Work,
};

use super::{Golden, at, by_time, day, every, golden, hex, id, text};

/// Returns every task, including a mail job of each notice and each policy notification.
fn tasks() -> Vec<Task> {
    let notices = every![Notice: PasswordChanged, AddressChangeAsked, AddressChanged];
    let news = every![PolicyNotification:
        Bought,
        Changed { adjustment: id(30) },
        Cancelled,
        NotTakenUp,
        RenewalQuoted { quote: id(3) },
        RenewalReminder { quote: id(3) },
        NotRenewable { quote: id(3) },
        CardRefused { quote: id(3) },
        Ended,
        PlanStarted,
        PlanChanged,
        InstalmentFailed,
        InstalmentUnclear,
        PlanNotice,
        PlanReminder,
        CancelledByShop,
        EndNotice { cancellation: id(20) },
        PlanPaid,
        ChangeAgreed { adjustment: id(30) },
        ChangeWithdrawn { adjustment: id(30) },
        CancellationAgreed { cancellation: id(20) },
        CancellationWithdrawn { cancellation: id(20) },
        UnappliedPayment { payment: id(40) },
        PaymentReversed { payment: id(40) },
        RefundOwed { refund: id(50) },
        RefundPaid { refund: id(50) },
        Disputed { dispute: id(70) },
        DisputeDecided { dispute: id(70) },
    ];
    let mut tasks = every![Task:
        AskGateway { payment: id(40) },
        Refund { refund: id(50) },
        SandboxCallback { payment: id(40), event: SandboxEvent::State },
        ClaimPolicies { name: text("zoe@example.org"), user: id(60) },
        MailQuote { mailbox: text("zoe@example.org") },
        MailPassword { name: text("zoe@example.org") },
        MailConfirmation { user: id(60) },
        Renew { policy: id(1) },
        RenewByCard { policy: id(1) },
        RemoveCard { instrument: id(47) },
        MailPolicy { policy: id(1), news: news[0] },
        MakeDocument { document: id(70) },
        MailNotice { address: text("zoe@example.org"), notice: notices[0] },
        ReleaseQuotes { name: text("zoe@example.org"), until: id(2) },
        Collect { payment: id(40) },
    ];
    let events = every![SandboxEvent: State, Disputed];
    tasks.extend(events[1..].iter().map(|event| Task::SandboxCallback {
        payment: id(40),
        event: *event,
    }));
    let policy = id(1);
    let mails = news[1..].iter().map(|news| Task::MailPolicy {
        policy,
        news: *news,
    });
    tasks.extend(mails);
    let mails = notices[1..].iter().map(|notice| Task::MailNotice {
        address: text("zoe@example.org"),
        notice: *notice,
    });
    tasks.extend(mails);
    tasks
}

/// Returns the queued tasks of `table`.
async fn waiting(table: &'static Work) -> Golden {
    let own = |task: &Task| JobQueue::for_task(task).table().name() == table.name();
    // Numbered within the queue, so that a new task changes no other queue's rows.
    let rows = (0_u32..).zip(tasks().into_iter().filter(own));
    let rows = rows.map(|(number, task)| {
        let key = (by_time(number.into()), id(80 + u128::from(number)));
        let tries = number;
        let job = Job {
            tries,
            failure: (number % 2 == 0).then(failure),
            ..Job::new(task)
        };
        (key, job)
    });
    let mut rows: Vec<_> = rows.collect();
    if table.name() == tables::JOBS.name() {
        let job = Job {
            task: tasks().remove(0),
            tries: 4,
            failure: Some(failure()),
            lease: Some(lease()),
        };
        rows.push(((by_time(99), id(199)), job));
    }
    golden(table, rows).await
}

fn failure() -> JobFailure {
    JobFailure {
        tries: 3,
        panics: 1,
        reason: text("connecting to the mail server: it didn't answer"),
    }
}

fn content(number: u8) -> Content {
    Content {
        sha256: hex(number),
        size: 60_123,
        made_of: hex(30),
    }
}

fn lease() -> Lease {
    Lease {
        owner: id(95).to_string(),
        until: at(8),
    }
}

pub async fn rows() -> Vec<Golden> {
    let kinds = every![DocumentKind:
        Schedule, DemandsAndNeeds, Receipt, Plan, Adjustment, Cancellation, Renewal,
    ];
    let documents = (70..).zip(kinds).map(|(number, kind)| {
        let is_letter = kind == DocumentKind::Renewal;
        let document = Document {
            id: id(number),
            policy: id(1),
            kind,
            revision: 2,
            subject_id: is_letter.then_some(id(3)),
            subject_revision: is_letter.then_some(1),
            created: at(5),
            made: is_letter.then_some(at(6)),
        };
        (id(number), document)
    });
    let works = every![SetAsideWork:
        Job { task: tasks().remove(4), quote: Some(id(1)) },
        Row { queue: text("shop"), key: vec![1, 2, 3], value: vec![1, 0xc1] },
    ];
    let set_aside = (90..).zip(works).map(|(number, work)| {
        let reason = text("handing over the letter: the mail server answered 550 5.7.1");
        let tries = 36;
        let row = SetAside {
            work,
            tries,
            reason,
        };
        ((by_time(7), id(number)), row)
    });
    let counts = [
        LimitCount::Tries(Tries {
            count: 7,
            last: at(8),
            until: at(9),
        }),
        LimitCount::Rate(at(9)),
        LimitCount::Times(vec![at(8).timestamp_micros(), at(9).timestamp_micros()]),
        LimitCount::Client {
            network: text("203.0.113.0/24"),
            at: at(8),
        },
    ];
    let counts = (1..)
        .zip(counts)
        .map(|(number, count)| ([number; 32], count));
    let of_product = (hex(2), text("wording"));
    let backup = BackupState {
        since: at(0),
        started: Some(at(7)),
        newest: Some(GoodBackup {
            moment: at(6),
            rows: 1234,
            bytes: 56_789,
        }),
    };
    let held = HeldShop {
        copied: at(6),
        restored: at(8),
    };
    vec![
        waiting(&tables::JOBS).await,
        waiting(&tables::COLLECTIONS).await,
        waiting(&tables::ACCOUNT_LETTERS).await,
        waiting(&tables::POLICY_LETTERS).await,
        waiting(&tables::QUOTE_LETTERS).await,
        golden(&tables::SET_ASIDE, set_aside.collect()).await,
        golden(&tables::LAST_DAILY_RUN, vec![((), day(0))]).await,
        golden(&tables::NEWEST_WRITE, vec![((), at(7))]).await,
        golden(&tables::BACKUP_STATE, vec![((), backup)]).await,
        golden(&tables::HELD_SHOP, vec![((), held)]).await,
        golden(&tables::LEASES, vec![(text("the daily round"), lease())]).await,
        golden(&tables::LIMIT_COUNTS, counts.collect()).await,
        golden(&tables::DOCUMENTS, documents.collect()).await,
        golden(&tables::DOCUMENT_BY_POLICY, vec![((id(1), id(70)), ())]).await,
        golden(&tables::DOCUMENT_CONTENTS, vec![(id(71), content(31))]).await,
        golden(&tables::PRODUCT_CONTENTS, vec![(of_product, content(32))]).await,
        golden(
            &tables::DOCUMENT_BY_CONTENT,
            vec![((hex(31), id(71)), ()), ((hex(32), id(72)), ())],
        )
        .await,
        golden(
            &tables::REMOVED_CONTENTS,
            vec![(hex(33), Removal { at: at(10) })],
        )
        .await,
        waiting(&tables::DOCUMENTS_TO_MAKE).await,
    ]
}

#[test]
fn the_page_for_operators_names_every_task_at_its_queue() {
    let page = include_str!("../../../../docs/OPERATING.md");
    let row_of = |queue: &str| {
        let begins = format!("| `{queue}` | ");
        let row = page.lines().find(|line| line.starts_with(&begins));
        row.unwrap_or_else(|| panic!("no row of the queue {queue}"))
    };
    for task in tasks() {
        let queue = match JobQueue::for_task(&task) {
            JobQueue::Shop => "shop",
            JobQueue::Collections => "collections",
            JobQueue::AccountLetters => "account_letters",
            JobQueue::PolicyLetters => "policy_letters",
            JobQueue::QuoteLetters => "quote_letters",
            JobQueue::Documents => "documents",
        };
        let name = format!("`{}`", task.name());
        assert!(row_of(queue).contains(&name), "{queue}: {name}");
    }
}
