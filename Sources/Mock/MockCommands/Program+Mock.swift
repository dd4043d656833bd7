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
            "Its verbs change the data of a mock server and of nothing else. Only trust and untrust "
            + "with --yes change this machine: which certificates it trusts.",
        commands: [
            ServeCommand.self, ExecCommand.self, EnvCommand.self,
            StatusCommand.self, HealthCommand.self, SeedCommand.self,
            SimulateCommand.self, FaultsCommand.self, ClockCommand.self,
            TickCommand.self, ResetCommand.self, SnapshotSaveCommand.self,
            DumpCommand.self, ExportCommand.self, ImportCommand.self,
            SchemaCommand.self, LogRequestsCommand.self, LogFindingsCommand.self,
            LogPushesCommand.self, ExplainCommand.self, RulesCommand.self,
            TokensCommand.self, CredentialsAddCommand.self, RecordCommand.self,
            ReplayCommand.self, CompareCommand.self, AppleCommand.self,
            TrustCommand.self, UntrustCommand.self, CompletionsCommand.self,
            HelpCommand.self,
        ],
        firstSteps: .init("first steps", ["exec", "start", "env"]),
        groups: [
            .init("run a server", ["start", "exec", "apple", "env", "status", "health"]),
            .init("its data", ["seed", "schema", "dump", "reset", "snapshot", "export", "import"]),
            .init("what happens", ["act", "faults", "clock", "tick"]),
            .init("what clients did", ["journal", "findings", "pushes", "explain", "fidelity"]),
            .init("sign-in and certificates", ["tokens", "key", "trust", "untrust"]),
            .init("compare with a service", ["record", "replay", "compare"]),
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
            ("1", "internal error; health: the server is not healthy"),
            ("2", "usage error, or no server replied"),
            (
                "3", "apple: the kernel refuses a network of its own; compare: not a mock server"
            ),
            (
                "4",
                "findings, journal --verify: older requests were discarded, or nothing was "
                    + "checked, so the result is unknown"
            ),
            ("5", "record, replay: requests without a response"),
            (
                "6",
                "journal --verify: an expected request is missing; exec --require-fired: a "
                    + "fault did not fire; compare: responses differ"
            ),
            ("7", "exec --check, findings: a client broke the service's contract"),
            ("130", "interrupted (143: terminated)"),
            ("any other", "exec, apple, record, replay: that of the program that was run"),
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
