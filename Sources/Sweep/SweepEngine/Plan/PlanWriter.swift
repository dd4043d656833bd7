import Basics
import DeletionPlanning
import OpenSSL

/// Makes a plan's lines and its digest as they come.
struct PlanWriter: ~Copyable {
    private var digest = SHA256()
    private(set) var totals = PlanTotals()
    let header: PlanHeader
    let headerLine: [UInt8]

    init(_ header: PlanHeader) {
        self.header = header
        headerLine = PlanLine.header(header).bytes
        hash(headerLine)
    }

    /// The line of one item.
    mutating func add(_ item: PlanItem, reason: String?) -> [UInt8] {
        let line = PlanLine.item(item, reason: reason).bytes
        totals.add(item)
        hash(line)
        return line
    }

    /// What the plan says of itself, once all its lines are there.
    consuming func finish() -> PlanFacts {
        let totals = totals
        let header = header
        return header.facts(totals, digest: Hexadecimal.encode(digest.finish()))
    }

    private mutating func hash(_ line: [UInt8]) {
        digest.update(line)
        digest.update([0x0A])
    }
}
