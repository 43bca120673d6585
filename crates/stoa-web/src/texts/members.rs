//! Who belongs to a workspace, and invitations into it.

use stoa_identity::Role;

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Members {
    pub title: &'static str,
    pub about: &'static str,
    /// What a member, an admin and an owner is called.
    pub roles: [&'static str; 3],
    /// What each may do.
    pub allows: [&'static str; 3],
    pub you: &'static str,
    pub disabled: &'static str,
    pub role: &'static str,
    pub since: &'static str,
    pub change: &'static str,
    pub save: &'static str,
    pub remove: &'static str,
    pub remove_about: &'static str,
    pub leave: &'static str,
    pub leave_about: &'static str,
    pub invite: &'static str,
    pub invite_about: &'static str,
    pub address: &'static str,
    pub address_hint: &'static str,
    pub address_mailed: &'static str,
    pub make_link: &'static str,
    pub invitations: &'static str,
    pub whoever: &'static str,
    pub good_until: &'static str,
    pub withdraw: &'static str,
    pub made: &'static str,
    pub mailed: &'static str,
    pub not_mailed: &'static str,
    pub shown_once: &'static str,
    pub link: &'static str,
    pub invited: &'static str,
    pub unknown: &'static str,
    pub not_allowed: &'static str,
    pub owners_only: &'static str,
    pub last_owner: &'static str,
}

impl Members {
    /// What a role is called.
    #[must_use]
    pub const fn role(&self, role: Role) -> &'static str {
        let [member, admin, owner] = self.roles;
        Self::of(role, member, admin, owner)
    }

    /// What a role may do.
    #[must_use]
    pub const fn may(&self, role: Role) -> &'static str {
        let [member, admin, owner] = self.allows;
        Self::of(role, member, admin, owner)
    }

    const fn of(role: Role, member: &'static str, admin: &'static str, owner: &'static str) -> &'static str {
        match role {
            Role::Member => member,
            Role::Admin => admin,
            Role::Owner => owner,
        }
    }
}

pub(super) const EN: Members = Members {
    title: "Members",
    about: "Who belongs to this workspace. Whoever is removed is refused from the next request on, and so are their agents.",
    roles: ["Member", "Admin", "Owner"],
    allows: [
        "Uses what is here.",
        "Also connects places, and decides about members and admins.",
        "Also decides who owns the workspace.",
    ],
    you: "you",
    disabled: "disabled",
    role: "Role",
    since: "Here since",
    change: "Change",
    save: "Save the role",
    remove: "Remove",
    remove_about: "Their agents here end for good; coming back revives none.",
    leave: "Leave this workspace",
    leave_about: "Your agents here end for good. Only a new invitation brings you back.",
    invite: "Invite somebody",
    invite_about: "You get a link to pass on. It is good once, for 7 days, and as long as you may give that role.",
    address: "Email address",
    address_hint: "Only this address can accept. Leave it empty, and whoever has the link can.",
    address_mailed: "The link is mailed there, too.",
    make_link: "Make the link",
    invitations: "Open invitations",
    whoever: "Whoever has the link",
    good_until: "Good until",
    withdraw: "Withdraw",
    made: "Your invitation",
    mailed: "The invitation was mailed to this address.",
    not_mailed: "The invitation could not be mailed. Copy the link and give it to the person yourself.",
    shown_once: "Copy the link now: it is shown this once.",
    link: "Link",
    invited: "For",
    unknown: "Nobody like that belongs to this workspace.",
    not_allowed: "Only admins and owners decide who belongs here.",
    owners_only: "Only an owner decides about owners.",
    last_owner: "A workspace keeps at least one owner. Make somebody else an owner first.",
};

pub(super) const ES: Members = Members {
    title: "Miembros",
    about: "Quién pertenece a este espacio de trabajo. A quien se quita se le rechaza desde su siguiente petición, y a sus agentes también.",
    roles: ["Miembro", "Administración", "Propiedad"],
    allows: [
        "Usa lo que hay aquí.",
        "Además conecta lugares y decide sobre miembros y administración.",
        "Además decide a quién pertenece el espacio de trabajo.",
    ],
    you: "tú",
    disabled: "desactivada",
    role: "Rol",
    since: "Aquí desde",
    change: "Cambiar",
    save: "Guardar el rol",
    remove: "Quitar",
    remove_about: "Sus agentes aquí terminan para siempre; volver no revive ninguno.",
    leave: "Dejar este espacio de trabajo",
    leave_about: "Tus agentes aquí terminan para siempre. Solo una nueva invitación te trae de vuelta.",
    invite: "Invitar a alguien",
    invite_about: "Obtienes un enlace para entregar. Vale una vez, durante 7 días y mientras puedas dar ese rol.",
    address: "Correo electrónico",
    address_hint: "Solo este correo puede aceptar. Si lo dejas vacío, podrá quien tenga el enlace.",
    address_mailed: "El enlace también se envía allí.",
    make_link: "Crear el enlace",
    invitations: "Invitaciones abiertas",
    whoever: "Quien tenga el enlace",
    good_until: "Vale hasta",
    withdraw: "Retirar",
    made: "Tu invitación",
    mailed: "La invitación se envió a este correo.",
    not_mailed: "No se pudo enviar la invitación. Copia el enlace y dáselo tú a la persona.",
    shown_once: "Copia el enlace ahora: se muestra solo esta vez.",
    link: "Enlace",
    invited: "Para",
    unknown: "Nadie así pertenece a este espacio de trabajo.",
    not_allowed: "Solo quien administra o posee el espacio decide quién pertenece a él.",
    owners_only: "Solo quien posee el espacio decide sobre su propiedad.",
    last_owner: "Un espacio de trabajo conserva al menos a alguien en propiedad. Da antes ese rol a otra persona.",
};
