import Basics
package import CommandTable

/// A verb that can be carried out.
package protocol Command: Sendable {
    static var verb: Verb { get }
    /// Takes what was typed; checks what the table alone cannot.
    init(arguments: Arguments) throws(UsageError)
    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult
}

/// Every verb, and where to find it.
package enum VerbTable {
    /// In the order of the help text.
    package static let commands: [any Command.Type] = [
        ContainersListCommand.self, ContainersCheckCommand.self, ContainersInitCommand.self,
        LoginCommand.self, LogoutCommand.self, DoctorCommand.self, PlanCommand.self,
        PlanSignCommand.self, PlanApprovalsCommand.self,
        ShowCommand.self, ApplyCommand.self, SweepCommand.self, VerifyCommand.self,
        ResumeCommand.self, WatchCommand.self, RestrictCommand.self,
        UnrestrictCommand.self, RunsCommand.self, StatusCommand.self,
        ReportCommand.self, WhoisCommand.self, ExportCommand.self, AttestCommand.self,
        AttestMatchCommand.self, AttestLedgerCommand.self, EvidenceInitCommand.self,
        EvidenceKeyCommand.self, EvidenceRotateCommand.self, EvidenceStampCommand.self,
        EvidenceProveCommand.self,
        ForgetCommand.self, DonationsDonateCommand.self,
        DonationsListCommand.self,
        DonationsDeleteCommand.self, DonationsPreviewCommand.self,
        DonationsRemainingCommand.self, DonationsSuggestionsCommand.self,
        DonationsSearchCommand.self, DonationsExpireCommand.self, DonationsExportCommand.self,
        DonationsAuditCommand.self, DonationsRestrictCommand.self,
        DonationsUnrestrictCommand.self, SyncCommand.self, SyncStatusCommand.self,
        SyncFencesCommand.self, SyncUnfenceCommand.self, SyncSignOutCommand.self,
        SyncEnableCommand.self, SyncDisableCommand.self, MockStartCommand.self,
        MockExecCommand.self, MockRecordCommand.self, MockReplayCommand.self,
        MockCompareCommand.self, MockAppleCommand.self, MockSeedCommand.self, MockActCommand.self,
        MockKeyCommand.self, MockSchemaCommand.self, MockResetCommand.self,
        MockFaultsCommand.self, MockJournalCommand.self, MockExplainCommand.self,
        MockFindingsCommand.self, MockPushesCommand.self, MockExportCommand.self,
        MockImportCommand.self,
        MockClockCommand.self, MockTickCommand.self, MockSnapshotCommand.self,
        MockTokensCommand.self, MockEnvCommand.self, MockStatusCommand.self,
        MockHealthCommand.self, MockTrustCommand.self, MockUntrustCommand.self,
        MockFidelityCommand.self, DemoCommand.self,
        CompletionsCommand.self, HelpCommand.self,
    ]

    package static var verbs: [Verb] { commands.map { $0.verb } }

    /// Finds the verb that an argument list begins with, and how many words it takes.
    package static func find(
        _ words: [String]
    ) throws(UsageError) -> (command: any Command.Type, wordCount: Int) {
        guard let first = words.first else { throw UsageError("no verb was given") }
        guard !first.hasPrefix("-") else {
            throw UsageError("\(first) is before the verb; options come after it")
        }
        let second = words.dropFirst().first
        if let second, let command = commands.first(where: { $0.verb.name == "\(first) \(second)" })
        {
            return (command, 2)
        }
        guard let command = commands.first(where: { $0.verb.name == first }) else {
            throw unknown(first, second)
        }
        // A word where this verb takes none is rather a misspelled second one.
        let isFamily = commands.contains { $0.verb.name.hasPrefix("\(first) ") }
        if isFamily, command.verb.positionals.isEmpty, let second, !second.hasPrefix("-") {
            throw unknown(first, second)
        }
        return (command, 1)
    }

    private static func unknown(_ first: String, _ second: String?) -> UsageError {
        let pair = second.map { "\(first) \($0)" } ?? first
        let children = verbs.map { $0.words }.filter { $0.count == 2 && $0[0] == first }
        if !children.isEmpty {
            let names = children.map { $0[1] }
            guard let second, !second.hasPrefix("-") else {
                return UsageError(
                    "\"\(first)\" needs one of: \(names.joined(separator: ", "))",
                    remedy: "\"cksweep help \(first)\" describes them")
            }
            let near = NearestName.hint(for: second, among: names)
            return UsageError(
                "unknown verb \"\(pair)\"\(near)",
                remedy: near.isEmpty
                    ? "one of: " + names.joined(separator: ", ")
                    : "\"cksweep help \(first)\" lists the verbs")
        }
        var seen: Set<String> = []
        let names = verbs.map { $0.words[0] }.filter { seen.insert($0).inserted }
        return UsageError(
            "unknown verb \"\(first)\"\(NearestName.hint(for: first, among: names))",
            remedy: "\"cksweep help\" lists the verbs")
    }
}
