//! What one may be allowed to do here: the scope that a grant must hold, and the least role of the person.
//! Members may do all of it but connecting a place; on the command line nobody's leave is needed.

use stoa_identity::{Right, Role};

macro_rules! rights {
    ($($(#[$doc:meta])* $name:ident: $word:literal, $scope:literal, $role:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $name {}

            impl Right for $name {
                const NAME: &'static str = $word;
                const SCOPE: &'static str = $scope;
                const LEAST_ROLE: Role = Role::$role;
            }
        )*
    };
}

rights! {
    /// To search the catalog.
    Search: "search things", "things:read", Member;
    /// To read what is known of a thing, its text included.
    Read: "read a thing", "things:read", Member;
    /// To have a thing analyzed again.
    Analyze: "analyze a thing", "things:write", Member;
    /// To see the places where things live, and to check whether they answer.
    SeeResources: "see resources", "resources:read", Member;
    /// To have a place listed and catalogued.
    Sync: "sync a resource", "resources:command", Member;
    /// To see the runs one started.
    SeeRuns: "see runs", "resources:read", Member;
    /// To connect a place, on a page.
    Connect: "connect a resource", "workspace:resources", Admin;
    /// To stop a run one started.
    CancelRun: "cancel a run", "resources:command", Member;
}
