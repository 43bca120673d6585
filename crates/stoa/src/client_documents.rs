//! Where client id metadata documents come from: the internet, behind the outbound guard.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use stoa_identity::LARGEST_DOCUMENT;
use stoa_identity::oauth::Documents;
use stoa_outbound::{Outbound, OutboundSettings};
use url::Url;

use crate::config::Config;
use crate::failure::Failure;

struct Fetched(Outbound);

impl Documents for Fetched {
    fn fetch<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Result<Vec<u8>, String>> {
        async move {
            let page = self.0.get(url, LARGEST_DOCUMENT).await.map_err(|error| error.to_string())?;
            Ok(page.bytes)
        }
        .boxed()
    }
}

/// The documents, where clients may come with one (`oauth.cimd`): as it is left out, unless the public URL is good on
/// this machine only, so that an installation for one person never asks the internet for anything.
///
/// # Errors
/// [`Failure`] where a configured certificate can't be read.
pub fn of(config: &Config) -> Result<Option<Arc<dyn Documents>>, Failure> {
    let oauth = &config.oauth;
    if !oauth.cimd.unwrap_or_else(|| !config.is_local()) {
        return Ok(None);
    }
    let ca = oauth.cimd_ca_file.as_ref();
    let settings = OutboundSettings {
        private_hosts: oauth.cimd_private_hosts.clone(),
        extra_ca: ca.map(|file| std::fs::read(file).map_err(Failure::file(file))).transpose()?,
        ..OutboundSettings::default()
    };
    Ok(Some(Arc::new(Fetched(Outbound::new(&settings).map_err(Failure::Outbound)?))))
}
