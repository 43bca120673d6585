//! The first page: what is here, and how to connect an agent.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use crate::member::Member;
use crate::respond::page;
use crate::shell::{Section, Shell};
use crate::web::Web;

#[derive(Template)]
#[template(path = "home.html")]
struct Page {
    shell: Shell,
    services: Vec<Service>,
}

struct Service {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    address: String,
}

/// `GET /`.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Response {
    let shell = Shell::inside(&web, &member, Section::Home);
    let services = web.faces().iter().filter_map(|face| {
        let mount = web.mounts().find_public(&format!("{}/{}", shell.base, face.name))?;
        Some(Service {
            name: face.name,
            title: face.title,
            about: (face.about)(shell.language),
            address: mount.mcp_url(),
        })
    });
    let services = services.collect();
    page(&Page { shell, services })
}
