use std::time::Duration;

use stoa_identity::{Reach, Rejected, installations, oauth, tokens};
use stoa_store::audit::Credential;
use stoa_testing::on_both;

use super::support::{CALLBACK, Client, ann, audited, decision, query, visit};
use crate::house::{House, MIGRATIONS};

on_both! {
    async fn from_registration_to_a_call_and_a_refresh(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let handle = client.waits(&[]).await;
        let to = client.approve(&handle, decision()).await;
        let answer = query(&to);
        assert!(to.location.starts_with(&format!("{CALLBACK}?code=stoa_oac_")), "{}", to.location);
        assert_eq!((answer["state"].as_str(), answer["iss"].as_str()), ("s1", "https://stoa.example.com/things"));
        let first = client.redeem(&answer["code"], &[]).await.unwrap();
        assert_eq!(first.expires_in, Duration::from_hours(1));
        assert_eq!(first.scope.to_string(), "things:read things:write");
        let caller = client.show(&first).await.unwrap();
        assert_eq!((caller.account, caller.credential, caller.run_budget), (house.ann.id, Credential::Access, Some(5)));
        assert_eq!((caller.label.as_str(), &caller.scopes), ("laptop", &first.scope));
        let second = client.refresh(&first, &[]).await.unwrap();
        assert_eq!(client.show(&second).await.unwrap().installation, caller.installation);
        assert_ne!(first.refresh_token.expose(), second.refresh_token.expose());
        let ok = |tool: &str| (tool.to_owned(), "ok".to_owned(), None);
        assert_eq!(audited(&house).await, [ok("oauth approve"), ok("oauth token"), ok("oauth refresh")]);
    }
}

on_both! {
    async fn an_access_token_ends_with_its_time_and_a_refresh_token_goes_on_with_each_use(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let mut tokens = client.tokens().await;
        house.clock.advance(Duration::from_hours(1));
        assert_eq!(client.show(&tokens).await, Err(Rejected::Expired));
        for _ in 0..3 {
            house.clock.advance(Duration::from_hours(718));
            tokens = client.refresh(&tokens, &[]).await.unwrap();
            client.show(&tokens).await.unwrap();
        }
        house.clock.advance(Duration::from_hours(720));
        assert!(client.refresh(&tokens, &[]).await.is_err());
    }
}

on_both! {
    async fn tokens_and_codes_are_stored_as_hashes_only(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let code = client.code().await;
        let tokens = client.redeem(&code, &[]).await.unwrap();
        let handle = client.waits(&[]).await;
        for table in ["token", "oauth_code", "oauth_request", "audit_entry", "installation", "oauth_client"] {
            let rows = dump(&house, table).await;
            for secret in [&code, &handle, tokens.access_token.expose(), tokens.refresh_token.expose()] {
                assert!(!rows.contains(&secret[9..]), "{table}");
            }
        }
    }
}

/// Every row of a table as text, bytes in hexadecimal.
async fn dump(house: &House, table: &str) -> String {
    use sqlx::AssertSqlSafe;
    match house.db().dialect() {
        stoa_store::Dialect::Postgres => {
            let text = format!("SELECT COALESCE(string_agg(CAST(t AS TEXT), ' '), '') FROM {table} AS t");
            stoa_store::on!(read house.db(), c => {
                sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(c).await
            })
            .unwrap()
        }
        stoa_store::Dialect::Sqlite => {
            // The file itself, with what is not yet checkpointed.
            let folder = house.test.folder.path();
            let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_default();
            let bytes = [read("stoa.db"), read("stoa.db-wal")].concat();
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }
}

on_both! {
    async fn rights_are_those_of_the_grant_and_of_the_person_now(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let tokens = client.tokens().await;
        client.show(&tokens).await.unwrap();
        let code = client.code().await;
        let remove = "DELETE FROM membership";
        let mut tx = house.db().begin().await.unwrap();
        stoa_store::on!(tx tx, c => sqlx::query(remove).execute(c).await.map(|_| ())).unwrap();
        tx.wake(stoa_identity::TOKENS);
        tx.commit().await.unwrap();
        assert_eq!(client.show(&tokens).await, Err(Rejected::NotAMember));
        assert!(client.refresh(&tokens, &[]).await.is_err(), "who is no member gets no new token");
        assert!(client.redeem(&code, &[]).await.is_err());
        let handle = client.waits(&[]).await;
        let refused = client.server.approve(&client.profile, &handle, ann(&house), decision(),
            &visit()).await;
        assert!(matches!(refused, Err(oauth::ConsentError::NotAMember)));
    }
}

on_both! {
    async fn a_disabled_account_s_tokens_are_good_for_nothing(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let (tokens, code) = (client.tokens().await, client.code().await);
        let act = house.act("account disable");
        stoa_identity::accounts::disable(house.db(), &house.ambient, &act, house.ann.id).await.unwrap();
        assert_eq!(client.show(&tokens).await, Err(Rejected::AccountDisabled));
        assert!(client.refresh(&tokens, &[]).await.is_err());
        assert!(client.redeem(&code, &[]).await.is_err());
    }
}

on_both! {
    async fn what_a_token_may_do_is_bounded_by_its_grant_as_it_is_now(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let tokens = client.tokens().await;
        let installation = client.show(&tokens).await.unwrap().installation;
        // The person goes on as the same installation, with other boxes ticked.
        let handle = client.waits(&[]).await;
        let scopes = "things:read resources:command".parse().unwrap();
        let reach = Reach::Only([house.ann.id.uuid()].into());
        let narrower = stoa_identity::Decision { scopes, reach, continue_as: Some(installation), ..decision() };
        let code = query(&client.approve(&handle, narrower).await)["code"].clone();
        let caller = client.show(&tokens).await.unwrap();
        assert_eq!(caller.scopes.to_string(), "things:read", "what was added is the new tokens' only");
        assert!(!caller.reach.includes(house.workspace.id.uuid()));
        let refreshed = client.refresh(&tokens, &[]).await.unwrap();
        assert_eq!(refreshed.scope.to_string(), "things:read");
        let new = client.redeem(&code, &[]).await.unwrap();
        let caller = client.show(&new).await.unwrap();
        assert_eq!((caller.installation, caller.scopes.to_string().as_str()), (installation, "resources:command things:read"));
        assert_eq!(installations::list(house.db(), house.workspace.id).await.unwrap().len(), 1);
        assert_eq!(tokens::list(house.db(), house.workspace.id).await.unwrap(), [], "these are personal ones");
    }
}
