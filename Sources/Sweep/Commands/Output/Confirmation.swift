package import CommandLine
import Configuration
package import DeletionPlanning
package import SweepEngine

/// The question before anything is deleted. The default is no.
package struct Confirmation: Sendable {
    private let console: Console
    /// The digest given with `--approve`.
    private let digest: String?
    private let server: String

    package init(_ console: Console, approve digest: String?, server: String) {
        self.console = console
        self.digest = digest
        self.server = server
    }

    /// Shows what would be deleted and asks for the phrase.
    ///
    /// - Returns: nil at the end of input, when time is up, and without a terminal.
    package func ask(_ report: SweepReport) async -> Approval? {
        if let digest { return .digest(digest) }
        guard let plan = report.plan else { return nil }
        let question = PhraseQuestion(console: console, otherwise: "nothing was deleted")
        return await question.answer(
            to: banner(report, plan), phrase: plan.phrase,
            instead: ". To approve this plan: --approve \(plan.digest)"
        ).map { .typed($0) }
    }

    /// Containers, environment, who the person is, counts and dates; with `--verbose` each place.
    package func banner(_ report: SweepReport, _ plan: PlanFacts) -> String {
        let style = console.errorStyle
        var table = TextTable(indent: 2)
        func add(_ name: String, _ value: String, _ tone: Style.Tone = .plain) {
            table.add([.init(name, .faint), .init(value, tone)])
        }
        let isProduction = plan.environment == .production
        add("environment", plan.environment.rawValue, isProduction ? .bad : .plain)
        add("server", server)
        for (index, person) in Self.people(report.subjects).enumerated() {
            add(index == 0 ? "user" : "", person)
        }
        add("what", Counts.text(plan.totals, recordsInZones: report.recordsInZones), .strong)
        add("plan", "\(plan.digest)")
        if let export = plan.export { add("export", export) }
        if report.isSigned == false {
            add(
                "evidence",
                "UNSIGNED: to get evidence that others can verify, answer no and run "
                    + "\"\(report.commandThatMakesTheKey)\" first", .caution)
        }
        add("made", "\(plan.created.iso8601), valid until \(plan.expires.iso8601)")
        let facts = [style.text("About to delete permanently:", .bad)] + table.lines(style)
        // The question is a line as well.
        let places =
            console.isVerbose
            ? CoverageMap(report).lines(style) + [""]
            : SummaryText(report, style, linesElsewhere: 1).places(besides: facts.count)
        return (places + facts).joined(separator: "\n")
    }

    /// Who is signed in, in each container: what a container knows a person by is its own, and equal given
    /// names do not show that they are one. Said once only where it cannot be two people.
    private static func people(_ subjects: [SweepReport.Subject]) -> [String] {
        func words(_ subject: SweepReport.Subject) -> String {
            (subject.givenName.map { "\($0), " } ?? "") + CoverageMap.short(subject.userPseudonym)
        }
        guard let first = subjects.first else { return [] }
        if subjects.allSatisfy({ $0.userPseudonym == first.userPseudonym }) {
            return [words(first)]
        }
        return subjects.map { "\(words($0)) in \($0.container)" }
    }
}
