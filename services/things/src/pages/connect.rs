//! Connecting a place. Only here and on the command line: what it takes must not travel through a tool.

use std::collections::BTreeMap;

use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use stoa_identity::authorize_workspace;
use stoa_web::{Fault, Member, Section, Shell, Web, page, page_with, see_other};

use super::texts::Texts;
use super::trouble;
use crate::connector::{ConnectorKind, KINDS};
use crate::operations::connect_resource::connect_resource;
use crate::operations::rights::Connect;
use crate::operations::{Things, ThingsError};

#[derive(Template)]
#[template(path = "things/connect.html")]
struct Page {
    shell: Shell,
    t: &'static Texts,
    /// Where folders may be connected; none: nowhere.
    roots: Vec<String>,
    problem: Option<String>,
    name: String,
    connectors: Vec<Connector>,
}

struct Connector {
    name: &'static str,
    title: &'static str,
    settings: Vec<Setting>,
}

struct Setting {
    name: &'static str,
    about: String,
    is_required: bool,
    value: String,
}

/// What was filled in: the connector, the name, and the connector's settings.
type Filled = BTreeMap<String, String>;

/// `GET /things/resources/new`.
pub(super) async fn show(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    member: Member,
) -> Response {
    if authorize_workspace::<Connect>(&member.caller).is_err() {
        return trouble::page(&member, ThingsError::Denied { right: "connect a resource" });
    }
    page(&form(&web, &things, &member, None, &Filled::new()))
}

fn form(web: &Web, things: &Things, member: &Member, problem: Option<String>, filled: &Filled) -> Page {
    let shell = Shell::inside(web, member, Section::Service(crate::NAME));
    let t = Texts::of(shell.language);
    let roots = &things.settings().connectable.folder_roots;
    Page {
        roots: roots.iter().map(|root| root.display().to_string()).collect(),
        problem,
        name: filled.get("name").cloned().unwrap_or_default(),
        connectors: KINDS.iter().map(|kind| connector(t, kind, filled)).collect(),
        t,
        shell,
    }
}

fn connector(t: &'static Texts, kind: &'static ConnectorKind, filled: &Filled) -> Connector {
    let setting = |one: &crate::connector::Setting| Setting {
        name: one.name,
        about: t.setting(kind.name, one.name).unwrap_or(one.description).to_owned(),
        is_required: one.required,
        value: filled.get(one.name).cloned().unwrap_or_default(),
    };
    Connector {
        name: kind.name,
        title: t.reaches(kind.name).unwrap_or(kind.description),
        settings: kind.settings().iter().map(setting).collect(),
    }
}

/// `POST /things/resources/new`.
pub(super) async fn connect(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    member: Member,
    body: Bytes,
) -> Result<Response, Fault> {
    let filled: Filled = url::form_urlencoded::parse(&body).into_owned().collect();
    let mut settings = filled.clone();
    let connector = settings.remove("connector").unwrap_or_default();
    let name = settings.remove("name").unwrap_or_default();
    // A field that was left empty is one that was not set.
    settings.retain(|_, value| !value.trim().is_empty());
    let act = member.act(&web, "connect_resource", json!({ "connector": connector }));
    match connect_resource(&things, &member.caller, &act, (&connector, &name), settings).await {
        Ok(_) => Ok(see_other(&format!("{}/things/resources", member.base()))),
        Err(error) => {
            if matches!(error, ThingsError::Denied { .. }) {
                return trouble::refuse(&member, &act, error).await;
            }
            let (status, code) = trouble::noted(&error);
            act.close(status, Some(code)).await?;
            let (status, problem) = trouble::said(Texts::of(member.guest.visitor.language), error)?;
            Ok(page_with(status, &form(&web, &things, &member, Some(problem), &filled)))
        }
    }
}
