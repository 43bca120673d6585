//! Set-up over https, as a browser goes through it.

use reqwest::header::{COOKIE, ORIGIN, SET_COOKIE};
use reqwest::{Client, Response};

use crate::support::{Place, Server};

/// Makes the account of the owner on the set-up page, with the link that the command prints, and gives the page that
/// they come to. `browser` follows no redirects.
pub async fn make_owner(place: &Place, server: &Server, browser: &Client) -> Response {
    let page = browser.get(server.url("/setup")).send().await.unwrap();
    assert_eq!(page.status(), 200);
    let page = page.text().await.unwrap();
    assert!(page.contains("<form"), "{page}");

    let link = place.stoa(&["setup-link"]).await;
    let secret = link.split_once('#').unwrap().1;
    let filled =
        [("secret", secret), ("email", "owner@example.com"), ("password", "seven green lamps outside")];
    let sent = browser.post(server.url("/setup")).header(ORIGIN, &server.public_url).form(&filled).send();
    let made = sent.await.unwrap();
    assert_eq!(made.status(), 303);
    let cookie = made.headers()[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("__Host-stoa-session=") && cookie.contains("; Secure"), "{cookie}");

    let (session, _) = cookie.split_once(';').unwrap();
    let home = browser.get(server.url("/")).header(COOKIE, session).send().await.unwrap();
    assert_eq!(home.status(), 200, "the cookie speaks for the owner");
    home
}
