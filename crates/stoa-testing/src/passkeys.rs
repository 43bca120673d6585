//! A browser with an authenticator, both in this process.

use passkey::authenticator::{Authenticator, UiHint, UserCheck, UserValidationMethod};
use passkey::client::{Client, DefaultClientData};
use passkey::crypto::AvailableBackend;
use passkey_types::Passkey;
use passkey_types::ctap2::{Aaguid, Ctap2Error};
use serde_json::{Value, json};
use url::Url;

/// A person whose thumb is always there.
struct Thumb;

#[async_trait::async_trait]
impl UserValidationMethod for Thumb {
    type PasskeyItem = Passkey;

    async fn check_user<'a>(
        &self,
        _hint: UiHint<'a, Passkey>,
        _presence: bool,
        _verification: bool,
    ) -> Result<UserCheck, Ctap2Error> {
        Ok(UserCheck { presence: true, verification: true })
    }

    fn is_presence_enabled(&self) -> bool {
        true
    }

    fn is_verification_enabled(&self) -> Option<bool> {
        Some(true)
    }
}

/// A browser whose authenticator has room for one passkey. It speaks as pages do: `{"publicKey": …}` in, what
/// `PublicKeyCredential.toJSON` gives out.
#[derive(Debug, Default)]
pub struct PasskeyBrowser(Option<Passkey>);

impl PasskeyBrowser {
    fn authenticator(&mut self) -> Authenticator<Option<Passkey>, Thumb, AvailableBackend> {
        Authenticator::new(Aaguid::new_empty(), self.0.take(), Thumb, AvailableBackend)
    }

    /// Makes a passkey on a page of this origin.
    ///
    /// # Panics
    /// When these are no options, or browsers refuse them.
    pub async fn create(&mut self, origin: &str, options: &Value) -> Value {
        let options = serde_json::from_value(options.clone()).expect("creation options");
        let mut client = Client::new(self.authenticator()).allows_insecure_localhost(true);
        let created = client.register(&of(origin), options, DefaultClientData).await;
        self.0 = client.authenticator_mut().store_mut().take();
        json!(created.expect("a passkey"))
    }

    /// Uses the passkey on a page of this origin. `None`: it is not for this page.
    ///
    /// # Panics
    /// When these are no options.
    pub async fn get(&mut self, origin: &str, options: &Value) -> Option<Value> {
        let options = serde_json::from_value(options.clone()).expect("request options");
        let mut client = Client::new(self.authenticator()).allows_insecure_localhost(true);
        let got = client.authenticate(&of(origin), options, DefaultClientData).await;
        self.0 = client.authenticator_mut().store_mut().take();
        got.ok().map(|credential| json!(credential))
    }
}

fn of(origin: &str) -> Url {
    Url::parse(origin).expect("an origin")
}
