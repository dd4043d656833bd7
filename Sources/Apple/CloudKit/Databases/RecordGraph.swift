import CloudModel

/// Which items of one batch have to be carried out before which.
struct RecordGraph {
    /// The items that each item needs, by position.
    private var needs: [[Int]]

    /// Saves: a record comes after its parent and after the records that it is deleted with.
    ///
    /// - Throws: `invalidArguments` where records need each other in a cycle.
    static func order(_ items: [RecordWorkItem]) throws(CKError) -> [Int] {
        guard let order = RecordGraph(items).order else {
            throw CKError(
                .invalidArguments,
                "the batch was not sent: its records form a cycle of parents and owners. "
                    + "Save one of them without its reference first")
        }
        return order
    }

    /// Deletions: a record comes after its children, as the service deletes no parent that has some.
    ///
    /// - Parameters:
    ///   - ids: The records to delete.
    ///   - parents: Their parents, where they have one.
    /// - Returns: Positions in `ids`; nil where records are each other's parents.
    static func order(
        deleting ids: [CKRecord.ID], parents: [CKRecord.ID: CKRecord.ID]
    ) -> [Int]? {
        let places = Dictionary(zip(ids, ids.indices)) { $1 }
        var needs = Array(repeating: [Int](), count: ids.count)
        for (index, id) in ids.enumerated() {
            if let parent = parents[id], let place = places[parent] { needs[place].append(index) }
        }
        return RecordGraph(needs: needs).order
    }

    private init(needs: [[Int]]) { self.needs = needs }

    private init(_ items: [RecordWorkItem]) {
        let saves = items.indices.filter { items[$0].record != nil && items[$0].operation != nil }
        let places = Dictionary(saves.map { (items[$0].recordID, $0) }) { $1 }
        needs = Array(repeating: [], count: items.count)
        for index in saves {
            guard let contents = items[index].sent, let operation = items[index].operation else {
                continue
            }
            var targets = contents.parent.map { [$0.recordID] } ?? []
            for field in operation.fields.values {
                guard let value = field?.value else { continue }
                // In the form of a shared database, whose IDs keep their owner.
                targets += value.owners.map {
                    CKRecord.Reference($0, from: contents.recordID.zoneID, in: .shared).recordID
                }
            }
            needs[index] = targets.compactMap { places[$0] }
        }
    }

    /// The items in an order in which each comes after what it needs, and otherwise as they were; nil
    /// where there is a cycle.
    private var order: [Int]? {
        enum State { case new, open, done }
        var states = Array(repeating: State.new, count: needs.count)
        var order: [Int] = []
        // A chain of records can be as long as the batch: no recursion.
        for start in needs.indices where states[start] == .new {
            var path = [(item: start, next: 0)]
            states[start] = .open
            while let (item, next) = path.last {
                guard next < needs[item].count else {
                    states[item] = .done
                    order.append(item)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let needed = needs[item][next]
                switch states[needed] {
                case .done: continue
                case .new:
                    states[needed] = .open
                    path.append((needed, 0))
                case .open: return nil
                }
            }
        }
        return order
    }
}

extension FieldValue {
    /// The records with which the one that has this value is deleted.
    fileprivate var owners: [Record.Reference] {
        switch self {
        case .reference(let target): target.action == .deleteSelf ? [target] : []
        case .list(_, let elements): elements.flatMap(\.owners)
        case .string, .int64, .double, .bytes, .timestamp, .location, .asset: []
        }
    }
}
