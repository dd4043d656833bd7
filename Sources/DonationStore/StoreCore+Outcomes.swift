import CloudModel
import Donations
import SQLite

extension StoreCore {
    /// How many outcomes are kept.
    private static let outcomesMax: Int64 = 1000

    /// Writes an outcome into the log.
    ///
    /// - Returns: Its number.
    func log(
        _ call: String, kind: DonationKind? = nil, type: String? = nil,
        outcome: DonationOutcome? = nil, removed: Int = 0, unmatched: Int = 0,
        error: DonationError.Code? = nil
    ) throws(DonationError) -> UInt64 {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "INSERT INTO outcomes(at, call, kind, type, outcome, removed, unmatched, error)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            statement.bind(1, now.milliseconds)
            statement.bind(2, call)
            statement.bind(3, kind?.rawValue)
            statement.bind(4, type)
            statement.bind(5, outcome?.rawValue)
            statement.bind(6, removed)
            statement.bind(7, unmatched)
            statement.bind(8, error?.rawValue)
            try statement.run()
            let sequence = connection.lastInsertRowID
            try connection.run(
                "DELETE FROM outcomes WHERE sequence <= ?",
                .integer(sequence - Self.outcomesMax))
            return UInt64(sequence)
        }
    }

    /// The newest outcomes, newest first.
    func outcomes(limit: Int) throws(DonationError) -> [LoggedOutcome] {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT sequence, at, call, kind, type, outcome, removed, unmatched, error"
                    + " FROM outcomes ORDER BY sequence DESC LIMIT ?")
            defer { statement.reset() }
            statement.bind(1, limit)
            var all: [LoggedOutcome] = []
            while try statement.step() {
                all.append(
                    LoggedOutcome(
                        sequence: UInt64(statement.int64(at: 0)),
                        at: Timestamp(milliseconds: statement.int64(at: 1)).date,
                        call: statement.text(at: 2),
                        kind: DonationKind(rawValue: statement.text(at: 3)),
                        type: statement.optionalText(at: 4),
                        outcome: DonationOutcome(rawValue: statement.text(at: 5)),
                        removed: statement.int(at: 6), unmatched: statement.int(at: 7),
                        error: statement.optionalText(at: 8)))
            }
            return all
        }
    }
}
