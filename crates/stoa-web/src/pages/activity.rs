//! What was done: the audit, in words.

pub(crate) mod export;
mod wanted;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use stoa_base::InstallationId;
use stoa_identity::{Activity, ActivityFilter, activity, installations};
use stoa_store::audit::{Channel, Status};

pub(crate) use wanted::Wanted;

use crate::member::Member;
use crate::respond::{Fault, page};
use crate::shell::{Section, Shell};
use crate::web::Web;
use crate::when::When;

/// How many entries a page shows.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "activity.html")]
struct Page {
    shell: Shell,
    entries: Vec<Entry>,
    agents: Vec<Choice>,
    statuses: Vec<Choice>,
    tool: String,
    day: String,
    export: String,
    next: Option<String>,
}

struct Choice {
    value: String,
    label: String,
    is_chosen: bool,
}

struct Entry {
    at: When,
    what: String,
    /// The tool's own name, where `what` is said in words.
    tool: Option<String>,
    who: String,
    through: &'static str,
    status: &'static str,
    is_good: bool,
    why: Option<String>,
    took: String,
    arguments: Option<String>,
}

/// `GET /activity`.
pub(crate) async fn show(
    State(web): State<Web>,
    member: Member,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Fault> {
    let shell = Shell::inside(&web, &member, Section::Activity);
    let filter = wanted.filter();
    // One more than is shown tells whether there are more.
    let most = u32::try_from(SHOWN + 1).unwrap_or(u32::MAX);
    let mut found = activity::list(web.db(), &member.caller, &filter, wanted.place(), most).await?;
    let more = found.len() > SHOWN;
    found.truncate(SHOWN);
    let last = found.last().filter(|_| more).map(Activity::place);
    Ok(page(&Page {
        entries: found.into_iter().map(|found| entry(&web, &shell, found)).collect(),
        agents: agents(&web, &member, &filter).await?,
        statuses: statuses(&shell, &filter),
        export: format!("{}/activity/export?{}", shell.base, wanted.query(None)),
        next: last.map(|place| format!("{}/activity?{}", shell.base, wanted.query(Some(place)))),
        tool: wanted.tool.clone(),
        day: wanted.day.clone(),
        shell,
    }))
}

fn entry(web: &Web, shell: &Shell, found: Activity) -> Entry {
    let t = &shell.texts().activity;
    let said = web.says(shell.language, &found.tool);
    let nobody = if found.channel == Channel::Cli { t.on_the_server } else { t.nobody };
    let person = found.email.map_or_else(|| nobody.to_owned(), |email| email.to_string());
    let who = found.agent.map_or_else(|| person.clone(), |agent| format!("{agent} · {person}"));
    Entry {
        at: shell.when(web, found.at),
        what: said.map_or_else(|| found.tool.clone(), str::to_owned),
        tool: said.map(|_| found.tool.clone()).filter(|_| found.channel == Channel::Mcp),
        who,
        through: t.channel(found.channel),
        status: t.status(found.status),
        is_good: found.status == Status::Ok,
        why: found
            .code
            .map(|code| t.why(&code).map_or_else(|| code.clone(), |why| format!("{why} ({code})"))),
        took: format!("{} ms", found.duration_us.div_ceil(1000)),
        arguments: found
            .arguments
            .filter(|it| it.as_object().is_none_or(|it| !it.is_empty()))
            .map(|it| format!("{it:#}")),
    }
}

/// The person's own agents, ended ones too.
async fn agents(web: &Web, member: &Member, filter: &ActivityFilter) -> Result<Vec<Choice>, Fault> {
    let (workspace, account) = (member.caller.workspace, member.caller.account);
    let all = installations::of_account(web.db(), web.ambient(), workspace, account).await?;
    let choice = |id: InstallationId, label: String| Choice {
        value: id.to_string(),
        label,
        is_chosen: filter.installation == Some(id),
    };
    Ok(all.into_iter().map(|one| choice(one.installation.id, one.installation.label)).collect())
}

fn statuses(shell: &Shell, filter: &ActivityFilter) -> Vec<Choice> {
    let choice = |status: Status| Choice {
        value: status.as_str().to_owned(),
        label: shell.texts().activity.status(status).to_owned(),
        is_chosen: filter.status == Some(status),
    };
    Status::ALL.map(choice).into()
}
