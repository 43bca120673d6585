//! Recovery codes.

use std::fmt;

use sha2::{Digest, Sha256};
use stoa_base::{AccountId, Ambient};
use stoa_store::audit::Act;
use stoa_store::{StoreError, Tx};

use super::SecondFactorError;
use crate::{Door, SignedIn, store};

/// How many a person gets.
const NUMBER: usize = 10;
/// The digits of a code: no letter that could be a digit.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
/// Digits of a code, 5 bits each: nobody guesses 80 bits, so a plain hash is enough.
const DIGITS: usize = 16;

/// Recovery codes, each good once, as they are shown to their person, once.
#[derive(Clone)]
pub struct RecoveryCodes(Vec<String>);

impl RecoveryCodes {
    /// The codes, such as `k7pw-3mzd-9xqa-t2hc`.
    #[must_use]
    pub fn expose(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCodes(hidden)")
    }
}

/// Gives the person new recovery codes in place of all there were.
///
/// # Errors
/// [`SecondFactorError`]; the old ones stay then.
pub async fn renew_codes(door: &Door, act: &Act, who: &SignedIn) -> Result<RecoveryCodes, SecondFactorError> {
    who.must_be_fresh(door)?;
    let mut tx = door.db.begin().await?;
    store::account::hold(&mut tx, who.account).await?.ok_or(SecondFactorError::Disabled)?;
    if !super::is_asked_for(&mut tx, who.account).await? {
        return Err(SecondFactorError::Missing);
    }
    let codes = replace(&mut tx, door, who.account).await?;
    act.commit(tx).await?;
    Ok(codes)
}

/// Stores new codes in place of all there were.
pub async fn replace(tx: &mut Tx, door: &Door, account: AccountId) -> Result<RecoveryCodes, StoreError> {
    store::second_factor::delete_codes(tx, account).await?;
    let mut codes = Vec::with_capacity(NUMBER);
    for _ in 0..NUMBER {
        let code = code(&door.ambient);
        // What was just made reads back.
        if let Some(hash) = hash(account, &code) {
            store::second_factor::add_code(tx, account, &hash, door.ambient.now()).await?;
        }
        codes.push(code);
    }
    Ok(RecoveryCodes(codes))
}

fn code(ambient: &Ambient) -> String {
    let digits = ambient.bytes::<DIGITS>().map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    let groups: Vec<String> = digits.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// The hash of a code as somebody typed it, with or without hyphens, spaces and capitals. `None` if it can't be
/// one.
pub fn hash(account: AccountId, typed: &str) -> Option<[u8; 32]> {
    let digits: String =
        typed.chars().filter(|c| *c != '-' && !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    let is_code = digits.len() == DIGITS && digits.bytes().all(|digit| ALPHABET.contains(&digit));
    let hash = || Sha256::new().chain_update(account.uuid()).chain_update(&digits).finalize().into();
    is_code.then(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it_and_belongs_to_one_account() {
        let ambient = Ambient::system();
        let (ann, bob) = (AccountId::new(&ambient), AccountId::new(&ambient));
        let code = code(&ambient);
        assert_eq!(code.len(), 19);
        let typed = format!(" {} ", code.replace('-', " ").to_uppercase());
        assert_eq!(hash(ann, &typed), hash(ann, &code));
        assert!(hash(ann, &code).is_some() && hash(ann, &code) != hash(bob, &code));
        assert_eq!(hash(ann, "123456"), None);
        assert_eq!(hash(ann, &code[1..]), None);
    }
}
