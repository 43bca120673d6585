use stoa_identity::invitations::{self, NewInvitation};
use stoa_identity::oidc::{self, OidcIdentity};
use stoa_identity::resets::{self, Reset};
use stoa_identity::{
    Caller, ManageMembers, Role, SignedIn, TokenPlace, WorkspaceName, accounts, authorize_workspace,
    passwords, second_factors, sessions, tokens, workspaces,
};
use stoa_store::audit::Status;
use stoa_testing::on_both;
use uuid::Uuid;

use crate::house::{House, MIGRATIONS, person};
use crate::lodge::{Lodge, PASSWORD, visit};
use crate::second_factors::code;

/// What the audit says, oldest first: tool, channel, status.
async fn entries(house: &House) -> Vec<(String, String, String)> {
    stoa_store::on!(read house.db(), c => {
        sqlx::query_as("SELECT tool, channel, status FROM audit_entry ORDER BY id").fetch_all(c).await
    })
    .unwrap()
}

fn entry(tool: &str, status: &str) -> (String, String, String) {
    (tool.to_owned(), "cli".to_owned(), status.to_owned())
}

on_both! {
    async fn every_write_has_its_entry_and_a_refusal_leaves_the_act_open(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (db, ambient) = (house.db(), &house.ambient);
        let tick = || house.clock.advance(std::time::Duration::from_millis(1));
        tick();
        let token = house.add_token(None).await;
        tick();
        let place = TokenPlace { workspace: house.workspace.id, installation: token.installation };
        tokens::revoke(db, ambient, &house.act("token revoke"), &place).await.unwrap();
        tick();
        let name: WorkspaceName = "acme".parse().unwrap();
        workspaces::add(db, ambient, &house.act("workspace add"), name, &house.ann.email).await.unwrap();
        tick();
        let refused = house.act("account add");
        accounts::add(db, ambient, &refused, person("ann@example.com")).await.unwrap_err();
        refused.close(Status::Error, Some("email_taken")).await.unwrap();
        house.audit.stop().await;
        let expected = [
            entry("account add", "ok"),
            entry("token add", "ok"),
            entry("token revoke", "ok"),
            entry("workspace add", "ok"),
            entry("account add", "error"),
        ];
        assert_eq!(entries(&house).await, expected);
    }
}

on_both! {
    async fn who_signs_in_is_noted_though_nobody_was_known_at_the_beginning(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        lodge.house.clock.advance(std::time::Duration::from_secs(1));
        lodge.bob_signed_in().await;
        let refused = lodge.act("sign in");
        let address = &bob.email;
        passwords::sign_in(&lodge.door, &refused, address, "wrong", &visit()).await.unwrap_err();
        refused.close(Status::Denied, Some("refused")).await.unwrap();
        let noted: Vec<(String, Option<Uuid>)> = stoa_store::on!(read lodge.house.db(), c => {
            sqlx::query_as("SELECT status, account_id FROM audit_entry WHERE tool = 'sign in' ORDER BY status DESC")
                .fetch_all(c).await
        }).unwrap();
        let bob = Some(bob.id.uuid());
        assert_eq!(noted, [("ok".to_owned(), bob), ("denied".to_owned(), bob)]);
    }
}

on_both! {
    async fn every_change_of_how_people_sign_in_has_its_entry(test) with MIGRATIONS; {
        let mut lodge = Lodge::on(test).await;
        lodge.door.oidc.link_by_email = true;
        lodge.add_bob().await;
        let (_, bob) = lodge.bob_signed_in().await;
        change_everything(&lodge, &bob).await;
        lodge.house.audit.stop().await;
        let open: Vec<_> = entries(&lodge.house).await.into_iter().filter(|(_, _, status)| status != "ok").collect();
        assert_eq!(open, [], "an act that was not committed is noted as abandoned");
    }
}

/// Every operation that changes something and has no test of its entry elsewhere.
async fn change_everything(lodge: &Lodge, bob: &SignedIn) {
    let (door, db, ambient) = (&lodge.door, lodge.house.db(), &lodge.house.ambient);
    let act = |tool: &str| lodge.act(tool);
    let enrollment = second_factors::begin_totp(door, &act("begin totp"), bob).await.unwrap();
    let code = code(lodge, &enrollment);
    second_factors::confirm_totp(door, &act("confirm totp"), bob, &code).await.unwrap();
    let codes = second_factors::renew_codes(door, &act("renew codes"), bob).await.unwrap();
    let waiting = lodge.sign_in("bob@example.com", PASSWORD).await.unwrap();
    let (cookie, code) = (waiting.secret.expose(), &codes.expose()[0]);
    second_factors::verify(door, &act("second step"), cookie, code, &visit()).await.unwrap();
    second_factors::remove(door, &act("remove second factor"), bob).await.unwrap();
    passwords::change(door, &act("change password"), bob, PASSWORD, "a stoa at noon", &visit())
        .await
        .unwrap();
    let identity = OidcIdentity {
        issuer: "https://id.example.org".to_owned(),
        subject: "1".to_owned(),
        email: Some(bob.email.clone()),
        email_verified: true,
        authenticated_at: None,
    };
    oidc::finish(door, &act("sign in"), &identity, &visit()).await.unwrap();
    let caller = (*lodge.caller(bob).await.unwrap()).clone();
    let caller = Caller { role: Role::Owner, account: lodge.house.ann.id, ..caller };
    let by = authorize_workspace::<ManageMembers>(&caller.into()).unwrap();
    let invite = async || {
        let new = NewInvitation { role: Role::Member, email: None };
        invitations::add(db, ambient, &act("invite"), &by, new).await.unwrap()
    };
    let (first, second, third) = (invite().await, invite().await, invite().await);
    invitations::withdraw(db, ambient, &act("withdraw"), &by, first.invitation.id).await.unwrap();
    invitations::accept(door, &act("accept"), second.secret.expose(), bob).await.unwrap();
    let carl = "carl@example.com".parse().unwrap();
    let secret = third.secret.expose();
    invitations::accept_as_new(door, &act("accept"), secret, carl, None, &visit()).await.unwrap();
    sessions::end_others(door, &act("end sessions"), bob).await.unwrap();
    sessions::end(door, &act("end session"), bob, bob.session).await.unwrap();
    let link = resets::issue(db, ambient, &act("reset"), &bob.email, Reset::Password).await.unwrap().unwrap();
    resets::redeem(door, &act("redeem"), link.secret.expose(), None, &visit()).await.unwrap();
    sessions::end_all(door, &act("end sessions"), bob).await.unwrap();
    accounts::disable(db, ambient, &act("disable"), bob.account).await.unwrap();
    accounts::enable(db, &act("enable"), bob.account).await.unwrap();
}
