/// A file beside a record.
struct File: Sendable {
    var owner: String
    var scope: Scope
    /// nil: the default zone.
    var zone: String?
    var record: String
    /// Whether the sweep is to delete its record.
    var isToGo: Bool

    /// What is there with ``Population/Twist/files``.
    static let all = [
        File(owner: person, scope: .private, zone: "Album", record: "photo", isToGo: true),
        File(owner: person, scope: .private, record: "portrait", isToGo: true),
        File(owner: person, scope: .public, record: "\(person)-poster", isToGo: true),
        File(
            owner: person, scope: .private, zone: Population.protectedZone, record: "keepsake",
            isToGo: false),
        File(owner: other, scope: .private, record: "portrait", isToGo: false),
        File(owner: other, scope: .public, record: "\(other)-poster", isToGo: false),
    ]
    private static let (person, other) = (Population.person, Population.other)

    var description: String { "file \(owner) \(scope.rawValue) \(record)" }

    private var zoneID: Value { ["zoneName": .string(zone ?? "_defaultZone")] }

    /// Puts record and file there, as an app does.
    func add(to population: Population) throws(LiarError) {
        let wanted: Value = [
            "zoneID": zoneID,
            "tokens": [
                ["recordType": "Note", "fieldName": "photo", "recordName": .string(record)]
            ],
        ]
        let (upstream, container) = (population.upstream, Population.first)
        let asked = try upstream.ask(.uploadFiles, scope, of: container, by: owner, wanted)
        guard let address = asked["tokens"]?.elements.first?["url"]?.text,
            let kept = upstream.answer(
                Request(
                    method: "POST", target: Self.target(address),
                    body: Array("the file of \(record)".utf8)))?.json?["singleFile"]
        else { throw LiarError("the file of \(record) is not taken") }
        var wish = Wish.record(record, "Note", in: zone)
        wish["record"]?["fields"] = ["photo": ["value": kept]]
        try population.put([wish], scope, of: container, by: owner)
    }

    /// Where its owner is told that it can be had.
    func address(in population: Population) throws(LiarError) -> String {
        let answer = try population.upstream.ask(
            .lookUpRecords, scope, of: Population.first, by: owner,
            ["zoneID": zoneID, "records": [["recordName": .string(record)]]])
        let value = answer["records"]?.elements.first?["fields"]?["photo"]?["value"]
        guard let address = value?["downloadURL"]?.text else {
            throw LiarError("\(record) has no address")
        }
        return address
    }

    /// Path and query of an address.
    static func target(_ address: String) -> String {
        let rest = address.dropFirst("https://".count)
        return String(rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...])
    }
}
