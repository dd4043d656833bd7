import Basics
package import JSON
package import MockService
import MockStore

extension SimulatedEvent {
    /// Reads `{"event": "purge", "user": "ada", …}`.
    package init(_ body: JSONValue) throws(MockError) {
        let text = try body.requiredText("event")
        guard let kind = Kind(rawValue: text) else {
            if let advice = Self.replacements[text] {
                throw MockError("there is no event \"\(text)\"; \(advice)")
            }
            let near = NearestName.closest(to: text, among: Kind.allCases.map(\.rawValue)) ?? ""
            throw MockError("unknown event \"\(text)\"; did you mean \"\(near)\"?")
        }
        self.init(kind)
        user = try body.text("user")
        other = try body.text("with")
        device = try body.text("device")
        container = try body.container()
        environment = try body.choice("environment")
        database = try body.choice("database")
        if database == .public { throw MockError("database must be private or shared") }
        zone = try body.text("zone")
        count = try body.number("count", in: 1...Self.countMax)
        switch kind {
        case .grantRole, .takeRole: name = try body.text("name")
        default: name = try body.name("name", of: "snapshot")
        }
        if let problem { throw MockError(problem) }
    }

    /// The same as it is sent.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("event", kind.rawValue)
        let texts: [(Parameter, String?)] = [
            (.user, user), (.with, other), (.device, device), (.container, container?.rawValue),
            (.environment, environment?.rawValue), (.database, database?.rawValue),
            (.zone, zone), (.name, name),
        ]
        for case (let parameter, let text?) in texts { writer.member(parameter.rawValue, text) }
        writer.member("count", count)
        writer.endObject()
        return writer.bytes
    }
}
