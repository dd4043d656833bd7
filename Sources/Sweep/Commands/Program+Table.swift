import CloudCommandLine
package import CommandLine

extension Program {
    static let summary =
        "cksweep deletes everything an app stores about one user in CloudKit, in every "
        + "container of that app, and verifies that it was deleted."
    static let caution =
        "Only apply, sweep and resume delete anything in CloudKit, and only after a plan was "
        + "approved. donations delete, donations expire and sync delete local donations. forget "
        + "and runs --prune delete data about earlier runs from the state folder."

    /// The deletion tool.
    package static let cksweep = Program(
        "cksweep", version: packageVersion,
        summary: summary, caution: caution,
        commands: VerbTable.commands,
        firstSteps: .init(
            "first steps", ["demo", "containers init", "plan", "apply", "mock"]),
        groups: [
            .init(
                "containers",
                [
                    "containers list", "containers check", "containers init", "login", "logout",
                    "doctor",
                ]),
            .init(
                "delete a user's data",
                [
                    "plan", "plan sign", "plan approvals", "show", "apply", "sweep", "verify",
                    "resume", "watch", "restrict", "unrestrict", "runs", "status", "report",
                    "export", "forget",
                ]),
            .init(
                "donations to Siri and Spotlight on this machine",
                [
                    "donations donate", "donations list", "donations delete", "donations preview",
                    "donations remaining", "donations suggestions", "donations search",
                    "donations expire", "donations export", "donations audit", "donations restrict",
                    "donations unrestrict",
                ]),
            .init(
                "synchronize donations with the cloud",
                [
                    "sync", "sync status", "sync fences", "sync unfence", "sync sign-out",
                    "sync enable", "sync disable",
                ]),
            .init(
                "evidence",
                [
                    "attest", "attest match", "attest ledger", "whois", "evidence init",
                    "evidence key", "evidence rotate", "evidence stamp", "evidence prove",
                ]),
            .init("rehearse and test with the mock server", ["demo", "mock"]),
            .init("help", ["completions", "help"]),
        ],
        variables: [
            (
                "CLOUDKIT_EMULATOR_URL",
                "a mock server; \"cloudkit-mock exec\" sets it. A list for another server is then refused "
                    + "unless --rehearsal is given. The list's own credentials are not sent there, only "
                    + "the tokens below"
            ),
            ("CLOUDKIT_EMULATOR_CA", "PEM file of the server's certificate authority"),
            ("CLOUDKIT_EMULATOR_API_TOKEN", "API token for the server"),
            (
                "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN",
                "web auth token for the server; it identifies the user"
            ),
            ("XDG_STATE_HOME", "runs are stored in cksweep below it (default: ~/.local/state)"),
            ("NO_COLOR", "no colors, unless --color always is given"),
        ],
        exitCodes: [
            ("0", "done and verified empty (verify: empty; plan: a plan was made)"),
            ("1", "internal error"),
            ("2", "usage or configuration error; nothing was deleted"),
            ("3", "refused by a safeguard; this command deleted nothing"),
            ("4", "something in scope could not be listed; this command deleted nothing"),
            ("5", "some deletions failed, or were allowed to be partial"),
            ("6", "deletions were accepted, but verification still finds data"),
            ("7", "not signed in, token invalid, container forbidden"),
            ("8", "--max-duration reached; \"resume\" continues"),
            ("9", "another run holds the lock"),
            ("10", "where asked for: something to delete, a request due, or a difference"),
            ("11", "evidence invalid"),
            ("12", "done, but a follow-up action failed: a restriction, a hook, an addendum"),
            ("130", "interrupted (143: terminated); the journal is safe"),
        ],
        pages: [.command, .donations, .containers],
        commonOptions: CommonOptions.output + CommonOptions.scope + [
            CommonOptions.parallelism, CommonOptions.help,
        ],
        names: { kind, words, environment in
            await KnownNames(words, in: environment).offers(kind)
        })
}
