use stoa_identity::{TokenPlace, WorkspaceName, accounts, tokens, workspaces};
use stoa_store::audit::Status;
use stoa_testing::on_both;

use crate::house::{House, MIGRATIONS, person};

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
