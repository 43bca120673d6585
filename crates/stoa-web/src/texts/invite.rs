//! Accepting an invitation.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Invite {
    pub title: &'static str,
    pub about: &'static str,
    pub open: &'static str,
    pub workspace: &'static str,
    pub invited_by: &'static str,
    pub you_become: &'static str,
    pub only: &'static str,
    pub accept_as: &'static str,
    pub have_account: &'static str,
    pub new_account: &'static str,
    pub not_good: &'static str,
    pub other_address: &'static str,
    pub email_taken: &'static str,
}

pub(super) const EN: Invite = Invite {
    title: "You are invited",
    about: "Somebody invited you into their workspace. Open the invitation to see what it offers.",
    open: "Open the invitation",
    workspace: "Workspace",
    invited_by: "Invited by",
    you_become: "You become",
    only: "For",
    accept_as: "Accept as",
    have_account: "I have an account here: sign in",
    new_account: "Make an account and accept",
    not_good: "This invitation is not good, or no longer: it was used or withdrawn, or has expired. Ask whoever invited you for a new one.",
    other_address: "This invitation is for another address.",
    email_taken: "There is an account with this address. Sign in to it, and you come back here.",
};

pub(super) const ES: Invite = Invite {
    title: "Tienes una invitación",
    about: "Alguien te invitó a su espacio de trabajo. Abre la invitación para ver qué ofrece.",
    open: "Abrir la invitación",
    workspace: "Espacio de trabajo",
    invited_by: "Te invita",
    you_become: "Tu rol",
    only: "Para",
    accept_as: "Aceptar como",
    have_account: "Ya tengo una cuenta aquí: iniciar sesión",
    new_account: "Crear una cuenta y aceptar",
    not_good: "Esta invitación no vale o ya no vale: se usó, se retiró o caducó. Pide una nueva a quien te invitó.",
    other_address: "Esta invitación es para otro correo.",
    email_taken: "Ya hay una cuenta con este correo. Inicia sesión con ella y volverás aquí.",
};
