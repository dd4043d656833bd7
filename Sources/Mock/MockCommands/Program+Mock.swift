package import CommandLine

extension Program {
    private static let about =
        "cloudkit-mock serves CloudKit Web Services on this machine over TLS, for tests of any "
        + "client: with faults, a clock, snapshots and a journal of requests."

    /// The mock server and what controls it.
    package static let cloudkitMock = Program(
        "cloudkit-mock", version: packageVersion,
        summary: about,
        caution:
            "Its verbs change the data of a mock server and of nothing else. Only trust with --yes "
            + "changes this machine: which certificates it trusts.",
        commands: [
            ServeCommand.self, ExecCommand.self, EnvCommand.self, StatusCommand.self,
            SeedCommand.self, DumpCommand.self, SnapshotSaveCommand.self,
            SnapshotRestoreCommand.self, SnapshotListCommand.self, SnapshotDeleteCommand.self,
            SimulateCommand.self, FaultsCommand.self, ClockCommand.self, LogRequestsCommand.self,
            LogFindingsCommand.self, LogPushesCommand.self, RulesCommand.self,
            CredentialsListCommand.self, CredentialsAddCommand.self,
            CredentialsRemoveCommand.self, TrustCommand.self, RecordCommand.self,
            ReplayCommand.self, CompletionsCommand.self, HelpCommand.self,
        ],
        renamed: [
            ("start", "serve"), ("apple", "exec --apple"), ("health", "status --health"),
            ("act", "simulate"), ("tick", "simulate"), ("reset", "seed --reset"),
            ("schema", "seed --schema or dump --schema"), ("export", "snapshot save --to"),
            ("import", "snapshot restore --from"), ("journal", "log requests"),
            ("findings", "log findings"), ("pushes", "log pushes"), ("fidelity", "rules"),
            ("explain", "rules --request"), ("tokens", "credentials"), ("key", "credentials"),
            ("compare", "replay --compare"), ("untrust", "trust --remove"),
        ],
        firstSteps: .init("first steps", ["exec", "serve", "env"]),
        groups: [
            .init("run a server", ["serve", "exec", "env", "status"]),
            .init(
                "its data",
                [
                    "seed", "dump", "snapshot save", "snapshot restore", "snapshot list",
                    "snapshot delete",
                ]),
            .init("what happens", ["simulate", "faults", "clock"]),
            .init("what clients did", ["log requests", "log findings", "log pushes", "rules"]),
            .init(
                "sign-in and certificates",
                ["credentials list", "credentials add", "credentials remove", "trust"]),
            .init("compare with a service", ["record", "replay"]),
            .init("help", ["completions", "help"]),
        ],
        variables: [
            ("CLOUDKIT_EMULATOR_URL", "the server that verbs talk to; \"exec\" and \"env\" set it"),
            ("CLOUDKIT_EMULATOR_CA", "PEM file of the server's certificate authority"),
            ("CLOUDKIT_EMULATOR_ADMIN_TOKEN", "token for the server's administration API"),
            ("XDG_STATE_HOME", "certificates and the ready file are stored below it"),
            ("NO_COLOR", "no colors, unless --color always is given"),
        ],
        exitCodes: [
            ("0", "done"),
            ("1", "internal error; status --health: the server is not healthy"),
            ("2", "usage error, or no server replied"),
            (
                "3",
                "exec --apple: the kernel refuses a network of its own; replay --compare: not a "
                    + "mock server"
            ),
            (
                "4",
                "log findings, log requests --verify: older requests were discarded, or nothing was "
                    + "checked, so the result is unknown"
            ),
            ("5", "record, replay: requests without a response"),
            (
                "6",
                "log requests --verify: an expected request is missing; exec --require-fired: "
                    + "a fault did not fire; replay --compare: responses differ"
            ),
            ("7", "exec --check, log findings: a client broke the service's contract"),
            ("130", "interrupted (143: terminated)"),
            ("any other", "exec, record, replay: that of the program that was run"),
        ],
        pages: [
            ManualPage(
                "cloudkit-mock", "CloudKit Web Services for tests and rehearsals",
                description: [about, "Unless --listen is given, it listens on this machine only."],
                .program(files: [
                    (
                        "Pa ~/.local/state/cloudkit-mock",
                        "The state folder: the certificate authority, and while a server runs "
                            + "ready.json with its address and tokens."
                    )
                ]))
        ],
        commonOptions: CommonOptions.output + AdminClient.options + [CommonOptions.help],
        names: { kind, words, environment in CompletionNames(words, in: environment).offers(kind) })
}
