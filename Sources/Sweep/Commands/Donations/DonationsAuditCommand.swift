import CommandLine
import DonationStore
import Donations

/// Looks for habits that leave donations behind.
struct DonationsAuditCommand: Command {
    static let verb = Verb(
        "donations audit", "find habits that leave donations behind",
        discussion: [
            "Finds donations that nothing deletes or could delete, deletions by keys that no "
                + "donation has, actions donated twice, loops, and refusals that the app ignored. "
                + "The result is advice: the exit code is always 0."
        ],
        options: DonationOptions.common,
        examples: [.init("cksweep donations audit --app com.example.soup", "after a test run")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let findings = DonationAudit.findings(
            try await donations.use { store throws(DonationError) in
                try await store.auditFacts()
            })
        for finding in findings {
            console.result(
                "\(console.style.text(finding.code.rawValue, .caution)): "
                    + (finding.type.map { "\($0): " } ?? "")
                    + "\(TextTable.grouped(finding.rows)): \(finding.advice)")
            console.event(
                Event(
                    "finding",
                    [
                        .init("code", finding.code.rawValue),
                        .init("kind", finding.kind?.rawValue), .init("type", finding.type),
                        .init("rows", finding.rows), .init("advice", finding.advice),
                    ]))
        }
        console.result(findings.isEmpty ? "no findings" : Counts.some(findings.count, "finding"))
        console.event(Event("audited", [.init("findings", findings.count)]))
        return .done
    }
}
