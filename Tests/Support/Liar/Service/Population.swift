package import Basics
import MockStore
package import OpenSSL

/// Two people with data in three containers, one or two of which are swept.
package struct Population: Sendable {
    /// The one that is lied about.
    package static let first = "iCloud.com.example.one"
    static let second = "iCloud.com.example.two"
    package static let outside = "iCloud.com.example.outside"
    package static let person = "ada"
    package static let other = "ben"
    package static let now = Timestamp(milliseconds: 1_800_000_000_000)
    /// What the container list says.
    package static let recordTypes = ["Note", "Tag", "Receipt"]
    package static let namedZones = ["Named", "Nowhere"]
    package static let protectedZone = "Keep"
    package static let protectedType = "Receipt"
    /// A type that only a subscription tells of.
    static let watchedType = "Draft"
    /// What the other person shares with this one.
    static let lentZone = "Lent"

    /// The containers that are swept.
    package let swept: [String]
    /// Whether rules keep something of what the person has; only where he has everything.
    package let isProtected: Bool
    /// Whether there are files beside records.
    let hasFiles: Bool
    /// What an operator sweeps the person's public records with; nil: the person signs in.
    package let key: (id: String, key: P256.PrivateKey)?
    package let upstream: Upstream
    /// Each person's own name in each container, for what claims to be theirs.
    package let names: [String: [String: String]]

    /// - Parameters:
    ///   - places: What the person has; the other has everything.
    ///   - twist: What is there besides.
    ///   - isWide: Whether a second container is swept.
    ///   - isNamed: Whether an operator's key sweeps.
    package init(
        _ places: Set<Place> = Place.all, _ twist: Twist? = nil, isWide: Bool = false,
        isNamed: Bool = false
    ) throws {
        isProtected = places == Place.all
        hasFiles = twist == .files
        swept = isWide ? [Self.first, Self.second] : [Self.first]
        var options = MockOptions()
        options.recordsPageMax = 3
        options.zoneListPageMax = 2
        options.zoneChangesPageMax = 2
        upstream = try Upstream(
            users: [Self.person, Self.other], options: options, now: Self.now)
        key = isNamed ? try upstream.admitKey() : nil
        var names: [String: [String: String]] = [:]
        for container in swept + [Self.outside] {
            for user in [Self.person, Self.other] {
                let answer = try upstream.ask(.caller, .private, of: container, by: user)
                names[user, default: [:]][container] = answer["userRecordName"]?.text
            }
        }
        self.names = names
        for container in swept {
            let isFirst = container == Self.first
            try fill(
                container, Self.person, places,
                zoneSizes: isFirst ? Self.manyZones : Self.fewZones, records: isFirst ? 5 : 1)
            // Types are known to a container once somebody has used them.
            try fill(container, Self.other, Place.all, zoneSizes: Self.fewZones, records: 2)
            if places.contains(.sharedZones) { try lend(container) }
        }
        try fill(Self.outside, Self.person, Place.all, zoneSizes: ["Album": 1], records: 1)
        try twist?.add(to: self)
        if isNamed { try upstream.grantWriting(of: Self.recordTypes, in: Self.first) }
    }

    private static let manyZones = ["Album": 2, "Journal": 4, "Keep": 1, "Named": 1, "Photos": 1]
    private static let fewZones = ["Album": 1, "Journal": 1, "Keep": 1]

    /// - Parameters:
    ///   - zoneSizes: Records in each zone.
    ///   - records: How many of the commonest type outside zones; there are some of the others.
    private func fill(
        _ container: String, _ user: String, _ places: Set<Place>, zoneSizes: [String: Int],
        records: Int
    ) throws {
        var wishes: [Value] = []
        if places.contains(.zones) {
            let zones = zoneSizes.keys.sorted()
            try upstream.ask(
                .modifyZones, .private, of: container, by: user,
                ["operations": .array(zones.map { Wish.zone($0, "create") })])
            for (zone, size) in zoneSizes {
                wishes += (0..<size).map {
                    Wish.record("\(zone)-\($0)", $0 == 3 ? "Tag" : "Note", in: zone)
                }
            }
            // A zone that holds something protected cannot go as a whole.
            if zoneSizes["Journal"] != nil {
                wishes.append(Wish.record("receipt", Self.protectedType, in: "Journal"))
            }
        }
        if places.contains(.defaultZone) {
            wishes += Self.loose(records, prefix: "")
            if places.contains(.subscriptions) {
                wishes.append(Wish.record("draft", Self.watchedType))
            }
        }
        if !wishes.isEmpty { try put(wishes, .private, of: container, by: user) }
        if places.contains(.publicRecords) {
            try put(
                Self.loose(records, prefix: "\(user)-"), .public, of: container, by: user)
        }
        if places.contains(.subscriptions) { try subscribe(container, user) }
    }

    /// Records outside zones.
    ///
    /// - Parameter prefix: The names in a public database are everybody's.
    private static func loose(_ count: Int, prefix: String) -> [Value] {
        (0..<count).map { Wish.record("\(prefix)note-\($0)", "Note") } + [
            Wish.record("\(prefix)tag", "Tag", referringTo: "\(prefix)note-0"),
            Wish.record("\(prefix)receipt", protectedType),
        ]
    }

    /// The other person shares a zone, where the person writes too.
    private func lend(_ container: String) throws(LiarError) {
        try upstream.ask(
            .modifyZones, .private, of: container, by: Self.other,
            ["operations": [Wish.zone(Self.lentZone, "create")]])
        let share: Value = [
            "operationType": "create",
            "record": [
                "recordName": "cloudkit.zoneshare", "recordType": "cloudkit.share",
                "publicPermission": "READ_WRITE", "zoneID": ["zoneName": .string(Self.lentZone)],
            ],
        ]
        try put(
            [Wish.record("host", "Note", in: Self.lentZone), share], .private, of: container,
            by: Self.other)
        try lendAgain(container)
        let owner = names[Self.other]?[container] ?? ""
        try put(
            ["guest-1", "guest-2"].map { name in
                var wish = Wish.record(name, "Note", in: Self.lentZone)
                var record = wish["record"] ?? [:]
                record["zoneID"] = [
                    "zoneName": .string(Self.lentZone), "ownerRecordName": .string(owner),
                ]
                wish["record"] = record
                return wish
            }, .shared, of: container, by: Self.person)
    }

    /// The person accepts the share of the other's zone, once more where it was left.
    func lendAgain(_ container: String) throws(LiarError) {
        try upstream.event([
            "event": "share", "user": .string(Self.other), "with": .string(Self.person),
            "container": .string(container), "zone": .string(Self.lentZone),
        ])
    }

    func put(
        _ wishes: [Value], _ scope: Scope, of container: String, by user: String
    ) throws(LiarError) {
        try upstream.ask(
            .modifyRecords, scope, of: container, by: user,
            ["atomic": false, "operations": .array(wishes)])
    }

    private func subscribe(_ container: String, _ user: String) throws(LiarError) {
        for (scope, types) in [
            (Scope.private, ["Note", Self.watchedType, "Tag"]), (.public, ["Note", "Tag"]),
        ] {
            let wishes = types.map { Wish.subscription("\(user)-\(scope.rawValue)-\($0)", to: $0) }
            try upstream.ask(
                .modifySubscriptions, scope, of: container, by: user,
                ["operations": .array(wishes)])
        }
    }
}
