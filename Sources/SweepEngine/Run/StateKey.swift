import CloudModel
import DeletionPlanning
import OpenSSL

/// Keyed digests over plans, their lines and reports, with a key that stays in the state folder:
/// whoever edits a plan file or the journal cannot make them again.
struct Seals: Sendable {
    /// What the journal calls the key.
    static let secret = "seals"

    private let key: [UInt8]
    init(key: [UInt8]) { self.key = key }

    /// The seal of a whole plan, by its digest.
    func plan(_ digest: String) -> String {
        Hexadecimal.encode(HMACSHA256.authenticate(Array("plan\n\(digest)".utf8), key: key))
    }

    /// The seal of one line of the plan that a run carries out.
    func line(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        Array(
            HMACSHA256.authenticate(Array("line\n\(number)\n".utf8) + bytes, key: key).prefix(16))
    }

    /// The last line of a plan.
    func footer(_ facts: PlanFacts) -> PlanLine {
        .footer(totals: facts.totals, digest: facts.digest, seal: plan(facts.digest))
    }

    // MARK: Reports

    /// A report as the journal keeps it: its JSON, and the seal in a line of its own.
    func sealed(report: [UInt8], of run: String) -> [UInt8] {
        report + [0x0A] + Array(seal(of: report, run).utf8)
    }

    /// The JSON of a report that the journal kept; nil when it bears another seal, or none.
    func opened(report: [UInt8], of run: String) -> [UInt8]? {
        guard let end = report.lastIndex(of: 0x0A) else { return nil }
        let json = Array(report[..<end])
        return report[(end + 1)...].elementsEqual(seal(of: json, run).utf8) ? json : nil
    }

    private func seal(of report: [UInt8], _ run: String) -> String {
        Hexadecimal.encode(
            HMACSHA256.authenticate(Array("report\n\(run)\n".utf8) + report, key: key))
    }
}
