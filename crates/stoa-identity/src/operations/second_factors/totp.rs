//! Enrolling an authenticator app.

use std::fmt;

use stoa_base::{AccountId, Timestamp, WorkspaceId};
use stoa_store::audit::Act;
use stoa_store::secret::{Place, SecretError};
use totp_rs::{Builder, Secret, Totp};
use url::form_urlencoded::byte_serialize;
use uuid::Uuid;

use super::{RecoveryCodes, SecondFactorError, codes};
use crate::{Door, Email, SignedIn, store};

/// Bytes of a secret (RFC 4226 section 4 recommends 160 bits).
const SECRET: usize = 20;
/// What the app shows the codes under.
const ISSUER: &str = "Stoa";

/// An enrolment that begins, as it is shown to its person, once.
#[derive(Clone)]
pub struct Enrollment {
    /// The secret in base 32, to be typed where no picture can be taken.
    pub secret: String,
    /// The same as the URL that a QR code carries (`otpauth://totp/…`).
    pub url: String,
}

impl fmt::Debug for Enrollment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Enrollment(hidden)")
    }
}

/// Begins to enroll an authenticator app: six digits, 30 s, SHA-1, as every app reads it. Nothing is asked for
/// until [`confirm_totp`]; beginning again gives another secret.
///
/// # Errors
/// [`SecondFactorError`]; nothing changed then.
pub async fn begin_totp(door: &Door, act: &Act, who: &SignedIn) -> Result<Enrollment, SecondFactorError> {
    who.must_be_fresh(door)?;
    let secret = door.ambient.bytes::<SECRET>();
    let account = who.account;
    let sealed = door.key.seal(&place(account.uuid().as_bytes()), &secret, &door.ambient);
    let mut tx = door.db.begin().await?;
    store::account::hold(&mut tx, account).await?.ok_or(SecondFactorError::Disabled)?;
    if !store::second_factor::begin(&mut tx, account, Some(&sealed), door.ambient.now()).await? {
        return Err(SecondFactorError::Exists);
    }
    act.commit(tx).await?;
    let text = Secret::from(secret.as_slice()).to_base32();
    Ok(Enrollment { url: url(&who.email, &text), secret: text })
}

/// Ends the enrolment with a code that the app shows: from now on it is asked for, and these are the codes for when
/// the app is lost.
///
/// # Errors
/// [`SecondFactorError`]; nothing changed then.
pub async fn confirm_totp(
    door: &Door,
    act: &Act,
    who: &SignedIn,
    code: &str,
) -> Result<RecoveryCodes, SecondFactorError> {
    let at = door.ambient.now();
    let mut tx = door.db.begin().await?;
    store::account::hold(&mut tx, who.account).await?.ok_or(SecondFactorError::Disabled)?;
    let row = store::second_factor::within(&mut tx, who.account).await?.ok_or(SecondFactorError::Missing)?;
    if row.is_confirmed() {
        return Err(SecondFactorError::Exists);
    }
    let sealed = row.totp_secret.ok_or(SecondFactorError::Missing)?;
    let step = step(door, who.account, &sealed, code)?.ok_or(SecondFactorError::WrongCode)?;
    store::second_factor::take_step(&mut tx, who.account, step).await?;
    store::second_factor::confirm(&mut tx, who.account, at).await?;
    let codes = codes::replace(&mut tx, door, who.account).await?;
    act.commit(tx).await?;
    Ok(codes)
}

/// The step whose code this is: the present one, the one before or the one after it (RFC 6238 section 5.2).
pub fn step(door: &Door, account: AccountId, sealed: &[u8], code: &str) -> Result<Option<i64>, SecretError> {
    let secret = door.key.open(&place(account.uuid().as_bytes()), sealed)?;
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let step = totp(&secret).ok_or(SecretError::Tampered)?.check(&digits, seconds(door.ambient.now()));
    Ok(step.and_then(|step| i64::try_from(step).ok()))
}

fn totp(secret: &[u8]) -> Option<Totp> {
    Builder::new().with_secret(Secret::from(secret)).build().ok()
}

fn seconds(now: Timestamp) -> u64 {
    u64::try_from(now.as_micros() / 1_000_000).unwrap_or(0)
}

/// Where the secret is sealed. An account belongs to no workspace.
fn place(account: &[u8; 16]) -> Place<'_> {
    Place {
        workspace: WorkspaceId::from_uuid(Uuid::nil()),
        table: "second_factor",
        column: "totp_secret",
        row: account,
    }
}

fn url(email: &Email, secret: &str) -> String {
    let email: String = byte_serialize(email.as_str().as_bytes()).collect();
    format!("otpauth://totp/{ISSUER}:{email}?secret={secret}&issuer={ISSUER}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_is_what_apps_read() {
        let url = url(&"ann+a/b?c@example.com".parse().unwrap(), "GEZDGNBVGY3TQOJQ");
        assert_eq!(
            url,
            "otpauth://totp/Stoa:ann%2Ba%2Fb%3Fc%40example.com?secret=GEZDGNBVGY3TQOJQ&issuer=Stoa"
        );
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, the last six of its eight digits.
        let totp = totp(b"12345678901234567890").unwrap();
        assert_eq!(totp.check("287082", 59), Some(1));
        assert_eq!(totp.check("081804", 1_111_111_109), Some(37_037_036));
        assert_eq!(totp.check("081805", 1_111_111_109), None);
    }
}
