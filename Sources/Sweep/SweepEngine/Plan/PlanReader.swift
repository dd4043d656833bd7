import Basics
package import DeletionPlanning
import OpenSSL

/// Reads a plan file piece by piece, and checks that it is whole and unchanged.
///
/// Bytes may be anything: whatever is wrong is a ``PlanFileError`` with the line.
package final class PlanReader {
    /// 200 names of 255 characters, each written with escapes, and some room.
    package static let lineBytesMax = 512 * 1024

    private var rest: [UInt8] = []
    private var lineNumber = 0
    private var digest = SHA256()
    private var header: PlanHeader?
    private var totals = PlanTotals()
    private var footer: (totals: PlanTotals, digest: String, seal: String)?

    package init() {}

    /// Takes in some bytes and gives the lines that they complete.
    package func feed(_ bytes: [UInt8]) throws(PlanFileError) -> [PlanLine] {
        var lines: [PlanLine] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            let line = rest + bytes[start..<end]
            rest = []
            lines.append(try take(line))
            start = end + 1
        }
        rest += bytes[start...]
        guard rest.count <= Self.lineBytesMax else {
            throw PlanFileError(line: lineNumber + 1, reason: "the line is too long")
        }
        return lines
    }

    /// Ends the file.
    ///
    /// - Returns: what the plan says of itself; its digest is that of the bytes read. Whether its
    ///   seal is ours only the state folder that it was made with can say.
    package func finish() throws(PlanFileError) -> (facts: PlanFacts, seal: String) {
        guard rest.isEmpty else {
            throw PlanFileError(
                line: lineNumber + 1, column: String(decoding: rest, as: UTF8.self).count + 1,
                reason: "the line is truncated")
        }
        guard let header else { throw PlanFileError(line: 0, reason: "the file is empty") }
        guard let footer else {
            throw PlanFileError(line: lineNumber, reason: "the file is truncated after this line")
        }
        return (header.facts(footer.totals, digest: footer.digest), footer.seal)
    }

    private func take(_ bytes: [UInt8]) throws(PlanFileError) -> PlanLine {
        lineNumber += 1
        guard bytes.count <= Self.lineBytesMax else {
            throw PlanFileError(line: lineNumber, reason: "the line is too long")
        }
        guard footer == nil else {
            throw PlanFileError(
                line: lineNumber, reason: "the line is after the end of the plan")
        }
        let line = try PlanLine(bytes, line: lineNumber)
        switch line {
        case .header(let found):
            guard header == nil else {
                throw PlanFileError(line: lineNumber, reason: "the line is a second header")
            }
            header = found
            hash(bytes)
        case .item(let item, _):
            guard let header else {
                throw PlanFileError(line: lineNumber, reason: "the line is before the header")
            }
            try check(item, header)
            totals.add(item)
            hash(bytes)
        case .footer(let said, let digestSaid, let seal):
            try finish(said, digestSaid, seal)
        }
        return line
    }

    private func hash(_ bytes: [UInt8]) {
        digest.update(bytes)
        digest.update([0x0A])
    }

    private func check(_ item: PlanItem, _ header: PlanHeader) throws(PlanFileError) {
        let (container, scope) =
            switch item {
            case .step(let step): (step.container, step.scope)
            case .kept(let kept): (kept.container, kept.scope)
            case .unproven(let place): (place.container, place.scope)
            }
        guard header.subjects.contains(where: { $0.container == container }),
            header.scopes.contains(scope)
        else {
            throw PlanFileError(
                line: lineNumber,
                reason: "the line names a container or database that is not in the header")
        }
    }

    private func finish(
        _ said: PlanTotals, _ digestSaid: String, _ seal: String
    ) throws(PlanFileError) {
        guard header != nil else {
            throw PlanFileError(line: lineNumber, reason: "the line is before the header")
        }
        guard said == totals else {
            throw PlanFileError(
                line: lineNumber, reason: "the counts of the line do not match the file")
        }
        var finished = SHA256()
        swap(&finished, &digest)
        guard Hexadecimal.encode(finished.finish()) == digestSaid else {
            throw PlanFileError(
                line: lineNumber, reason: "the digest differs: the plan was changed",
                isTampering: true)
        }
        footer = (said, digestSaid, seal)
    }
}
