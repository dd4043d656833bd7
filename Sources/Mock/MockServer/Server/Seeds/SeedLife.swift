import CloudModel

/// What has happened to some records of a zone since they were made.
struct SeedLife {
    /// Every so many of those that are left have a reference to one that is gone.
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
        var gone: [String] = []
        var left: [SeedRecord] = []
        for (place, record) in pool.enumerated() {
            // Evenly over all of them.
            let count = min(deleting, pool.count)
            if place * count / pool.count != (place + 1) * count / pool.count {
                gone.append(record.recordName)
            } else {
                left.append(record)
            }
        }
        if !children.isEmpty, deleting > children.count {
            gone += parents.prefix(deleting - children.count).map(\.recordName)
        }
        addOrphans(left, gone)
        // Feeds tell of children before their parents then.
        for (place, record) in parents.enumerated()
        where place % 2 == 0 && !gone.contains(record.recordName) {
            operations.append(Self.change(record, record.fields))
        }
        operations += gone.map { .forceDelete($0) }
    }

    private mutating func addOrphans(_ records: [SeedRecord], _ gone: [String]) {
        guard let target = gone.first else { return }
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
