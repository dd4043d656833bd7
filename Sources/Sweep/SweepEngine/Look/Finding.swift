/// What a look says of one place.
///
/// It begins as not looked at; only a place that read everything says otherwise.
struct Finding: Sendable {
    /// Whether everything in the place was read.
    var isComplete = false
    /// What could not be read, cannot be proven, or is left alone on purpose.
    var remarks: [CoverageRow] = []
    /// Record types that the list or the schema names and the service does not know.
    var unknownTypes: [String] = []

    /// Everything was read.
    static let complete = Finding(isComplete: true)

    /// Adds a part of the same place: complete only when both are.
    mutating func add(_ part: Finding) {
        isComplete = isComplete && part.isComplete
        remarks += part.remarks.filter { !remarks.contains($0) }
        unknownTypes += part.unknownTypes
    }

    /// What could not be read.
    var unread: [CoverageRow] { remarks.filter { $0.outcome == .notLookedAt } }
    /// What cannot be proven.
    var unproven: [CoverageRow] { remarks.filter { $0.outcome == .unproven } }
    /// Whether the place was read whole and nothing about it is beyond proof.
    var isProof: Bool { isComplete && unread.isEmpty && unproven.isEmpty && unknownTypes.isEmpty }
}
