use std::sync::Arc;
use std::time::Duration;

use stoa_identity::invitations::{self, AcceptError, AddInvitationError, AddedInvitation, NewInvitation};
use stoa_identity::{
    Authorized, Caller, ManageMembers, MountId, NewSession, Refusal, Role, SignedIn, WorkspaceTarget,
    accounts, authorize_workspace, members,
};
use stoa_testing::on_both;

use crate::house::{MIGRATIONS, email};
use crate::lodge::{Lodge, PASSWORD, succeed_at_once, visit};

/// The steward of members that a person with this role is.
async fn steward(lodge: &Lodge, role: Role) -> Authorized<WorkspaceTarget, ManageMembers> {
    try_steward(lodge, role).await.unwrap()
}

async fn try_steward(
    lodge: &Lodge,
    role: Role,
) -> Result<Authorized<WorkspaceTarget, ManageMembers>, Refusal> {
    let (_, bob) = lodge.bob_signed_in().await;
    let caller = lodge.caller(&bob).await.unwrap();
    let ann = (role == Role::Owner).then_some(lodge.house.ann.id);
    let account = ann.unwrap_or(bob.account);
    authorize_workspace(&Arc::new(Caller { role, account, ..(*caller).clone() }))
}

pub async fn invite(lodge: &Lodge, role: Role, address: Option<&str>) -> AddedInvitation {
    let by = steward(lodge, Role::Owner).await;
    let new = NewInvitation { role, email: address.map(email) };
    add(lodge, &by, new).await.unwrap()
}

async fn add(
    lodge: &Lodge,
    by: &Authorized<WorkspaceTarget, ManageMembers>,
    new: NewInvitation,
) -> Result<AddedInvitation, AddInvitationError> {
    invitations::add(lodge.house.db(), &lodge.house.ambient, &lodge.act("invite"), by, new).await
}

pub fn accept_as_new(
    lodge: &Lodge,
    invitation: &AddedInvitation,
    address: &str,
) -> impl Future<Output = Result<NewSession, AcceptError>> + Send + use<> {
    let (door, act, address) = (lodge.door.clone(), lodge.act("accept"), email(address));
    let secret = invitation.secret.clone();
    async move {
        let secret = secret.expose();
        invitations::accept_as_new(&door, &act, secret, address, Some(PASSWORD), &visit()).await
    }
}

async fn is_offered(lodge: &Lodge, invitation: &AddedInvitation) -> bool {
    let (db, ambient) = (lodge.house.db(), &lodge.house.ambient);
    invitations::offer(db, ambient, invitation.secret.expose()).await.unwrap().is_some()
}

async fn role_of(lodge: &Lodge, who: &SignedIn) -> Option<Role> {
    lodge.caller(who).await.map(|caller| caller.role)
}

on_both! {
    async fn a_new_person_comes_in_with_the_role_and_the_link_is_used_up(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let invitation = invite(&lodge, Role::Admin, Some("carl@example.com")).await;
        let (db, ambient) = (lodge.house.db(), &lodge.house.ambient);
        let offer = invitations::offer(db, ambient, invitation.secret.expose()).await.unwrap().unwrap();
        assert_eq!((offer.workspace.as_str(), offer.role), ("default", Role::Admin));
        assert_eq!(offer.invited_by, email("ann@example.com"));
        let session = accept_as_new(&lodge, &invitation, "Carl@example.com").await.unwrap();
        let carl = lodge.who(&session).await.unwrap();
        assert_eq!(role_of(&lodge, &carl).await, Some(Role::Admin));
        let again = accept_as_new(&lodge, &invitation, "dora@example.com").await;
        assert!(matches!(again, Err(AcceptError::NotGood)));
        lodge.sign_in("carl@example.com", PASSWORD).await.unwrap();
    }
}

on_both! {
    async fn who_has_an_account_joins_with_it_and_keeps_a_role_they_had(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        let (_, who) = lodge.bob_signed_in().await;
        let invitation = invite(&lodge, Role::Owner, None).await;
        let (db, ambient, workspace) = (lodge.house.db(), &lodge.house.ambient, lodge.house.workspace.id);
        members::remove(db, ambient, &lodge.act("member remove"), workspace, bob.id).await.unwrap();
        let accept = async |invitation: &AddedInvitation| {
            let secret = invitation.secret.expose();
            invitations::accept(&lodge.door, &lodge.act("accept"), secret, &who).await
        };
        assert_eq!(accept(&invitation).await.unwrap(), workspace);
        assert_eq!(role_of(&lodge, &who).await, Some(Role::Owner));
        let lower = invite(&lodge, Role::Member, None).await;
        accept(&lower).await.unwrap();
        assert_eq!(role_of(&lodge, &who).await, Some(Role::Owner));
        assert!(matches!(accept(&lower).await, Err(AcceptError::NotGood)));
    }
}

on_both! {
    async fn of_several_who_accept_one_invitation_at_once_one_comes_in(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let invitation = invite(&lodge, Role::Member, None).await;
        let attempts: Vec<_> =
            (0..6).map(|n| accept_as_new(&lodge, &invitation, &format!("p{n}@example.com"))).collect();
        assert_eq!(succeed_at_once(attempts).await, 1);
        assert_eq!(lodge.count("account").await, 3);
    }
}

on_both! {
    async fn an_invitation_for_one_address_is_for_no_other(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (_, bob) = lodge.bob_signed_in().await;
        let invitation = invite(&lodge, Role::Member, Some("carl@example.com")).await;
        let other = accept_as_new(&lodge, &invitation, "eve@example.com").await;
        assert!(matches!(other, Err(AcceptError::OtherAddress)));
        let (act, secret) = (lodge.act("accept"), invitation.secret.expose());
        let signed_in = invitations::accept(&lodge.door, &act, secret, &bob).await;
        assert!(matches!(signed_in, Err(AcceptError::OtherAddress)));
        let open = invite(&lodge, Role::Member, None).await;
        let taken = accept_as_new(&lodge, &open, "ann@example.com").await;
        assert!(matches!(taken, Err(AcceptError::EmailTaken)));
        accept_as_new(&lodge, &invitation, "carl@example.com").await.unwrap();
    }
}

on_both! {
    async fn nobody_invites_above_their_role_and_members_invite_nobody(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let admin = steward(&lodge, Role::Admin).await;
        let above = add(&lodge, &admin, NewInvitation { role: Role::Owner, email: None }).await;
        assert!(matches!(above, Err(AddInvitationError::RoleTooHigh)));
        add(&lodge, &admin, NewInvitation { role: Role::Admin, email: None }).await.unwrap();
        let member = try_steward(&lodge, Role::Member).await;
        assert!(matches!(member, Err(Refusal::Denied { right: "manage_members" })));
        let token = lodge.house.add_token(None).await;
        let agent = lodge.house.show(&token).await.unwrap();
        let agent = authorize_workspace::<ManageMembers>(&agent);
        assert!(matches!(agent, Err(Refusal::Denied { .. })), "no client is granted that scope");
    }
}

on_both! {
    async fn an_invitation_is_worth_what_its_inviter_may_still_give(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        // Bob is a member by now: what he invited into as an admin is no longer his to give.
        let by = steward(&lodge, Role::Admin).await;
        let invitation = add(&lodge, &by, NewInvitation { role: Role::Member, email: None }).await.unwrap();
        assert!(!is_offered(&lodge, &invitation).await);
        let refused = accept_as_new(&lodge, &invitation, "carl@example.com").await;
        assert!(matches!(refused, Err(AcceptError::NotGood)));
        let (db, ambient, workspace) = (lodge.house.db(), &lodge.house.ambient, lodge.house.workspace.id);
        members::remove(db, ambient, &lodge.act("member remove"), workspace, bob.id).await.unwrap();
        members::add(db, ambient, &lodge.act("member add"), workspace, bob.id, Role::Admin).await.unwrap();
        assert!(is_offered(&lodge, &invitation).await);
        accounts::disable(db, ambient, &lodge.act("account disable"), bob.id).await.unwrap();
        assert!(!is_offered(&lodge, &invitation).await);
        let refused = accept_as_new(&lodge, &invitation, "carl@example.com").await;
        assert!(matches!(refused, Err(AcceptError::NotGood)));
    }
}

on_both! {
    async fn a_withdrawn_or_expired_invitation_is_refused_and_listed(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (withdrawn, expired) =
            (invite(&lodge, Role::Member, None).await, invite(&lodge, Role::Member, None).await);
        let by = steward(&lodge, Role::Owner).await;
        let (db, ambient) = (lodge.house.db(), &lodge.house.ambient);
        let withdraw = async || {
            let (act, id) = (lodge.act("withdraw"), withdrawn.invitation.id);
            invitations::withdraw(db, ambient, &act, &by, id).await.unwrap()
        };
        assert!(withdraw().await && !withdraw().await);
        assert!(!is_offered(&lodge, &withdrawn).await && is_offered(&lodge, &expired).await);
        let refused = accept_as_new(&lodge, &withdrawn, "carl@example.com").await;
        assert!(matches!(refused, Err(AcceptError::NotGood)));
        lodge.house.clock.advance(Duration::from_hours(7 * 24));
        let refused = accept_as_new(&lodge, &expired, "carl@example.com").await;
        assert!(matches!(refused, Err(AcceptError::NotGood)));
        assert_eq!(invitations::list(db, &by).await.unwrap().len(), 2);
    }
}

on_both! {
    async fn another_workspace_s_invitations_are_neither_seen_nor_withdrawn(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let invitation = invite(&lodge, Role::Member, None).await;
        let here = steward(&lodge, Role::Owner).await;
        let workspace = stoa_base::WorkspaceId::new(&lodge.house.ambient);
        let mount = MountId::new(workspace, "things");
        let elsewhere = Arc::new(Caller { workspace, mount, ..here.caller().clone() });
        let there = authorize_workspace::<ManageMembers>(&elsewhere).unwrap();
        let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("withdraw"));
        assert!(invitations::list(db, &there).await.unwrap().is_empty());
        assert!(!invitations::withdraw(db, ambient, &act, &there, invitation.invitation.id).await.unwrap());
        assert!(is_offered(&lodge, &invitation).await);
    }
}
