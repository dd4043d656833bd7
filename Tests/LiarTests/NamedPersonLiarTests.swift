import Liar
import Testing

/// The public records of a person who is named to an operator with a key: no lie about them ends in exit 0
/// with some left, and nothing else is ever touched.
@Suite(.serialized, .timeLimit(.minutes(Extent.isLong ? 60 : 15)))
struct NamedPersonLiarTests {
    /// All that is asked of a database then.
    private static let operations: Set<Operation> = [
        .queryRecords, .lookUpRecords, .modifyRecords,
    ]

    /// The rows of the table that are about nothing else.
    private static let rows = Table.rows.filter { row in
        guard row.places == Population.Place.all, row.connectionLie == nil, !row.isWide,
            row.twist == nil || row.twist == .otherRefers
        else { return false }
        return row.lies.allSatisfy { lie in
            lie.spot.scope == .public && lie.spot.operation.map(operations.contains) == true
        }
    }

    @Test func `no lie ends in exit 0 with data left, or destroys what must stay`() async throws {
        let honest = [Row.Verb.sweep, .apply, .resume].map { Row($0, []) }
        let rows = honest + Extent.some(Self.rows)
        #expect(rows.count >= (Extent.isSanitized ? 10 : 150))
        for result in try await Trials(rows, isNamed: true).results() {
            for violation in result.violations {
                Issue.record("\(result.row.name): \(violation)")
            }
        }
    }

    @Test func `what others have stays, also what would go along`() async throws {
        let row = Row(.sweep, [], twist: .otherRefers)
        let result = try await Trial(row, isNamed: true).result()
        #expect(result.status != .done && result.verdict.destroyed == [], "\(result.explanation)")
    }
}
