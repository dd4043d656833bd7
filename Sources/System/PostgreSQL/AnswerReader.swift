private import CPostgreSQL

/// Collects the rows of one transaction, within limits, and its first failure.
struct AnswerReader {
    private let limits: ConnectionLimits
    /// The rows of each statement.
    private(set) var answers: [[Row]] = []
    private(set) var failure: PostgreSQLError?
    private var rows: [Row] = []
    private var rowCount = 0
    private var byteCount = 0

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// The next rows belong to another statement.
    mutating func endStatement() {
        answers.append(rows)
        rows = []
    }

    /// Takes the rows of a result.
    ///
    /// - Throws: Where they are too many or none that can be read: the connection is of no use then.
    mutating func take(_ result: OpaquePointer) throws(PostgreSQLError) {
        let (rows, columns) = unsafe (PQntuples(result), PQnfields(result))
        for row in 0..<rows {
            rowCount += 1
            var values: [Value] = []
            for column in 0..<columns {
                values.append(try unsafe value(result, row, column))
            }
            guard rowCount <= limits.rows, byteCount <= limits.bytesReceived else {
                throw PostgreSQLError(
                    .tooLarge, "the response is too large", mayHaveBeenCommitted: true)
            }
            self.rows.append(Row(values))
        }
    }

    private mutating func value(
        _ result: OpaquePointer, _ row: Int32, _ column: Int32
    ) throws(PostgreSQLError) -> Value {
        guard unsafe PQgetisnull(result, row, column) == 0 else { return .null }
        let count = Int(unsafe PQgetlength(result, row, column))
        byteCount += count
        let start = unsafe UnsafeRawPointer(PQgetvalue(result, row, column))
        let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        let type = unsafe PQftype(result, column)
        guard let value = Value(decoding: bytes, type: type) else {
            throw PostgreSQLError(
                .unexpectedResult, "type \(type) is not supported", mayHaveBeenCommitted: true)
        }
        return value
    }

    /// Notes why the server refused; only the first reason counts.
    mutating func fail(_ result: OpaquePointer) {
        guard failure == nil else { return }
        let state = unsafe Self.text(cksweep_pq_state(result)).map(SQLState.init)
        let severity = unsafe Self.text(cksweep_pq_severity(result))
        // Bad values stand in the text of such errors.
        let words =
            state?.group == "22"
            ? "a value was refused"
            : unsafe Self.text(cksweep_pq_message(result)) ?? "the connection has ended"
        // A session that the server ends may have committed before: its end is told in place of that.
        let isCertain = severity == "ERROR" && state?.isUnresolved == false
        failure = PostgreSQLError(
            state == nil ? .connectionLost : .refused, words, state: state,
            constraint: unsafe Self.text(cksweep_pq_constraint(result)),
            mayHaveBeenCommitted: !isCertain)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }
}
