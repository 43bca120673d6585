use std::time::Duration;

use stoa_identity::accounts::{AddAccountError, NewAccount};
use stoa_identity::tokens::AddTokenError;
use stoa_identity::{Account, Password, Rejected, accounts, tokens};
use stoa_testing::on_both;
use tokio::task::JoinSet;

use crate::house::{House, MIGRATIONS, email, person};

/// Who belongs to a workspace, as what.
async fn members(house: &House) -> Vec<(String, String)> {
    let members = "SELECT email, role FROM membership JOIN account ON account.id = account_id";
    stoa_store::on!(read house.db(), c => sqlx::query_as(members).fetch_all(c).await).unwrap()
}

on_both! {
    async fn the_first_account_owns_default_and_the_second_is_no_member(test) with MIGRATIONS; {
        let house = House::on(test).await;
        house.add_account("bob@example.com").await;
        assert_eq!(members(&house).await, [("ann@example.com".to_owned(), "owner".to_owned())]);
    }
}

on_both! {
    async fn of_accounts_added_at_once_exactly_one_owns_default(test) with MIGRATIONS; {
        let house = House::on(test).await;
        leave_default_ownerless(&house).await;
        let added = add_at_once(&house, 6);
        all_added(added).await;
        assert_one_owner(&house).await;
    }
}

// With one writer at a time this can't happen; with many, both are under way before either is a member.
#[tokio::test]
async fn of_two_accounts_whose_transactions_overlap_one_owns_default() {
    let house = House::on(stoa_testing::postgres(MIGRATIONS).await).await;
    leave_default_ownerless(&house).await;
    let mut gate = house.db().begin().await.unwrap();
    let close = "LOCK TABLE membership IN SHARE MODE";
    stoa_store::on!(tx gate, c => sqlx::query(close).execute(c).await.map(|_| ())).unwrap();
    let added = add_at_once(&house, 2);
    tokio::time::timeout(Duration::from_secs(20), two_wait(&house)).await.expect("both wait");
    gate.rollback().await.unwrap();
    all_added(added).await;
    assert_one_owner(&house).await;
}

async fn two_wait(house: &House) {
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let count = async || -> i64 {
        stoa_store::on!(read house.db(), c => sqlx::query_scalar(waiting).fetch_one(c).await).unwrap()
    };
    while count().await < 2 {
        tokio::task::yield_now().await;
    }
}

fn add_at_once(house: &House, number: usize) -> JoinSet<Result<Account, AddAccountError>> {
    let mut adding = JoinSet::new();
    for number in 0..number {
        let (db, ambient, act) = (house.db().clone(), house.ambient.clone(), house.act("account add"));
        let new = person(&format!("person{number}@example.com"));
        adding.spawn(async move { accounts::add(&db, &ambient, &act, new).await });
    }
    adding
}

async fn all_added(adding: JoinSet<Result<Account, AddAccountError>>) {
    for added in adding.join_all().await {
        added.unwrap();
    }
}

async fn assert_one_owner(house: &House) {
    let members = members(house).await;
    assert!(matches!(members.as_slice(), [(_, role)] if role == "owner"), "{members:?}");
}

/// As it is before the first account.
async fn leave_default_ownerless(house: &House) {
    let mut tx = house.db().begin().await.unwrap();
    stoa_store::on!(tx tx, c => sqlx::query("DELETE FROM membership").execute(c).await.map(|_| ())).unwrap();
    tx.commit().await.unwrap();
}

on_both! {
    async fn an_address_is_taken_in_any_case_and_found_in_any(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let act = house.act("account add");
        let again = accounts::add(house.db(), &house.ambient, &act, person("ANN@example.com")).await;
        assert!(matches!(again, Err(AddAccountError::EmailTaken(_))));
        let found = accounts::by_email(house.db(), &email("Ann@Example.Com")).await.unwrap();
        assert_eq!(found.as_ref(), Some(&house.ann));
        assert_eq!(accounts::by_email(house.db(), &email("eve@example.com")).await.unwrap(), None);
    }
}

on_both! {
    async fn a_password_is_stored_as_a_hash_only(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let password = Password::typed("correct horse");
        let new = NewAccount { email: email("bob@example.com"), password };
        accounts::add(house.db(), &house.ambient, &house.act("account add"), new).await.unwrap();
        let stored: Vec<Option<String>> = stoa_store::on!(read house.db(), c => {
            sqlx::query_scalar("SELECT password_hash FROM account ORDER BY email").fetch_all(c).await
        }).unwrap();
        assert_eq!(stored[0], None);
        assert!(stored[1].as_ref().unwrap().starts_with("$argon2id$"));
    }
}

on_both! {
    async fn a_disabled_account_has_no_token_any_more_and_gets_none(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(None).await;
        house.show(&token).await.unwrap();
        let act = house.act("account disable");
        assert!(accounts::disable(house.db(), &house.ambient, &act, house.ann.id).await.unwrap());
        assert_eq!(house.show(&token).await, Err(Rejected::AccountDisabled));
        let act = house.act("token add");
        let refused = tokens::add(house.db(), &house.ambient, &act, house.new_token(None)).await;
        assert!(matches!(refused, Err(AddTokenError::AccountDisabled(_))));
        let act = house.act("account disable");
        assert!(!accounts::disable(house.db(), &house.ambient, &act, house.ann.id).await.unwrap());
    }
}
