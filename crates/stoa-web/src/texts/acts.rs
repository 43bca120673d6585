//! What the house's own pages and commands do, in words. What a service's do, its face says.

use crate::language::Language;

/// Each act, as the audit names it, in English and in Spanish.
const ACTS: &[(&str, &str, &str)] = &[
    ("account add", "Add an account", "Añadir una cuenta"),
    ("account disable", "Disable an account", "Desactivar una cuenta"),
    ("account enable", "Enable an account", "Activar una cuenta"),
    ("account reset", "Make a link for a new password", "Crear un enlace para una contraseña nueva"),
    ("add passkey", "Add a passkey", "Añadir una llave de acceso"),
    (
        "ask for a reset link",
        "Ask for a link for a new password",
        "Pedir un enlace para una contraseña nueva",
    ),
    ("audit export", "Export the audit", "Exportar la auditoría"),
    ("audit verify", "Verify the audit", "Verificar la auditoría"),
    ("backup", "Make a backup", "Hacer una copia de seguridad"),
    ("begin passkey", "Begin to add a passkey", "Empezar a añadir una llave de acceso"),
    (
        "begin second factor",
        "Begin to set up an authenticator app",
        "Empezar a configurar una aplicación de autenticación",
    ),
    ("change password", "Change the password", "Cambiar la contraseña"),
    ("confirm second factor", "Turn on the codes of an app", "Activar los códigos de una aplicación"),
    ("end agent", "End an agent's access", "Terminar el acceso de un agente"),
    ("end other sessions", "Sign out everywhere else", "Cerrar todas las demás sesiones"),
    ("end session", "Sign out another browser", "Cerrar la sesión de otro navegador"),
    ("export activity", "Download the activity", "Descargar la actividad"),
    ("invitation accept", "Accept an invitation", "Aceptar una invitación"),
    ("invitation add", "Invite somebody", "Invitar a alguien"),
    ("invitation withdraw", "Withdraw an invitation", "Retirar una invitación"),
    ("member leave", "Leave the workspace", "Dejar el espacio de trabajo"),
    ("member remove", "Remove a member", "Quitar a un miembro"),
    ("member role", "Change a member's role", "Cambiar el rol de un miembro"),
    ("oauth approve", "Connect an agent", "Conectar un agente"),
    ("oauth cancel", "Turn an agent away", "Rechazar un agente"),
    ("oauth refresh", "Renew an agent's token", "Renovar el token de un agente"),
    ("oauth revoke", "Give a token back", "Devolver un token"),
    ("oauth token", "Give an agent its token", "Dar su token a un agente"),
    ("remove passkey", "Remove a passkey", "Quitar una llave de acceso"),
    ("remove second factor", "Turn off the second step", "Desactivar el segundo paso"),
    ("rename agent", "Rename an agent", "Cambiar el nombre de un agente"),
    ("rename passkey", "Rename a passkey", "Cambiar el nombre de una llave de acceso"),
    ("renew recovery codes", "Make new recovery codes", "Crear códigos de recuperación nuevos"),
    ("reset", "Choose a new way to sign in", "Elegir otra manera de iniciar sesión"),
    ("restore", "Restore a backup", "Restaurar una copia de seguridad"),
    ("serve", "Start the server", "Arrancar el servidor"),
    ("setup", "Make the owner's account", "Crear la cuenta de quien posee el servidor"),
    ("setup-link", "Make a set-up link", "Crear un enlace de instalación"),
    ("sign in", "Sign in", "Iniciar sesión"),
    ("sign in at a provider", "Sign in at the OpenID provider", "Iniciar sesión en el proveedor de OpenID"),
    ("sign in with a passkey", "Sign in with a passkey", "Iniciar sesión con una llave de acceso"),
    ("sign in with a second factor", "Give the second factor", "Dar el segundo factor"),
    ("sign out", "Sign out", "Cerrar sesión"),
    ("token add", "Make a personal token", "Crear un token personal"),
    ("token revoke", "Revoke a token", "Revocar un token"),
    ("unlink provider", "Unlink an account elsewhere", "Desvincular una cuenta de otro sitio"),
    (
        "use passkeys as second factor",
        "Make passkeys the second step",
        "Usar llaves de acceso como segundo paso",
    ),
    ("workspace add", "Add a workspace", "Añadir un espacio de trabajo"),
    ("workspace delete", "Delete a workspace", "Eliminar un espacio de trabajo"),
    ("workspace export", "Export a workspace", "Exportar un espacio de trabajo"),
];

/// What an act is. `None`: not one of the house's.
#[must_use]
pub fn says(language: Language, act: &str) -> Option<&'static str> {
    let (_, english, spanish) = ACTS.iter().find(|(name, ..)| *name == act)?;
    Some(match language {
        Language::English => english,
        Language::Spanish => spanish,
    })
}
