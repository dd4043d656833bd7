import CloudModel

/// The records of one request that refer to each other in a ring, by their parents or DELETE_SELF.
///
/// Only what the request says counts: a ring that several requests close is not one of these.
struct RecordRing {
    /// The names of the records in a ring, or between two.
    let names: Set<String>

    init(_ operations: [RecordOperation]) {
        let saves = operations.filter { !$0.kind.isDelete }
        let saved = Set(saves.compactMap(\.recordName))
        var targets: [String: Set<String>] = [:]
        for save in saves {
            guard let name = save.recordName else { continue }
            // A record that refers to itself alone can be deleted like any other.
            let needed = save.needed.intersection(saved).subtracting([name])
            if !needed.isEmpty { targets[name] = needed }
        }
        // A record without targets, and then one without sources, is in no ring.
        Self.prune(&targets)
        var sources: [String: Set<String>] = [:]
        for (name, needed) in targets {
            for target in needed { sources[target, default: []].insert(name) }
        }
        Self.prune(&sources)
        names = Set(sources.keys)
    }

    /// Takes away, again and again, what leads to nothing that is left.
    private static func prune(_ targets: inout [String: Set<String>]) {
        while true {
            let left = targets.mapValues { $0.filter { targets[$0] != nil } }
                .filter { !$0.value.isEmpty }
            guard left.count < targets.count else { return }
            targets = left
        }
    }
}

extension RecordOperation {
    /// The names of the records that the saved one needs: its parent, and those it is deleted with.
    fileprivate var needed: Set<String> {
        var names = Set(parent.map { [$0.recordName] } ?? [])
        for case .some(let field) in fields.values {
            switch field.value {
            case .reference(let target) where target.action == .deleteSelf:
                names.insert(target.recordName)
            case .list(.reference, let elements):
                for case .reference(let target) in elements where target.action == .deleteSelf {
                    names.insert(target.recordName)
                }
            default: break
            }
        }
        return names
    }
}
