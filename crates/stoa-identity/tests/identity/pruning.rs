use std::time::Duration;

use stoa_identity::invitations::{self, NewInvitation};
use stoa_identity::resets::{self, Reset};
use stoa_identity::{Caller, ManageMembers, Role, authorize_workspace, oidc, prune, second_factors};
use stoa_testing::on_both;

use crate::house::MIGRATIONS;
use crate::lodge::{Lodge, visit};

const TABLES: [&str; 6] =
    ["session", "one_time_link", "ceremony", "sign_in_attempt", "second_factor", "invitation"];

async fn counts(lodge: &Lodge) -> [i64; 6] {
    let mut counts = [0; 6];
    for (count, table) in counts.iter_mut().zip(TABLES) {
        *count = lodge.count(table).await;
    }
    counts
}

/// One row of each kind that dies by itself.
async fn fill(lodge: &Lodge) {
    lodge.add_bob().await;
    let (_, bob) = lodge.bob_signed_in().await;
    let (db, ambient) = (lodge.house.db(), &lodge.house.ambient);
    resets::issue(db, ambient, &lodge.act("reset"), &bob.email, Reset::Password).await.unwrap();
    oidc::start(&lodge.door, "https://id.example.org", "/", &visit()).await.unwrap();
    second_factors::begin_totp(&lodge.door, &lodge.act("enroll"), &bob).await.unwrap();
    let caller = (*lodge.caller(&bob).await.unwrap()).clone();
    let by = authorize_workspace::<ManageMembers>(&Caller { role: Role::Admin, ..caller }.into()).unwrap();
    let new = NewInvitation { role: Role::Member, email: None };
    invitations::add(db, ambient, &lodge.act("invite"), &by, new).await.unwrap();
}

on_both! {
    async fn what_is_over_goes_and_what_is_good_stays(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        fill(&lodge).await;
        let (db, ambient) = (lodge.house.db(), &lodge.house.ambient);
        // Of attempts: the network's failures (none left) and its ceremonies.
        assert_eq!(counts(&lodge).await, [1, 1, 1, 2, 1, 1]);
        prune(db, ambient).await.unwrap();
        assert_eq!(counts(&lodge).await, [1, 1, 1, 2, 1, 1]);
        let day = Duration::from_hours(24);
        for (passes, left) in [
            (Duration::from_mins(10), [1, 1, 0, 2, 1, 1]),
            (Duration::from_mins(110), [1, 0, 0, 0, 1, 1]),
            (day, [1, 0, 0, 0, 0, 1]),
            (29 * day, [0, 0, 0, 0, 0, 1]),
            (7 * day, [0, 0, 0, 0, 0, 0]),
        ] {
            lodge.house.clock.advance(passes);
            prune(db, ambient).await.unwrap();
            assert_eq!(counts(&lodge).await, left, "{passes:?} later");
        }
    }
}
