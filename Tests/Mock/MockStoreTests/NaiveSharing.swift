/// What two people can see and do in one zone that the first owns, said as plainly as possible: walks
/// instead of tables, and nothing of the store's.
struct NaiveSharing {
    struct Entry: Hashable {
        var parent: String?
        var value: Int64
    }

    struct Shared {
        /// nil: the whole zone.
        var root: String?
        var isAccepted = false
        var isInvited = true
        var mayWrite: Bool
    }

    var records: [String: Entry] = [:]
    var shares: [String: Shared] = [:]

    /// The share whose hierarchy a record is in.
    func share(of name: String) -> String? {
        if let whole = shares.first(where: { $0.value.root == nil }) { return whole.key }
        var (next, seen) = (Optional(name), Set<String>())
        while let here = next, seen.insert(here).inserted, records[here] != nil {
            if let own = shares.first(where: { $0.value.root == here }) { return own.key }
            next = records[here]?.parent
        }
        return nil
    }

    /// What the guest sees.
    var shown: [String: Entry] {
        records.filter { name, _ in share(of: name).map { shares[$0]?.isAccepted == true } ?? false
        }
    }

    var hasAccepted: Bool { shares.values.contains { $0.isAccepted } }

    func children(of name: String) -> [String] {
        records.filter { $0.value.parent == name && $0.key != name }.map(\.key)
    }

    /// Whether a record is above another, through parents.
    func isAbove(_ name: String, _ other: String, upTo top: String? = nil) -> Bool {
        var (next, seen) = (Optional(other), Set<String>())
        while let here = next, seen.insert(here).inserted {
            if here == name { return true }
            if here == top { return false }
            next = records[here]?.parent
        }
        return false
    }

    func isRoot(_ name: String) -> Bool { shares.values.contains { $0.root == name } }

    private func mayWrite(_ name: String) -> Bool {
        share(of: name).map { shares[$0]?.isAccepted == true && shares[$0]?.mayWrite == true }
            ?? false
    }

    // MARK: - What may be done

    /// Whether a record may be saved with a parent.
    func maySave(_ name: String, parent: String?, byGuest: Bool) -> Bool {
        if parent == name { return false }
        if let parent, records[name]?.parent != parent {
            guard byGuest ? shown[parent] != nil : records[parent] != nil else { return false }
        }
        if byGuest {
            if records[name] != nil, !mayWrite(name) { return false }
            if let whole = shares.first(where: { $0.value.root == nil }) {
                guard whole.value.isAccepted, whole.value.mayWrite else { return false }
            } else if isRoot(name) {
                guard parent == records[name]?.parent else { return false }
            } else {
                guard let parent, mayWrite(parent) else { return false }
            }
        }
        // Within one shared hierarchy nothing may hang below itself.
        let isPartial = !shares.isEmpty && !shares.values.contains { $0.root == nil }
        if isPartial, let parent, records[name] != nil, records[name]?.parent != parent,
            !isRoot(name), let home = share(of: name), share(of: parent) == home
        {
            // What a root has for a parent does not count.
            return !isAbove(name, parent, upTo: shares[home]?.root)
        }
        return true
    }

    func mayDelete(_ name: String, byGuest: Bool) -> Bool {
        guard records[name] != nil, children(of: name).isEmpty else { return false }
        return byGuest ? mayWrite(name) && !isRoot(name) : true
    }

    func mayShare(_ root: String?) -> Bool {
        guard let root else { return shares.isEmpty }
        guard records[root] != nil, !shares.values.contains(where: { $0.root == nil }),
            share(of: root) == nil
        else { return false }
        return !shares.values.contains { other in
            other.root.map { self.isAbove(root, $0) && !self.isRootAbove($0, upTo: root) } ?? false
        }
    }

    /// Whether another root stands between one and what is above it.
    private func isRootAbove(_ name: String, upTo top: String) -> Bool {
        var (next, seen) = (records[name]?.parent, Set<String>())
        while let here = next, here != top, seen.insert(here).inserted {
            if isRoot(here) { return true }
            next = records[here]?.parent
        }
        return false
    }

    mutating func delete(_ name: String) {
        records[name] = nil
        shares = shares.filter { $0.value.root != name }
    }
}
