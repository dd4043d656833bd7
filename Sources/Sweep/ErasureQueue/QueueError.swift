package import PostgreSQL

/// Why the queue did not do something.
package struct QueueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// Another worker holds the request, or nobody does: stop, and write nothing about it.
        case fenced
        /// This worker was declared dead: stop everything, and begin again under a new identity.
        case declaredDead
        /// The database was made for another version of this program.
        case wrongVersion
        /// There is no request with that number.
        case noSuchRequest
        /// The request is not in a state in which that can be done.
        case wrongState
        /// What stands in the database cannot be opened with this key, or was changed.
        case unreadable
        /// The order, a note or evidence is larger than the queue takes.
        case tooLarge
        /// PostgreSQL did not do it; ``QueueError/cause`` says why.
        case database
    }

    package let code: Code
    package let message: String
    /// Why PostgreSQL failed.
    package let cause: PostgreSQLError?
    /// The request whose order could not be read; nil for all else.
    package let request: Int64?

    init(
        _ code: Code, _ message: String, cause: PostgreSQLError? = nil, request: Int64? = nil
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.request = request
    }

    /// What an error of PostgreSQL's means here.
    init(_ error: PostgreSQLError) {
        switch error.state {
        case QueueSchema.fenced: self.init(.fenced, "the lease is another's", cause: error)
        case QueueSchema.declaredDead:
            self.init(.declaredDead, "this worker was declared dead", cause: error)
        case QueueSchema.wrongVersion:
            self.init(.wrongVersion, "the queue has another version", cause: error)
        case SQLState.undefinedTable, SQLState("42883"):
            self.init(.wrongVersion, "the database holds no queue yet", cause: error)
        default: self.init(.database, error.description, cause: error)
        }
    }

    package var description: String { message }
}
