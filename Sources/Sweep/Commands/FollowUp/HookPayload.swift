import Basics
import CloudModel
import CommandLine
import Evidence
import OpenSSL
import SweepEngine

/// What a hook is told: how the run ended and where its evidence is. Nobody is named in it, not even by a
/// pseudonym: those are in the evidence.
struct HookPayload: Sendable {
    private let fields: [Event.Field]
    /// What the name of each delivery is made of.
    private let subject: String
    let isVerified: Bool

    /// - Parameters:
    ///   - report: Of a run that has evidence.
    ///   - evidence: The evidence's path and the SHA-256 of its file.
    init(
        _ report: SweepReport, run: String, evidence: (path: String, digest: String),
        access: AccessReport?, at moment: Timestamp
    ) {
        isVerified = if case .proven = report.ending { true } else { false }
        let tally = report.tally
        subject = "\(run)\n\(evidence.digest)"
        fields = [
            .init("version", 1), .init("event", isVerified ? "verified" : "failed"),
            .init("run", run), .init("status", Int(report.status.rawValue)),
            .init("at", moment.iso8601), .init("environment", report.environment?.rawValue),
            .init("server", report.server?.url),
            .init("rehearsal", report.server?.isRehearsal ?? true),
            .init(
                "containers", .list(report.subjects.map { .text($0.container.rawValue) })),
            .init("deleted", tally.deleted), .init("alreadyGone", tally.alreadyGone),
            .init("kept", tally.kept), .init("failed", tally.failed), .init("left", tally.left),
            .init("evidence", evidence.path), .init("evidenceSHA256", evidence.digest),
            .init("access", access.map { $0.status == .done ? "restricted" : "not restricted" }),
        ]
    }

    /// The name of a delivery, the same in each attempt at it: who gets it twice can tell.
    func id(of position: Int) -> String {
        let message = Array("cksweep/hook/v1\n\(position)\n\(subject)".utf8)
        return Hexadecimal.encode(Array(SHA256.hash(message).prefix(16)))
    }

    /// The body for one hook: an object of JSON.
    func body(for position: Int) -> [UInt8] {
        let all = [Event.Field("id", id(of: position))] + fields
        return Array(Event("hook", all).prettyText.utf8)
    }
}
