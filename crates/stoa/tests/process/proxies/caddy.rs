//! Caddy, with `docs/proxy/Caddyfile`.

use tempfile::TempDir;
use tokio::process::Child;

use super::{behind, class_of, foreign_host, is_of_use, shown, start, trusting};
use crate::support::{Place, free_port, until};

/// As it is shown.
const SHOWN: &str = include_str!("../../../../../docs/proxy/Caddyfile");
/// Where Debian's package puts the program.
const PROGRAM: &str = "/usr/bin/caddy";

struct Caddy {
    folder: TempDir,
    /// What it listens on.
    port: u16,
    _process: Child,
}

impl Caddy {
    /// Starts it before a Stoa that listens on this port. For `localhost` it makes its certificate by itself.
    fn before(stoa: u16) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (port, path) = (free_port(), folder.path());
        let own = format!(
            "\n{{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\
             \tdefault_bind 127.0.0.1\n\tstorage file_system {}\n\tservers {{",
            path.display()
        );
        let file = shown(
            SHOWN,
            &[
                ("\n{\n\tservers {", &own),
                ("127.0.0.1:8787", &format!("127.0.0.1:{stoa}")),
                ("\nstoa.example.com {", &format!("\nlocalhost:{port} {{")),
            ],
        );
        let caddyfile = path.join("Caddyfile");
        std::fs::write(&caddyfile, file).unwrap();
        let arguments = ["run", "--adapter", "caddyfile", "--config", caddyfile.to_str().unwrap()];
        let process = start(PROGRAM, &arguments, path);
        Self { folder, port, _process: process }
    }

    /// The certificate of the authority that signs its certificates.
    async fn authority(&self) -> Vec<u8> {
        let file = self.folder.path().join("pki/authorities/local/root.crt");
        until("Caddy made its authority", || async {
            std::fs::read(&file).ok().filter(|pem| pem.ends_with(b"-----END CERTIFICATE-----\n"))
        })
        .await
    }
}

#[tokio::test]
async fn people_and_agents_reach_it_through_caddy() {
    let place = Place::sqlite();
    let port = free_port();
    let caddy = Caddy::before(port);
    let server = behind(&place, port, caddy.port);
    let authority = caddy.authority().await;
    let http = trusting(&authority).build().unwrap();
    let token = is_of_use(&place, &server, &http).await;

    // Caddy says whom it speaks for, and passes on nothing of what the client says of that.
    let from = "127.0.0.1".parse().unwrap();
    assert_eq!(class_of(&place, &server, trusting(&authority), &token, from).await, "loopback");

    let refused = foreign_host(&server, trusting(&authority)).await;
    assert_eq!(refused.text().await.unwrap(), "", "Caddy asks Stoa for its own host alone");
}
