use stoa_identity::members::RemoveMemberError;
use stoa_identity::tokens::AddedToken;
use stoa_identity::{Account, Rejected, Role, accounts, members};
use stoa_testing::on_both;

use crate::house::{House, MIGRATIONS};

/// Bob, a member of `default`, and a token of his.
async fn add_bob(house: &House) -> (Account, AddedToken) {
    let bob = house.add_account("bob@example.com").await;
    assert!(add(house, &bob).await);
    let mut new = house.new_token(None);
    new.email = bob.email.clone();
    (bob, house.add_this_token(new).await)
}

async fn add(house: &House, who: &Account) -> bool {
    let act = house.act("member add");
    members::add(house.db(), &house.ambient, &act, house.workspace.id, who.id, Role::Member).await.unwrap()
}

async fn remove(house: &House, who: &Account) -> Result<(), RemoveMemberError> {
    let act = house.act("member remove");
    members::remove(house.db(), &house.ambient, &act, house.workspace.id, who.id).await
}

on_both! {
    async fn a_removed_member_s_tokens_end_at_once_and_for_good(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (bob, token) = add_bob(&house).await;
        assert_eq!(house.show(&token).await.unwrap().role, Role::Member);
        remove(&house, &bob).await.unwrap();
        assert_eq!(house.show(&token).await, Err(Rejected::Revoked));
        assert!(add(&house, &bob).await);
        assert_eq!(house.show(&token).await, Err(Rejected::Revoked));
    }
}

on_both! {
    async fn without_a_membership_no_token_is_taken_whatever_its_own_state(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (_, token) = add_bob(&house).await;
        let mut tx = house.db().begin().await.unwrap();
        let delete = "DELETE FROM membership WHERE role = 'member'";
        stoa_store::on!(tx tx, c => sqlx::query(delete).execute(c).await.map(|_| ())).unwrap();
        tx.commit().await.unwrap();
        assert_eq!(house.show(&token).await, Err(Rejected::NotAMember));
    }
}

on_both! {
    async fn the_last_owner_stays(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (bob, _) = add_bob(&house).await;
        assert!(matches!(remove(&house, &house.ann).await, Err(RemoveMemberError::LastOwner)));
        remove(&house, &bob).await.unwrap();
        assert!(matches!(remove(&house, &bob).await, Err(RemoveMemberError::NotAMember)));
    }
}

on_both! {
    async fn an_owner_who_can_not_sign_in_is_none_to_leave_the_workspace_to(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (bob, _) = add_bob(&house).await;
        remove(&house, &bob).await.unwrap();
        let (db, act) = (house.db(), || house.act("member add"));
        members::add(db, &house.ambient, &act(), house.workspace.id, bob.id, Role::Owner).await.unwrap();
        accounts::disable(db, &house.ambient, &act(), bob.id).await.unwrap();
        assert!(matches!(remove(&house, &house.ann).await, Err(RemoveMemberError::LastOwner)));
        remove(&house, &bob).await.unwrap();
    }
}

on_both! {
    async fn who_is_a_member_keeps_the_role(test) with MIGRATIONS; {
        let house = House::on(test).await;
        assert!(!add(&house, &house.ann).await);
        assert_eq!(house.show(&house.add_token(None).await).await.unwrap().role, Role::Owner);
    }
}
