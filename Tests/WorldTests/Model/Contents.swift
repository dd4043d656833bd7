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
            let words = line.split(separator: " ")
            func thing(_ kind: Thing.Kind, _ name: String, zone: String) -> Thing {
                Thing(
                    user: user, container: String(place[0]), environment: String(place[1]),
                    scope: String(place[2]), zone: zone, kind: kind, name: name)
            }
            switch words.first {
            case "database":
                place = words[1].split(separator: "/")
                guard place.count == 3 else { throw WorldError("a strange dump: \(line)") }
            case "zone":
                zone = String(words[1])
                things[thing(.zone, "", zone: zone)] = Facts(text: "")
            case "record":
                guard let by = words.firstIndex(of: "by"), words.count > by + 1 else {
                    throw WorldError("a strange dump: \(line)")
                }
                things[thing(.record, String(words[1]), zone: zone)] = Facts(
                    type: String(words[2]), creator: String(words[by + 1]), text: String(line))
            case "subscription":
                let json = try JSONDocument.parse(Array(line.drop { $0 != "{" }.utf8))
                guard let name = json.root["subscriptionID"]?.string else {
                    throw WorldError("a strange dump: \(line)")
                }
                let owner = place[2] == "public" ? words[1] + " " : ""
                things[thing(.subscription, owner + name, zone: "")] = Facts(
                    type: json.root["query"]?["recordType"]?.string, creator: String(words[1]),
                    text: String(line))
            default: throw WorldError("a strange dump: \(line)")
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
