/// Why PostgreSQL did not do something, or may not have.
///
/// Never holds a value that was sent.
package struct PostgreSQLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// The settings name a server that we do not talk to like that.
        case invalidSettings
        /// Refused, unreachable, not trusted, or the password is wrong.
        case couldNotConnect
        /// The connection ended before the answer did.
        case connectionLost
        case timedOut
        case cancelled
        /// The server says no; ``PostgreSQLError/state`` says why.
        case refused
        /// The answer is none that the statement can have.
        case unexpectedResult
        /// More statements, rows or bytes than the limits let through.
        case tooLarge
        /// Too many callers wait for this connection already.
        case busy
        /// The connection was closed, by us.
        case closed
    }

    package let code: Code
    /// PostgreSQL's own code; nil where the server did not answer.
    package let state: SQLState?
    /// Words for people.
    package let message: String
    /// The constraint that refused a row.
    package let constraint: String?
    /// Whether the transaction may have been committed all the same.
    ///
    /// False is a promise: nothing of it is in the database.
    package let mayHaveBeenCommitted: Bool

    package init(
        _ code: Code, _ message: String, state: SQLState? = nil, constraint: String? = nil,
        mayHaveBeenCommitted: Bool
    ) {
        self.code = code
        self.state = state
        self.message = message
        self.constraint = constraint
        self.mayHaveBeenCommitted = mayHaveBeenCommitted
    }

    /// Whether the same can succeed later, over this connection or a new one.
    package var isTransient: Bool {
        switch code {
        case .couldNotConnect, .connectionLost, .timedOut, .busy: true
        case .refused: state?.isTransient ?? false
        case .invalidSettings, .cancelled, .unexpectedResult, .tooLarge, .closed: false
        }
    }

    package var description: String {
        let place = state.map { " (SQLSTATE \($0))" } ?? ""
        let doubt = mayHaveBeenCommitted ? "; it may have been committed" : ""
        return "PostgreSQL: \(message)\(place)\(doubt)"
    }
}
