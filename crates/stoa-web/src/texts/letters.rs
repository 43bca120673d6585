//! What is mailed to people.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Letters {
    pub reset_subject: &'static str,
    /// Of the server's URL.
    pub reset: fn(&str) -> String,
    pub reset_open: &'static str,
    pub reset_else: &'static str,
    /// Of the workspace.
    pub invitation_subject: fn(&str) -> String,
    /// Of the workspace and the server's URL.
    pub invitation: fn(&str, &str) -> String,
    pub invitation_open: &'static str,
    pub invitation_else: &'static str,
}

pub(super) const EN: Letters = Letters {
    reset_subject: "A new password for Stoa",
    reset: |house| format!("Somebody asked for a new password for your account at {house}"),
    reset_open: "To choose one, open this link. It is good once, for 1 hour:",
    reset_else: "If it wasn't you, you may ignore this mail: nothing changes without the link.",
    invitation_subject: |workspace| format!("Invitation into the workspace {workspace}"),
    invitation: |workspace, house| format!("You are invited into the workspace {workspace} at {house}"),
    invitation_open: "To see what it offers, open this link. It is good once, for 7 days:",
    invitation_else: "If this means nothing to you, you may ignore this mail.",
};

pub(super) const ES: Letters = Letters {
    reset_subject: "Una contraseña nueva para Stoa",
    reset: |house| format!("Alguien pidió una contraseña nueva para tu cuenta en {house}"),
    reset_open: "Para elegirla, abre este enlace. Vale una vez, durante 1 hora:",
    reset_else: "Si no fuiste tú, puedes ignorar este correo: sin el enlace no cambia nada.",
    invitation_subject: |workspace| format!("Invitación al espacio de trabajo {workspace}"),
    invitation: |workspace, house| {
        format!("Tienes una invitación al espacio de trabajo {workspace} en {house}")
    },
    invitation_open: "Para ver qué ofrece, abre este enlace. Vale una vez, durante 7 días:",
    invitation_else: "Si no sabes de qué se trata, puedes ignorar este correo.",
};
