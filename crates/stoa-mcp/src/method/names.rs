//! The methods by their names.

/// Makes the enum, its names and its list of one table, so that no two of them can differ.
macro_rules! methods {
    ($($variant:ident = $name:literal,)*) => {
        /// A method of MCP that some service, in some era, answers. Which of them a mount answers, its services
        /// decide.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Method {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Method {
            /// Every method there is, by its name in the order of the alphabet.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The method of this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

methods! {
    CompletionComplete = "completion/complete",
    Initialize = "initialize",
    LoggingSetLevel = "logging/setLevel",
    Ping = "ping",
    PromptsGet = "prompts/get",
    PromptsList = "prompts/list",
    ResourcesList = "resources/list",
    ResourcesRead = "resources/read",
    ResourcesSubscribe = "resources/subscribe",
    ResourcesTemplatesList = "resources/templates/list",
    ResourcesUnsubscribe = "resources/unsubscribe",
    ServerDiscover = "server/discover",
    SubscriptionsListen = "subscriptions/listen",
    TasksCancel = "tasks/cancel",
    TasksGet = "tasks/get",
    TasksUpdate = "tasks/update",
    ToolsCall = "tools/call",
    ToolsList = "tools/list",
}
