import Basics
package import CommandLine

/// Every verb.
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
        SyncEnableCommand.self, SyncDisableCommand.self, MockCommand.self,
        DemoCommand.self,
        CompletionsCommand.self, HelpCommand.self,
    ]

    package static var verbs: [Verb] { commands.map { $0.verb } }
}
