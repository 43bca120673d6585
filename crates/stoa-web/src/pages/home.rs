//! The first page: what is here, and how to connect an agent.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use stoa_site::ALL;

use crate::member::Member;
use crate::pages::connect::{self, Connecting};
use crate::respond::page;
use crate::shell::{Section, Shell};
use crate::web::{Face, Web};

#[derive(Template)]
#[template(path = "home.html")]
struct Page {
    shell: Shell,
    services: Vec<Service>,
    mounts: Vec<Connectable>,
}

struct Service {
    title: &'static str,
    about: &'static str,
    /// Its own pages, where it has some.
    path: Option<String>,
}

/// What an agent can be connected to.
struct Connectable {
    title: &'static str,
    address: String,
    agents: Vec<Connecting>,
}

/// `GET /`.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Response {
    let shell = Shell::inside(&web, &member, Section::Home);
    let services = web.faces().iter().map(|face| service(face, &shell)).collect();
    let all = web.faces().iter().map(|face| (face.name, face.title));
    // Where there is one service, all of them are that one.
    let house = (web.faces().len() > 1).then(|| (ALL, shell.texts().home.all));
    let mounts = house.into_iter().chain(all);
    let mounts = mounts.filter_map(|(service, title)| connectable(&web, &shell, service, title)).collect();
    page(&Page { shell, services, mounts })
}

fn service(face: &Face, shell: &Shell) -> Service {
    let path = (!face.pages.is_empty()).then(|| format!("{}/{}/", shell.base, face.name));
    Service { title: face.title, about: (face.about)(shell.language), path }
}

fn connectable(web: &Web, shell: &Shell, service: &str, title: &'static str) -> Option<Connectable> {
    let address = web.mount_at(&shell.base, service)?.mcp_url();
    let agents = connect::each(|agent| agent.by_sign_in(connect::name(service), &address));
    Some(Connectable { title, address, agents })
}
