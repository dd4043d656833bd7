import CloudModel
import DeletionPlanning
import OpenSSL

/// Keyed digests over a plan and its lines, with a key that stays in the state folder: whoever edits
/// a plan file or the journal cannot make them again.
struct Seals: Sendable {
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
}
