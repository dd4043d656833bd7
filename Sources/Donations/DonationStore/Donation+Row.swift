import Basics
import Donations
import SQLite

/// A donation as a row of its kind's table: the columns of ``StoreSchema/columns``, in that order.
extension Donation {
    /// Sets the parameters from `start` on.
    func bind(to statement: Statement, from start: Int) {
        var index = start
        func add(_ text: String?) {
            statement.bind(index, text)
            index += 1
        }
        func add(_ number: Int64?) {
            statement.bind(index, number)
            index += 1
        }
        for text in [
            identifier, group, persistentIdentifier, savedKey, relatedIdentifier, domain,
            indexName, type,
        ] { add(text) }
        add(isFromSiri ? 1 : 0)
        add(Int64(eligibility.rawValue))
        add(isExotic ? 1 : 0)
        for time in [begin, end, donatedAt, expiration] { add(time?.milliseconds) }
        add(entityType)
        add(entityIdentifier)
        add(nestedActivity == nil ? 0 : 1)
        add(nestedActivity?.persistentIdentifier)
        statement.bind(index, predictionKey)
        index += 1
        for text in [
            actionID, link?.container, link?.scope, link?.zone, link?.zoneOwner, link?.record,
            title, displayName, keywords.isEmpty ? nil : keywords.joined(separator: "\n"),
            description,
        ] { add(text) }
        statement.bind(index, body)
        index += 1
        add(min(max(numbers["rankingHint"] ?? 0, 0), 100))
    }

    /// Whether one of its names has letters that another spelling can stand for.
    private var isExotic: Bool {
        [identifier, group, persistentIdentifier, relatedIdentifier, domain].contains { name in
            name.map { !$0.utf8.allSatisfy { $0 < 0x80 } } ?? false
        }
    }

    /// The row that a statement stands on; `id` is its first column, then follow the others.
    init(_ kind: DonationKind, at statement: Statement) {
        func text(_ column: Int) -> String? { statement.optionalText(at: column) }
        func time(_ column: Int) -> Timestamp {
            Timestamp(milliseconds: statement.int64(at: column))
        }
        self.init(kind, identifier: statement.text(at: 1), type: "", at: time(12))
        row = statement.int64(at: 0)
        group = text(2)
        persistentIdentifier = text(3)
        savedKey = text(4)
        relatedIdentifier = text(5)
        domain = text(6)
        indexName = text(7)
        type = statement.text(at: 8)
        isFromSiri = statement.bool(at: 9)
        eligibility = Eligibility(rawValue: statement.int(at: 10))
        end = time(13)
        donatedAt = time(14)
        expiration = statement.optionalInt64(at: 15).map { Timestamp(milliseconds: $0) }
        entityType = text(16)
        entityIdentifier = text(17)
        predictionKey = statement.optionalBytes(at: 20)
        actionID = text(21)
        link = text(22).map { container in
            ContentLink(
                container: container, scope: text(23), zone: text(24), zoneOwner: text(25),
                record: text(26))
        }
        title = text(27)
        displayName = text(28)
        description = text(30)
        setBody(statement.bytes(at: 31))
    }
}
