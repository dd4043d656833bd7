/// Why evidence is refused: one code for each way in which it can be wrong, and words for people.
///
/// No text of the evidence is in the words unless it was checked to be a plain name of ours.
package struct EvidenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. Rules R1 to R12 are those of the module's article.
    package enum Code: String, Sendable, CaseIterable {
        // MARK: Bytes
        /// A file is larger than evidence can be.
        case tooLarge
        /// Not the JSON that evidence is written in, or not in its one canonical form.
        case malformed
        /// Not an envelope of DSSE.
        case notAnEnvelope
        /// Base64 with anything in it that does not belong there.
        case base64
        /// A field is missing, is of another type, or is one that nobody knows.
        case fields

        // MARK: Signatures
        case unsigned
        case tooManySignatures
        /// No key that the caller named has signed these bytes.
        case signature
        /// Fewer different keys have signed than are asked for.
        case threshold
        /// The key was given up before the statement was signed, or was not in use yet.
        case keyNotValid
        case payloadType
        case statementType
        case predicateType

        // MARK: What the statement says
        /// R1: what was found is not the sum of what became of it.
        case rowSum
        /// R2: what was planned is not what became of the plan.
        case plannedSum
        /// R3: the totals are not the sums of the rows.
        case totals
        /// R4: the events tell of other deletions than the rows.
        case eventCounts
        /// R5: a step has no outcome, or an outcome no step.
        case steps
        /// R6: too few clean passes in a row.
        case passes
        /// R7: passes overlap, follow too soon, or begin before the last deletion.
        case passTimes
        /// R8: a pass asked nothing, or the last one does not agree with the rows.
        case passRequests
        /// R9: a row of the coverage map is missing or is there twice.
        case coverage
        /// R10: a complete statement over something that is not.
        case notComplete
        /// R11: times are in no possible order.
        case times
        /// A time stamp is missing, is over other bytes, or is by nobody who is trusted.
        case timeStamp
        /// R12: the events are not those that the statement is about.
        case events
        /// A rehearsal, or another service than Apple's, said to be the real thing.
        case rehearsal
        /// The statement is about something else than the caller asks for.
        case otherThanExpected

        /// An addendum is about another statement, is not in its place, or contradicts itself.
        case addendum

        // MARK: The ledger
        /// An entry is not in the ledger at the place that is said.
        case inclusion
        /// The ledger shows fewer entries than before, or others.
        case ledger
        case checkpoint
        /// A file cannot be read.
        case unreadable
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
