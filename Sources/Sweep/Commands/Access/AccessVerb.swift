import Basics
import CommandLine
import DeletionPlanning
import Evidence
import OpenSSL
import SweepEngine

/// What `restrict` and `unrestrict` have in common: who is asked what, and what is told.
enum AccessVerb {
    static let run = Positional(
        .known("RUN", .run), .optional,
        "a run about the same user, or \"last\": the outcome is added to its evidence")
    static let approve = Option(
        "approve", value: .text("DIGEST"),
        "approve with the displayed digest where there is no terminal to prompt at")

    /// Changes access in every container of the list.
    ///
    /// - Parameter asks: Whether a phrase must be typed, or its digest given, first.
    static func carryOut(
        _ change: AccessFacts.Change, asks: Bool, _ arguments: Arguments,
        in environment: Environment
    ) async throws(CommandFailure) -> VerbResult {
        try await StateFolders(arguments, in: environment).check(arguments.positionals.first)
        let session = try SweepSession(arguments, in: environment)
        let run = try await RunFinder.find(
            arguments.positionals.first, in: session.stateFolder,
            last: {
                ["sweep", "apply", "resume", "verify"].contains($0.verb) && $0.status == .done
            })
        let digest = arguments.text(approve)
        let report = await session.run { sweep, session in
            await sweep.access.change(
                change, run: run, on: { session.connection.database(at: $0) },
                confirm: { subjects in
                    guard asks else { return true }
                    return await session.display.paused {
                        await session.stop.unlessAsked {
                            await isConfirmed(subjects, digest, session)
                        }
                    } ?? false
                })
        }
        let text = AccessText(report)
        session.console.event(text.event)
        session.console.result(text.lines(session.console.style).joined(separator: "\n"))
        return .status(report.status)
    }

    private static func isConfirmed(
        _ subjects: [PlanFacts.Subject], _ given: String?, _ session: SweepSession
    ) async -> Bool {
        let digest = digest(of: subjects, session)
        if let given {
            if given == digest { return true }
            session.console.environment.errors.write(
                "The digest is for another user or other containers; nothing was changed.\n")
            return false
        }
        let containers = Counts.some(subjects.count, "container")
        let lines = subjects.map {
            "  \($0.container) of user \(CoverageMap.short($0.userPseudonym))"
        }
        return await PhraseQuestion(console: session.console, otherwise: "nothing was changed")
            .isConfirmed(
                "About to let apps use the user's data in these containers again. Inform the "
                    + "user first where you are required to.\n" + lines.joined(separator: "\n"),
                phrase: "restore access to \(containers)",
                instead: ", and nothing was changed. To approve this: --approve \(digest)")
    }

    /// What an approval is about: the person, the containers and the server, and that it is this.
    private static func digest(
        of subjects: [PlanFacts.Subject], _ session: SweepSession
    ) -> String {
        var message = "cksweep/unrestrict/v1\n\(session.list.environment.rawValue)\n"
        message += session.server.url + "\n"
        for subject in subjects {
            message += "\(subject.container.rawValue)\n\(subject.userPseudonym)\n"
        }
        return Hexadecimal.encode(SHA256.hash(Array(message.utf8)))
    }
}
