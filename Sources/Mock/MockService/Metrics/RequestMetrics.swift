import MockFaults

/// Counts the requests of a namespace since it began. Nothing sets it back.
package struct RequestMetrics {
    /// Faults that are counted by name; of more all together.
    private static let faultsMax = 1000
    /// The label of what has none of its own.
    static let other = "other"

    /// Which requests are counted together.
    package struct Key: Hashable, Comparable {
        package let operation: String
        /// `OK`; the code of the request; `PARTIAL` where items failed; `CUT` where there was no answer.
        package let result: String

        package static func < (left: Key, right: Key) -> Bool {
            (left.operation, left.result) < (right.operation, right.result)
        }
    }

    /// What is summed up of requests of one operation.
    package struct Sums {
        package var microseconds: Int64 = 0
        package var requestBytes = 0
        package var replyBytes = 0
    }

    package private(set) var counts: [Key: Int] = [:]
    package private(set) var sums: [String: Sums] = [:]
    package private(set) var faults: [String: Int] = [:]

    mutating func note(_ entry: RequestJournal.Entry) {
        let isKnown = FaultOperation.paths.contains(entry.operation)
        let operation = isKnown ? entry.operation : Self.other
        counts[Key(operation: operation, result: entry.result), default: 0] += 1
        sums[operation, default: Sums()].microseconds += max(0, entry.microseconds)
        sums[operation, default: Sums()].requestBytes += entry.requestBytes
        sums[operation, default: Sums()].replyBytes += entry.replyBytes
        for fault in entry.faults {
            let hasRoom = faults[fault] != nil || faults.count < Self.faultsMax
            faults[hasRoom ? fault : Self.other, default: 0] += 1
        }
    }
}

extension RequestJournal.Entry {
    /// The result of the request, in a word.
    fileprivate var result: String {
        if status == 0 { return "CUT" }
        if let failure { return failure.code }
        return codes.isEmpty ? "OK" : "PARTIAL"
    }
}
