import JSON

/// All that a world's store holds, read from its own dump.
struct Contents: Sendable {
    private(set) var things: [Thing: Facts] = [:]

    subscript(thing: Thing) -> Facts? { things[thing] }

    /// Adds a dump, of one user or with "" of the public databases.
    mutating func add(dump: String, of user: String) throws {
        var place: [Substring] = []
        var zone = ""
        for line in dump.split(separator: "\n") {
            let root = try JSONDocument.parse(Array(line.utf8)).root
            func thing(_ kind: Thing.Kind, _ name: String, zone: String) -> Thing {
                Thing(
                    user: user, container: String(place[0]), environment: String(place[1]),
                    scope: String(place[2]), zone: zone, kind: kind, name: name)
            }
            if let database = root["database"]?.string {
                place = database.split(separator: "/")
                guard place.count == 3 else { throw WorldError("a strange dump: \(line)") }
            } else if let name = root["zone"]?.string {
                zone = name
                things[thing(.zone, "", zone: zone)] = Facts(text: "")
            } else if let record = root["record"], let name = record["recordName"]?.string,
                let type = record["recordType"]?.string,
                let creator = record["created"]?["userRecordName"]?.string
            {
                things[thing(.record, name, zone: zone)] = Facts(
                    type: type, creator: creator, text: String(line))
            } else if let subscription = root["subscription"], let owner = root["user"]?.string,
                let name = subscription["subscriptionID"]?.string
            {
                let prefix = place[2] == "public" ? owner + " " : ""
                things[thing(.subscription, prefix + name, zone: "")] = Facts(
                    type: subscription["query"]?["recordType"]?.string, creator: owner,
                    text: String(line))
            } else {
                throw WorldError("a strange dump: \(line)")
            }
        }
    }

    /// What is there and was not, or is another now.
    func news(since old: Contents) -> Set<Thing> {
        Set(things.filter { old.things[$0.key] != $0.value }.keys)
    }

    /// What was there and is not.
    func losses(since old: Contents) -> Set<Thing> {
        Set(old.things.keys.filter { things[$0] == nil })
    }
}
