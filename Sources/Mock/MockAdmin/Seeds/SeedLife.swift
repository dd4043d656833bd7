import CloudModel
import MockStore

/// What has happened to some records of a zone since they were made.
struct SeedLife {
    /// At regular intervals, a remaining record has a reference to a deleted one.
    private static let orphans = 50

    private(set) var operations: [RecordOperation] = []

    /// - Parameters:
    ///   - records: All of one part of a zone.
    ///   - parent: The type that others have references to, which are deleted last: what refers to them would go
    ///     with them.
    ///   - deleting: How many are deleted.
    init(_ records: [SeedRecord], parent: SeedShape.RecordShape, deleting: Int) {
        let parents = records.filter { $0.recordType == parent.type }
        let children = records.filter { $0.recordType != parent.type }
        let pool = children.isEmpty ? parents : children
        var deleted: [String] = []
        var left: [SeedRecord] = []
        for (place, record) in pool.enumerated() {
            // Evenly over all of them.
            let count = min(deleting, pool.count)
            if place * count / pool.count != (place + 1) * count / pool.count {
                deleted.append(record.recordName)
            } else {
                left.append(record)
            }
        }
        if !children.isEmpty, deleting > children.count {
            deleted += parents.prefix(deleting - children.count).map(\.recordName)
        }
        addOrphans(left, deleted)
        // Feeds then list children before their parents.
        for (place, record) in parents.enumerated()
        where place % 2 == 0 && !deleted.contains(record.recordName) {
            operations.append(Self.change(record, record.fields))
        }
        operations += deleted.map { .forceDelete($0) }
    }

    private mutating func addOrphans(_ records: [SeedRecord], _ deleted: [String]) {
        guard let target = deleted.first else { return }
        for (place, record) in records.enumerated() where place % Self.orphans == 7 {
            let field = record.fields.first { field in
                if case .reference = field.value { true } else { false }
            }
            guard let field else { continue }
            operations.append(
                Self.change(record, [field.key: .reference(Record.Reference(target))]))
        }
    }

    private static func change(
        _ record: SeedRecord, _ fields: [String: FieldValue]
    ) -> RecordOperation {
        RecordOperation(
            .forceUpdate, recordName: record.recordName, recordType: record.recordType,
            fields: fields.mapValues { Field($0) })
    }
}
