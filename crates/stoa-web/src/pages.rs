//! The house's own pages, one file a page.

pub(crate) mod activity;
pub(crate) mod agents;
mod ceremony;
mod connect;
pub(crate) mod diagnosis;
pub(crate) mod forgot;
pub(crate) mod home;
pub(crate) mod invite;
pub(crate) mod language;
pub(crate) mod members;
pub(crate) mod reset;
pub(crate) mod security;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
pub mod trouble;
pub(crate) mod workspaces;

use axum::routing::{get, post};

use crate::route::Route;
use crate::route::RouteKind::{Member, MemberForm, Open, Person, PersonForm};

/// The pages that belong to no workspace.
pub(crate) fn of_house() -> Vec<Route> {
    [
        Route::new("/setup", Open, get(setup::show).post(setup::make)),
        Route::new("/reset", Open, get(reset::show).post(reset::set)),
        Route::new("/forgot", Open, get(forgot::show).post(forgot::ask)),
        Route::new("/sign-in", Open, get(sign_in::show).post(sign_in::enter)),
        Route::new("/sign-in/code", Open, get(sign_in::code::show).post(sign_in::code::enter)),
        Route::new("/sign-in/passkey/begin", Open, post(sign_in::passkey::begin)),
        Route::new("/sign-in/passkey/finish", Open, post(sign_in::passkey::finish)),
        Route::new("/sign-in/oidc", Open, get(sign_in::oidc::begin)),
        Route::new(sign_in::oidc::BACK, Open, get(sign_in::oidc::come_back)),
        Route::new("/sign-out", PersonForm, post(sign_out::leave)),
        Route::new("/invite", Open, get(invite::show).post(invite::keep)),
        Route::new("/invite/offer", Open, get(invite::offered).post(invite::accept)),
        Route::new("/invite/new", Open, post(invite::accept_as_new)),
        Route::new("/workspaces", Person, get(workspaces::show).post(workspaces::found)),
        Route::new("/language", Open, post(language::choose)),
    ]
    .into_iter()
    .chain(security::routes())
    .collect()
}

/// The pages of each workspace.
pub(crate) fn of_workspace() -> Vec<Route> {
    vec![
        Route::new("/", Member, get(home::show)),
        Route::new("/agents", Member, get(agents::show)),
        Route::new("/agents/new", Member, get(agents::new::show).post(agents::new::make)),
        Route::new("/agents/{id}/end", MemberForm, post(agents::end::end)),
        Route::new("/agents/{id}/rename", MemberForm, post(agents::rename::rename)),
        Route::new("/members", Member, get(members::show)),
        Route::new("/members/leave", MemberForm, post(members::leave::leave)),
        Route::new("/members/{id}/role", MemberForm, post(members::role::set)),
        Route::new("/members/{id}/remove", MemberForm, post(members::remove::remove)),
        Route::new("/invitations", MemberForm, post(members::invite::make)),
        Route::new("/invitations/{id}/withdraw", MemberForm, post(members::withdraw::withdraw)),
        Route::new("/settings", Member, get(settings::show)),
        Route::new("/settings/export", MemberForm, post(settings::export::export)),
        Route::new("/settings/delete", MemberForm, post(settings::delete::delete)),
        Route::new("/activity", Member, get(activity::show)),
        Route::new("/activity/export", Member, get(activity::export::export)),
        Route::new("/diagnosis", Member, get(diagnosis::show)),
    ]
}
