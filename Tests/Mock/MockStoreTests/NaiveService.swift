import CloudModel

/// What the service must do, in dictionaries: no tokens, no storage, no references.
struct NaiveService {
    struct Entry: Equatable {
        var tag: String
        var fields: [String: FieldValue]
    }
    enum Expectation: Equatable {
        case written
        case deleted
        case failure(CloudError.Code)
    }

    var zones: [String: [String: Entry]] = [:]

    mutating func modify(_ operations: [RecordZone.Operation]) -> [Expectation] {
        operations.map { operation in
            let name = operation.id.zoneName
            switch operation {
            case .create:
                zones[name] = zones[name] ?? [:]
                return .written
            case .delete:
                return zones.removeValue(forKey: name) == nil ? .failure(.zoneNotFound) : .deleted
            }
        }
    }

    /// Applies a batch; tags are filled in from the answer afterwards.
    mutating func modify(
        _ operations: [RecordOperation], zone: String, atomic: Bool
    ) -> [Expectation] {
        guard var records = zones[zone] else {
            return operations.map { _ in .failure(.zoneNotFound) }
        }
        let outcomes = operations.map { Self.apply($0, &records) }
        let failed = outcomes.contains { if case .failure = $0 { true } else { false } }
        if atomic, failed {
            return outcomes.map { if case .failure = $0 { $0 } else { .failure(.atomicError) } }
        }
        zones[zone] = records
        return outcomes
    }

    private static func apply(
        _ operation: RecordOperation, _ records: inout [String: Entry]
    ) -> Expectation {
        let name = operation.recordName ?? ""
        let old = records[name]
        if operation.kind == .create, old != nil { return .failure(.conflict) }
        if operation.kind.comparesTag {
            guard let tag = operation.recordChangeTag, !tag.isEmpty else {
                return .failure(.badRequest)
            }
            guard let old else { return .failure(.notFound) }
            guard old.tag == tag else { return .failure(.conflict) }
        }
        if operation.kind.isDelete {
            records[name] = nil
            return .deleted
        }
        let keeps = operation.kind == .update || operation.kind == .forceUpdate
        var entry = Entry(tag: "", fields: keeps ? old?.fields ?? [:] : [:])
        for (key, field) in operation.fields { entry.fields[key] = field?.value }
        records[name] = entry
        return .written
    }

    mutating func learnTags(_ items: [Record.Item], zone: String) {
        for record in items.compactMap(\.record) {
            zones[zone]?[record.id.recordName]?.tag = record.recordChangeTag
        }
    }
}

/// A client that follows one zone's feed with nothing but tokens.
struct Follower {
    var token: ChangeToken?
    var records: [String: NaiveService.Entry] = [:]
    /// Names seen in a scan under way; what is not among them at its end is gone.
    var scanned: Set<String>? = []

    mutating func forget() { self = Follower() }

    mutating func take(_ page: ZoneChangesPage) {
        for item in page.records {
            switch item {
            case .record(let record):
                let name = record.id.recordName
                records[name] = NaiveService.Entry(
                    tag: record.recordChangeTag, fields: record.fields.mapValues(\.value))
                scanned?.insert(name)
            case .deleted(let name, _):
                records[name] = nil
                scanned?.remove(name)
            case .failure: break
            }
        }
        token = page.token
        if !page.moreComing, let seen = scanned {
            records = records.filter { seen.contains($0.key) }
            scanned = nil
        }
    }
}
