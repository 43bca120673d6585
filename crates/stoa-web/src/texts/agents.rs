//! The list of agents.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Agents {
    pub title: &'static str,
    pub about: &'static str,
    pub none: &'static str,
    pub place: &'static str,
    pub client: &'static str,
    pub may: &'static str,
    pub since: &'static str,
    pub last_used: &'static str,
    pub never_used: &'static str,
    pub budget: &'static str,
    pub budget_default: &'static str,
    pub personal_token: &'static str,
    pub end: &'static str,
    pub end_hint: &'static str,
}

pub(super) const EN: Agents = Agents {
    title: "Agents",
    about: "Each line is one agent that you connected. End it, and it is refused from its next request on.",
    none: "No agent is connected yet. The first page says how.",
    place: "Connected to",
    client: "Program",
    may: "May",
    since: "Connected",
    last_used: "Last used",
    never_used: "not yet",
    budget: "Runs an hour",
    budget_default: "as configured",
    personal_token: "personal token",
    end: "End",
    end_hint: "End this agent's access",
};

pub(super) const ES: Agents = Agents {
    title: "Agentes",
    about: "Cada línea es un agente que conectaste. Si lo terminas, se le rechaza desde su próxima petición.",
    none: "Aún no hay ningún agente conectado. La página de inicio dice cómo hacerlo.",
    place: "Conectado a",
    client: "Programa",
    may: "Puede",
    since: "Conectado desde",
    last_used: "Último uso",
    never_used: "todavía ninguno",
    budget: "Ejecuciones por hora",
    budget_default: "según la configuración",
    personal_token: "token personal",
    end: "Terminar",
    end_hint: "Terminar el acceso de este agente",
};
