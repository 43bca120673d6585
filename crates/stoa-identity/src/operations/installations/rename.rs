//! Renaming an installation.

use stoa_base::AccountId;
use stoa_base::text::one_line;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{TOKENS, TokenPlace, store};

/// The longest label, in characters.
const LONGEST_LABEL: usize = 100;

/// Gives an installation of the person's this label, kept as one line of at most 100 characters. False, and no entry
/// in the audit, if there is none such, it has ended, or nothing is left of the label.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn rename(
    db: &Database,
    act: &Act,
    account: AccountId,
    place: &TokenPlace,
    label: &str,
) -> Result<bool, StoreError> {
    let label = one_line(label, LONGEST_LABEL);
    if label.is_empty() {
        return Ok(false);
    }
    let mut tx = db.begin().await?;
    let renamed = store::oauth_installation::rename(&mut tx, place, account, &label).await?;
    if renamed {
        // Callers carry their label.
        tx.wake(TOKENS);
        act.commit(tx).await?;
    }
    Ok(renamed)
}
