//! Clients as they are: one test for each row of the project's table of public reports, named by the row.
//!
//! "endpoint" stands for `crates/stoa-mcp/tests/endpoint/rude_clients.rs`, which shows the row on the endpoint alone.
//!
//! | row | what clients do | shown by |
//! |---|---|---|
//! | 1 | many processes refresh with one stored token | [`tokens`] `row_01`; theft also in `oauth/attacks/tokens.rs` |
//! | 2 | a full authorization in place of a refresh | [`tokens`] `row_02` |
//! | 3 | a refresh without `resource` | [`tokens`] `row_03` |
//! | 4 | scopes of OpenID Connect in place of ours | [`connecting`] `row_04` |
//! | 5 | a forgotten client id, replayed for ever | [`registering`] `row_05` |
//! | 6 | another loopback port than the one registered | [`registering`] `row_06` |
//! | 7 | the session id of before a restart | endpoint `row_7_and_23` |
//! | 8 | GET, HEAD and DELETE at the endpoint | endpoint `row_8`; every mount of this server in `house/routes.rs` |
//! | 9 | one schema that is no object hides every tool | endpoint `row_9_and_10`; the real tools in `house/manifests.rs` |
//! | 10 | unions, `$ref` and the like break a turn | endpoint `row_9_and_10`; the real tools in `house/manifests.rs` |
//! | 11 | long tool names are dropped | `house/manifests.rs` |
//! | 12 | long descriptions are cut | `house/manifests.rs` |
//! | 13 | long results are cut, or go to a file | [`answers`] `row_13`; images wait for a service that has them |
//! | 14 | a call is given up, its answer lost | endpoint `row_14` |
//! | 15 | three redirects at once, one of a private scheme | [`registering`] `row_15` |
//! | 16 | metadata at the root, or at the path only | endpoint `row_16_and_17`; this server in `well_known.rs` |
//! | 17 | a final slash too many or too few | endpoint `row_16_and_17`; `resource` in [`tokens`] `row_03` |
//! | 18 | `openid-configuration` after or before the other | endpoint `row_18`; this server in `well_known.rs` |
//! | 19 | metadata made from the request | endpoint `row_19`; this server in `oauth/attacks/hosts.rs` |
//! | 20 | Host and Origin behind a proxy | endpoint `row_20`; this server in `house/routes.rs` |
//! | 21 | a refusal in mid-work is read as an expired token | [`connecting`] `row_21` |
//! | 22 | the callback is on localhost of another machine | [`connecting`] `row_22`; the device page waits |
//! | 23 | a session that was idle | endpoint `row_7_and_23` |
//! | 24 | a connection that was idle is used again | `row_24` in `crates/stoa/src/serve/connections.rs` |
//! | 25 | notifications stop without a word | endpoint `row_25` |
//! | 26 | a write that timed out is sent again | waits for services with tools that create |
//! | 27 | `notifications/initialized` never comes | endpoint `row_27` |
//! | 28 | a registration that asks for a token is the end | [`registering`] `row_28` |
//! | 29 | signed in, and still "needs authentication" | [`connecting`] `row_29` |
//! | 30 | thousands of registrations; look-alikes | [`registering`] `row_30` |

mod answers;
mod connecting;
mod registering;
mod tokens;
