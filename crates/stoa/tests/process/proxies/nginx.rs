//! nginx, with `docs/proxy/nginx.conf`.

use std::path::Path;

use tempfile::TempDir;
use tokio::process::Child;

use super::{behind, class_of, foreign_host, is_of_use, shown, start, trusting};
use crate::support::{Place, free_port};

/// As it is shown.
const SHOWN: &str = include_str!("../../../../../docs/proxy/nginx.conf");
/// Where Debian's package puts the program.
const PROGRAM: &str = "/usr/sbin/nginx";

struct Nginx {
    folder: TempDir,
    /// What it listens on for https.
    port: u16,
    /// What it listens on for plain HTTP.
    plain_port: u16,
    /// The certificate that it serves.
    certificate: String,
    _process: Child,
}

impl Nginx {
    /// Starts it before a Stoa that listens on this port.
    fn before(stoa: u16) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        std::fs::write(path.join("cert.pem"), made.cert.pem()).unwrap();
        std::fs::write(path.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        let (port, plain_port) = (free_port(), free_port());
        let letsencrypt = "/etc/letsencrypt/live/stoa.example.com";
        let site = shown(
            SHOWN,
            &[
                ("127.0.0.1:8787", &format!("127.0.0.1:{stoa}")),
                ("listen 443 ", &format!("listen 127.0.0.1:{port} ")),
                ("listen 80;", &format!("listen 127.0.0.1:{plain_port};")),
                (&format!("{letsencrypt}/fullchain.pem"), &path.join("cert.pem").display().to_string()),
                (&format!("{letsencrypt}/privkey.pem"), &path.join("key.pem").display().to_string()),
                ("server_name stoa.example.com", "server_name localhost"),
            ],
        );
        std::fs::write(path.join("stoa.conf"), site).unwrap();
        std::fs::write(path.join("nginx.conf"), around(path)).unwrap();
        let folder_text = path.to_str().unwrap();
        let process = start(PROGRAM, &["-p", folder_text, "-c", "nginx.conf", "-e", "stderr"], path);
        Self { folder, port, plain_port, certificate: made.cert.pem(), _process: process }
    }
}

/// What stands around the site in Debian's own configuration, for a process of a test's own.
fn around(folder: &Path) -> String {
    let folder = folder.display();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("    {kind}_temp_path {folder}/{kind};\n"))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\n\
         http {{\n    access_log off;\n{temporary}    include {folder}/stoa.conf;\n}}\n"
    )
}

#[tokio::test]
async fn people_and_agents_reach_it_through_nginx() {
    let place = Place::sqlite();
    let port = free_port();
    let nginx = Nginx::before(port);
    let server = behind(&place, port, nginx.port);
    let client = || trusting(nginx.certificate.as_bytes());
    let http = client().build().unwrap();
    let token = is_of_use(&place, &server, &http).await;

    // The proxy's own address is trusted: who comes from there is another proxy, which speaks for somebody.
    let class = async |from: &str| class_of(&place, &server, client(), &token, from.parse().unwrap()).await;
    assert_eq!(class("127.0.0.1").await, "public");
    // Anybody else speaks for nobody but themselves.
    assert_eq!(class("127.0.0.2").await, "loopback");

    assert_eq!(foreign_host(&server, client()).await.status(), 403, "by Stoa, to which it was passed on");
    let plain = http.get(format!("http://localhost:{}/sign-in", nginx.plain_port)).send().await.unwrap();
    assert_eq!(plain.status(), 301);
    assert_eq!(plain.headers()["location"], "https://localhost/sign-in");
    let log = std::fs::read_to_string(nginx.folder.path().join("log")).unwrap();
    assert!(!log.contains("[emerg]"), "{log}");
}
