/// The five characters by which PostgreSQL says what went wrong.
///
/// - SeeAlso: <https://www.postgresql.org/docs/current/errcodes-appendix.html>
package struct SQLState: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }

    /// The first two characters: the kind of failure.
    package var group: Substring { description.prefix(2) }

    package static let uniqueViolation = SQLState("23505")
    package static let serializationFailure = SQLState("40001")
    package static let deadlockDetected = SQLState("40P01")
    package static let lockNotAvailable = SQLState("55P03")
    package static let undefinedTable = SQLState("42P01")
    package static let tooManyConnections = SQLState("53300")
    package static let diskFull = SQLState("53100")
    package static let queryCancelled = SQLState("57014")

    /// Whether the server does not know itself what became of the transaction.
    var isUnresolved: Bool { description == "08007" || description == "40003" }

    /// Whether the same transaction can succeed when it is sent again.
    package var isTransient: Bool {
        self == .serializationFailure || self == .deadlockDetected || self == .lockNotAvailable
            || self == .tooManyConnections || group == "08"
            || ["57P01", "57P02", "57P03"].contains(description)
    }
}
