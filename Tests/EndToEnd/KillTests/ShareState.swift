import Basics
import CloudModel

/// What two guests can see of one zone of Ada's, as it follows from what was done.
struct ShareState: Hashable {
    /// What somebody sees, by name: of a record its parent and share, of a share who is on it.
    typealias View = [String: String]

    struct Guest: Hashable {
        var hasAccepted = false
        var writes: Bool
    }

    /// One thing that Ada or a guest does.
    enum Step {
        case share(String, [String: Guest])
        case invite(String, [String: Guest])
        case accept(String, by: String)
        case leave(String, by: String)
        case stop(String)
        case add(String, below: String, by: String)
        case remove(String)
    }

    static let owner = "ada"
    static let guests = ["bob", "cyn"]
    static let roots = ["a", "b"]

    /// Whether the zone is shared as a whole only, rather than what is below its roots.
    let isWhole: Bool
    /// Who is on which share, by its record's name.
    private(set) var shares: [String: [String: Guest]] = [:]
    /// The root that each other record is below.
    private(set) var children: [String: String] = [:]
    private(set) var count = 0

    init(isWhole: Bool) { self.isWhole = isWhole }

    func root(of share: String) -> String? { isWhole ? nil : String(share.dropFirst(2)) }

    // MARK: - What happens

    mutating func apply(_ step: Step) {
        count += 1
        switch step {
        case .share(let name, let people): shares[name] = people
        case .invite(let name, let people):
            let before = shares[name] ?? [:]
            shares[name] = people.reduce(into: [:]) {
                let hasAccepted = before[$1.key]?.hasAccepted ?? false
                $0[$1.key] = Guest(hasAccepted: hasAccepted, writes: $1.value.writes)
            }
        case .accept(let name, let guest): shares[name]?[guest]?.hasAccepted = true
        case .leave(let name, let guest): shares[name]?[guest] = nil
        case .stop(let name): shares[name] = nil
        case .add(let name, let root, _): children[name] = root
        case .remove(let name): children[name] = nil
        }
    }

    /// Something that can be done now.
    func next(_ random: inout SeededGenerator) -> Step {
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        let root = Self.roots[below(2)]
        let share = isWhole ? Share.zoneWideName : "s-" + root
        let guest = Self.guests[below(2)]
        var people: [String: Guest] = [:]
        for name in Self.guests where below(3) > 0 { people[name] = Guest(writes: below(2) == 0) }
        guard let known = shares[share] else { return .share(share, people) }
        switch (below(8), known[guest]) {
        case (0, _): return .stop(share)
        case (1, _): return .invite(share, people)
        case (2...4, let person?) where !person.hasAccepted: return .accept(share, by: guest)
        case (2, let person?) where person.hasAccepted: return .leave(share, by: guest)
        case (3, _): if let child = children.keys.min() { return .remove(child) }
        default: break
        }
        let writes = known[guest].map { $0.hasAccepted && $0.writes } ?? false
        return .add("n\(count)", below: root, by: writes ? guest : Self.owner)
    }

    // MARK: - What is seen

    /// What somebody sees; nil: not even the zone.
    func view(of person: String) -> View? {
        let seen = shares.filter { person == Self.owner || $0.value[person]?.hasAccepted == true }
        guard person == Self.owner || !seen.isEmpty else { return nil }
        let isAll = person == Self.owner || isWhole
        var view: View = [:]
        for (name, people) in seen { view[name] = Self.text(people) }
        for root in Self.roots where isAll || seen["s-" + root] != nil {
            let isShared = !isWhole && shares["s-" + root] != nil
            view[root] = Self.text(parent: nil, share: isShared ? "s-" + root : nil)
            for (child, above) in children where above == root {
                view[child] = Self.text(parent: root, share: nil)
            }
        }
        return view
    }

    static func text(parent: String?, share: String?) -> String {
        "below \(parent ?? "-"), shared by \(share ?? "-")"
    }

    static func text(_ people: [String: Guest]) -> String {
        people.sorted { $0.key < $1.key }.map { "\($0) \($1.hasAccepted) \($1.writes)" }
            .joined(separator: ", ")
    }
}
