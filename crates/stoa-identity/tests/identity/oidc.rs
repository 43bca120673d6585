use std::time::Duration;

use stoa_base::Timestamp;
use stoa_identity::oidc::{self, OidcError, OidcIdentity};
use stoa_identity::resets::{self, Reset};
use stoa_identity::{AuthenticatedBy, NewSession, Role, accounts};
use stoa_testing::on_both;

use crate::house::{MIGRATIONS, email};
use crate::invitations::{accept_as_new, invite};
use crate::lodge::{Lodge, succeed_at_once, visit};

const ISSUER: &str = "https://id.example.org";

fn identity(subject: &str, address: &str, email_verified: bool) -> OidcIdentity {
    let (issuer, subject) = (ISSUER.to_owned(), subject.to_owned());
    OidcIdentity { issuer, subject, email: Some(email(address)), email_verified, authenticated_at: None }
}

fn finish(
    lodge: &Lodge,
    identity: OidcIdentity,
) -> impl Future<Output = Result<NewSession, OidcError>> + Send + use<> {
    let (door, act) = (lodge.door.clone(), lodge.act("sign in"));
    async move { oidc::finish(&door, &act, &identity, &visit()).await }
}

on_both! {
    async fn a_ceremony_comes_back_once_to_its_browser_with_its_state(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let begun = oidc::start(&lodge.door, ISSUER, "/agents", &visit()).await.unwrap();
        let other = oidc::start(&lodge.door, ISSUER, "/", &visit()).await.unwrap();
        let (secret, state) = (begun.secret.expose(), begun.ceremony.state.as_str());
        let parts = [&begun.ceremony.state, &begun.ceremony.nonce, &begun.ceremony.verifier];
        assert!(parts.iter().all(|part| part.len() == 64) && parts[0] != parts[1] && parts[1] != parts[2]);
        let crossed = oidc::resume(&lodge.door, other.secret.expose(), state).await.unwrap();
        assert_eq!(crossed, None, "another browser");
        let resumed = oidc::resume(&lodge.door, secret, state).await.unwrap().unwrap();
        assert_eq!(resumed, begun.ceremony);
        assert_eq!((resumed.issuer.as_str(), resumed.return_to.as_str()), (ISSUER, "/agents"));
        assert_eq!(oidc::resume(&lodge.door, secret, state).await.unwrap(), None, "a replay");
    }
}

on_both! {
    async fn a_ceremony_ends_after_ten_minutes_and_leaves_no_secret_in_the_database(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let begun = oidc::start(&lodge.door, ISSUER, "/", &visit()).await.unwrap();
        let rows: Vec<String> = stoa_store::on!(read lodge.house.db(), c => {
            sqlx::query_scalar("SELECT CAST(state AS TEXT) FROM ceremony").fetch_all(c).await
        }).unwrap();
        let ceremony = &begun.ceremony;
        assert!([&ceremony.state, &ceremony.nonce, &ceremony.verifier].iter().all(|it| !rows[0].contains(*it)));
        lodge.house.clock.advance(Duration::from_mins(10));
        let late = oidc::resume(&lodge.door, begun.secret.expose(), &ceremony.state).await.unwrap();
        assert_eq!(late, None);
    }
}

on_both! {
    async fn without_leave_of_the_operator_a_provider_brings_nobody_in(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let known = finish(&lodge, identity("1", "bob@example.com", true)).await;
        assert!(matches!(known, Err(OidcError::NotLinked)));
        let unknown = finish(&lodge, identity("2", "eve@example.com", true)).await;
        assert!(matches!(unknown, Err(OidcError::NotInvited)));
        assert_eq!(lodge.count("oidc_identity").await, 0);
    }
}

on_both! {
    async fn a_verified_address_is_linked_where_the_operator_says_so_and_stays_linked(test) with MIGRATIONS; {
        let mut lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        lodge.door.oidc.link_by_email = true;
        let unverified = finish(&lodge, identity("1", "bob@example.com", false)).await;
        assert!(matches!(unverified, Err(OidcError::NotVerified)));
        let session = finish(&lodge, identity("1", "Bob@example.com", true)).await.unwrap();
        let who = lodge.who(&session).await.unwrap();
        assert_eq!((who.account, who.authenticated_by), (bob.id, AuthenticatedBy::Oidc));
        lodge.door.oidc.link_by_email = false;
        // From now on only the subject counts, whatever its address has become.
        let again = finish(&lodge, identity("1", "moved@example.net", false)).await.unwrap();
        assert_eq!(again.account, bob.id);
        let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("account disable"));
        accounts::disable(db, ambient, &act, bob.id).await.unwrap();
        let disabled = finish(&lodge, identity("1", "bob@example.com", true)).await;
        assert!(matches!(disabled, Err(OidcError::Disabled)));
    }
}

on_both! {
    async fn an_allowed_domain_makes_a_member_once(test) with MIGRATIONS; {
        let mut lodge = Lodge::on(test).await;
        lodge.door.oidc.allowed_domains = vec!["example.org".to_owned()];
        let lookalike = finish(&lodge, identity("1", "eve@notexample.org", true)).await;
        assert!(matches!(lookalike, Err(OidcError::NotInvited)));
        let attempts: Vec<_> = (0..4).map(|_| finish(&lodge, identity("2", "carl@example.org", true))).collect();
        assert!(succeed_at_once(attempts).await >= 1);
        let session = finish(&lodge, identity("2", "carl@example.org", true)).await.unwrap();
        let who = lodge.who(&session).await.unwrap();
        assert_eq!(lodge.caller(&who).await.unwrap().role, Role::Member);
        assert_eq!((lodge.count("oidc_identity").await, lodge.count("account").await), (1, 2));
    }
}

on_both! {
    async fn an_address_that_somebody_only_typed_links_nobody_to_their_account(test) with MIGRATIONS; {
        let mut lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        lodge.door.oidc.link_by_email = true;
        let open = invite(&lodge, Role::Member, None).await;
        accept_as_new(&lodge, &open, "victim@example.com").await.unwrap();
        let victim = finish(&lodge, identity("1", "victim@example.com", true)).await;
        assert!(matches!(victim, Err(OidcError::NotLinked)));
        // Whoever names the address in the invitation says whose it is.
        let named = invite(&lodge, Role::Member, Some("carl@example.com")).await;
        accept_as_new(&lodge, &named, "carl@example.com").await.unwrap();
        finish(&lodge, identity("2", "carl@example.com", true)).await.unwrap();
        // So does who answers what was mailed to it.
        let (door, act) = (&lodge.door, lodge.act("reset"));
        let link = resets::issue(&door.db, &door.ambient, &act, &email("victim@example.com"), Reset::Password).await;
        let (secret, act) = (link.unwrap().unwrap().secret, lodge.act("reset"));
        resets::redeem(door, &act, secret.expose(), Some("a stoa at noon"), &visit()).await.unwrap();
        finish(&lodge, identity("1", "victim@example.com", true)).await.unwrap();
    }
}

on_both! {
    async fn a_sign_in_there_is_as_fresh_as_the_provider_says_it_is(test) with MIGRATIONS; {
        let mut lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        lodge.door.oidc.link_by_email = true;
        let now = lodge.house.ambient.now();
        let at = |authenticated_at: Option<Timestamp>| OidcIdentity {
            authenticated_at,
            ..identity("1", "bob@example.com", true)
        };
        let cases = [
            (None, false),
            (Some(now.minus(Duration::from_mins(16))), false),
            (Some(now), true),
            (Some(now.plus(Duration::from_hours(24))), true),
        ];
        for (authenticated_at, is_fresh) in cases {
            let session = finish(&lodge, at(authenticated_at)).await.unwrap();
            let who = lodge.who(&session).await.unwrap();
            assert_eq!(who.is_fresh(now), is_fresh, "{authenticated_at:?}");
            assert!(!who.is_fresh(now.plus(Duration::from_mins(16))), "{authenticated_at:?}");
        }
    }
}

on_both! {
    async fn who_resets_everything_is_linked_to_no_provider_any_more(test) with MIGRATIONS; {
        let mut lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        lodge.door.oidc.link_by_email = true;
        finish(&lodge, identity("1", "bob@example.com", true)).await.unwrap();
        lodge.door.oidc.link_by_email = false;
        for (reset, left) in [(Reset::Password, 1), (Reset::Everything, 0)] {
            let (door, act) = (&lodge.door, lodge.act("reset"));
            let link = resets::issue(&door.db, &door.ambient, &act, &email("bob@example.com"), reset).await;
            let (secret, act) = (link.unwrap().unwrap().secret, lodge.act("reset"));
            resets::redeem(door, &act, secret.expose(), Some("a stoa at noon"), &visit()).await.unwrap();
            assert_eq!(lodge.count("oidc_identity").await, left, "{reset:?}");
        }
        let thief = finish(&lodge, identity("1", "bob@example.com", true)).await;
        assert!(matches!(thief, Err(OidcError::NotLinked)));
    }
}
