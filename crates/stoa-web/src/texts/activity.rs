//! What was done.

use stoa_store::audit::{AddressClass, Channel, Status};

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Activity {
    pub title: &'static str,
    pub about: &'static str,
    pub none: &'static str,
    pub agent: &'static str,
    pub outcome: &'static str,
    pub tool: &'static str,
    pub day: &'static str,
    pub any: &'static str,
    pub show: &'static str,
    pub everything: &'static str,
    pub export: &'static str,
    pub older: &'static str,
    pub arguments: &'static str,
    pub nobody: &'static str,
    pub on_the_server: &'static str,
    pub done: &'static str,
    pub denied: &'static str,
    pub failed: &'static str,
    pub mcp: &'static str,
    pub cli: &'static str,
    pub web: &'static str,
    pub run: &'static str,
    pub loopback: &'static str,
    pub private: &'static str,
    pub public: &'static str,
    pub unknown: &'static str,
    pub not_granted: &'static str,
    pub not_found: &'static str,
    pub bad_argument: &'static str,
    pub too_many: &'static str,
    pub left: &'static str,
    pub ours: &'static str,
    pub wrong_secret: &'static str,
    pub passkey_refused: &'static str,
    pub not_fresh: &'static str,
    pub too_late: &'static str,
    pub no_good_password: &'static str,
    pub in_the_way: &'static str,
}

impl Activity {
    /// How an act ended.
    #[must_use]
    pub const fn status(&self, status: Status) -> &'static str {
        match status {
            Status::Ok => self.done,
            Status::Denied => self.denied,
            Status::Error => self.failed,
        }
    }

    /// Through which door it came.
    #[must_use]
    pub const fn channel(&self, channel: Channel) -> &'static str {
        match channel {
            Channel::Mcp => self.mcp,
            Channel::Cli => self.cli,
            Channel::Web => self.web,
            Channel::Run => self.run,
        }
    }

    /// Where its caller was.
    #[must_use]
    pub const fn address(&self, address: AddressClass) -> &'static str {
        match address {
            AddressClass::Loopback => self.loopback,
            AddressClass::Private => self.private,
            AddressClass::Public => self.public,
            AddressClass::Unknown => self.unknown,
        }
    }

    /// Why it did not go well, for the codes that people meet.
    #[must_use]
    pub fn why(&self, code: &str) -> Option<&'static str> {
        Some(match code {
            "Grant::Denied" | "insufficient_scope" | "INSUFFICIENT_SCOPE" => self.not_granted,
            "not_found" | "NotFound" | "ActiveRecord::RecordNotFound" => self.not_found,
            "ArgumentError" | "InvalidParams" | "invalid_argument" | "VALIDATION_ERROR" => self.bad_argument,
            "RateLimited" | "rate_limited" | "too_many_attempts" | "BudgetSpent" => self.too_many,
            "abandoned" => self.left,
            "internal" | "failed" => self.ours,
            "sign_in_refused" | "second_factor_refused" | "wrong_password" | "wrong_code" => {
                self.wrong_secret
            }
            "passkey_refused" => self.passkey_refused,
            "not_fresh" => self.not_fresh,
            "nothing_waits" => self.too_late,
            "no_good_password" => self.no_good_password,
            "last_way"
            | "second_factor"
            | "second_factor_exists"
            | "second_factor_missing"
            | "no_passkey"
            | "passkey_known"
            | "too_many_passkeys" => self.in_the_way,
            _ => return None,
        })
    }
}

pub(super) const EN: Activity = Activity {
    title: "Activity",
    about: "What your agents and you did here, the newest first. It is never changed, and whether it was can be shown.",
    none: "Nothing was done that fits.",
    agent: "Agent",
    outcome: "How it ended",
    tool: "Tool",
    day: "Day (UTC)",
    any: "Any",
    show: "Show",
    everything: "Show everything",
    export: "Download as JSON lines",
    older: "Older",
    arguments: "With what",
    nobody: "nobody signed in",
    on_the_server: "on the server itself",
    done: "Done",
    denied: "Refused",
    failed: "Failed",
    mcp: "by an agent",
    cli: "by a command",
    web: "on a page",
    run: "in the background",
    loopback: "this machine",
    private: "a private network",
    public: "the internet",
    unknown: "an unknown place",
    not_granted: "You did not allow it when you connected this agent.",
    not_found: "There is nothing such within its reach.",
    bad_argument: "It was asked for in a way that makes no sense.",
    too_many: "Too many at once: it was asked to wait.",
    left: "The caller went away before the answer.",
    ours: "A fault of the server: its log says more.",
    wrong_secret: "The password or code was wrong.",
    passkey_refused: "The passkey was not accepted.",
    not_fresh: "The sign-in was too long ago for this.",
    too_late: "It took too long, or was done before.",
    no_good_password: "The new password was not good enough.",
    in_the_way: "Something else about the ways to sign in stood in the way.",
};

pub(super) const ES: Activity = Activity {
    title: "Actividad",
    about: "Lo que tus agentes y tú habéis hecho aquí, lo más reciente primero. Nunca se cambia, y si se hubiera cambiado se puede demostrar.",
    none: "No se hizo nada que encaje.",
    agent: "Agente",
    outcome: "Cómo acabó",
    tool: "Herramienta",
    day: "Día (UTC)",
    any: "Cualquiera",
    show: "Mostrar",
    everything: "Mostrar todo",
    export: "Descargar en líneas JSON",
    older: "Anteriores",
    arguments: "Con qué",
    nobody: "sin sesión iniciada",
    on_the_server: "en el propio servidor",
    done: "Hecho",
    denied: "Rechazado",
    failed: "Falló",
    mcp: "por un agente",
    cli: "con un comando",
    web: "en una página",
    run: "en segundo plano",
    loopback: "esta máquina",
    private: "una red privada",
    public: "internet",
    unknown: "un lugar desconocido",
    not_granted: "No lo permitiste al conectar este agente.",
    not_found: "No hay nada así a su alcance.",
    bad_argument: "Se pidió de una manera que no tiene sentido.",
    too_many: "Demasiadas a la vez: se le pidió que esperara.",
    left: "Quien llamaba se fue antes de la respuesta.",
    ours: "Un fallo del servidor: su registro dice más.",
    wrong_secret: "La contraseña o el código no era correcto.",
    passkey_refused: "La llave de acceso no se aceptó.",
    not_fresh: "Hacía demasiado que se inició la sesión.",
    too_late: "Tardó demasiado o ya se había hecho.",
    no_good_password: "La contraseña nueva no era lo bastante buena.",
    in_the_way: "Lo impedía otra de las maneras de iniciar sesión.",
};
