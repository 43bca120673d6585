//! Having the server ask where only it can reach (server-side request forgery).

use stoa_testing::{TestDatabase, on_both};
use tokio::net::{TcpListener, TcpStream};

use crate::oauth::Stage;
use crate::support::MIGRATIONS;

/// Documents are read, as where the public URL is no loopback.
const DOCUMENTS: (&str, &str) = ("STOA_OAUTH__CIMD", "true");

/// A stage, and a service on this machine that nobody from outside should reach.
async fn beside_a_service(test: TestDatabase, settings: &[(&str, &str)]) -> (Stage, TcpListener, u16) {
    let stage = Stage::with(test, settings).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (stage, listener, port)
}

on_both! {
    async fn a_document_inside_the_network_is_never_asked_for_by_address_or_by_name(test) with MIGRATIONS; {
        let (stage, listener, port) = beside_a_service(test, &[DOCUMENTS]).await;
        // The last resolves to where the service is.
        for host in ["127.0.0.1", "[::ffff:7f00:1]", "[::1]", "10.0.0.1", "169.254.169.254", "localhost"] {
            let client = format!("https://{host}:{port}/client.json");
            let page = stage.ask(&[("client_id", &client)]).await;
            assert_eq!(page.status, 400, "{host}");
            assert!(page.headers.get("location").is_none(), "{host}");
            // Nobody learns what the server can reach and what not.
            let said = page.body.as_str().unwrap();
            assert!(said.contains("description could not be read"), "{host}: {said}");
            assert!(!said.contains("public internet") && !said.contains("refused"), "{host}: {said}");
        }
        // The same address in other digits, and in the clear.
        for client in [
            format!("https://2130706433:{port}/client.json"),
            format!("https://0x7f000001:{port}/client.json"),
            format!("https://user@127.0.0.1:{port}/client.json"),
            format!("http://127.0.0.1:{port}/client.json"),
            "file:///etc/passwd".to_owned(),
        ] {
            let page = stage.ask(&[("client_id", &client)]).await;
            assert_eq!(page.status, 400, "{client}");
            assert!(page.body.as_str().unwrap().contains("not known to this server"), "{client}");
        }
        // The first who comes is ourselves.
        let own = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let (_, first) = listener.accept().await.unwrap();
        assert_eq!(first, own.local_addr().unwrap());
    }
}

on_both! {
    async fn only_an_operator_opens_a_host_inside_the_network(test) with MIGRATIONS; {
        let open = ("STOA_OAUTH__CIMD_PRIVATE_HOSTS", "localhost");
        let (stage, listener, port) = beside_a_service(test, &[DOCUMENTS, open]).await;
        let client = format!("https://localhost:{port}/client.json");
        let changes = [("client_id", client.as_str())];
        let mut asking = std::pin::pin!(stage.ask(&changes));
        tokio::select! {
            page = &mut asking => panic!("nobody came: {}", page.body),
            came = listener.accept() => drop(came.unwrap()),
        }
        let page = asking.await;
        // It came as far as the connection.
        assert_eq!(page.status, 400);
        assert!(!page.body.as_str().unwrap().contains("public internet"), "{}", page.body);
    }
}
