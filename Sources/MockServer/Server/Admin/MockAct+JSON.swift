import CloudModel
package import JSON

extension MockAct {
    /// Pages that can be asked to come twice.
    package static let countMax = 10_000

    /// Reads `{"act": "purge", "user": "ada", …}`.
    package init(_ body: JSONValue) throws(AdminError) {
        try body.allow(["act"] + Parameter.allCases.map(\.rawValue))
        let text = try body.requiredText("act")
        guard let kind = Kind(rawValue: text) else {
            let near = NearestName.closest(to: text, among: Kind.allCases.map(\.rawValue)) ?? ""
            throw AdminError("unknown act \"\(text)\"; did you mean \"\(near)\"?")
        }
        self.init(kind)
        user = try body.text("user")
        other = try body.text("with")
        device = try body.text("device")
        container = try MockApplication.container(body)
        environment = try MockApplication.environment(body)
        if let text = try body.text("database") {
            guard let scope = Database.Scope(rawValue: text), scope != .public else {
                throw AdminError("database must be private or shared")
            }
            database = scope
        }
        zone = try body.text("zone")
        count = try body.number("count", in: 1...Int64(Self.countMax))
        name = try body.text("name")
        if let name, !MockUser.isValid(name: name) {
            throw AdminError("a snapshot's name has 1 to 64 letters, digits or any of . - _ @")
        }
        if let problem { throw AdminError(problem) }
    }

    /// The same as it is sent.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("act", kind.rawValue)
        let texts: [(Parameter, String?)] = [
            (.user, user), (.with, other), (.device, device), (.container, container?.rawValue),
            (.environment, environment?.rawValue), (.database, database?.rawValue),
            (.zone, zone), (.name, name),
        ]
        for case (let parameter, let text?) in texts { writer.member(parameter.rawValue, text) }
        if let count { writer.member("count", count) }
        writer.endObject()
        return writer.bytes
    }
}

extension MockApplication {
    /// Something happens to an account.
    func act(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        let act = try MockAct(ask.body)
        let report: MockAct.Report
        do throws(MockAct.Refusal) {
            report = try store.carryOut(act)
        } catch {
            switch error {
            case .malformed(let reason): throw AdminError(reason)
            case .notFound(let reason): throw AdminError(status: 404, reason)
            case .storage(let failure): throw AdminError(status: 500, failure.description)
            }
        }
        return adminAnswer { writer in
            writer.member("act", act.kind.rawValue)
            writer.member("message", report.message)
            writer.member("changed", report.changed)
            for (key, names) in [("zones", report.zones), ("users", report.users)] {
                writer.key(key)
                writer.beginArray()
                for name in names { writer.string(name) }
                writer.endArray()
            }
            if let user = Self.whoSignsIn(act) {
                writer.member("webToken", issueWebToken(user: user, device: act.device))
                writer.member("apiToken", authenticator.defaultAPIToken)
            }
        }
    }

    /// Who has a new session after an act.
    private static func whoSignsIn(_ act: MockAct) -> String? {
        switch act.kind {
        case .signIn: act.user
        case .switchAccount: act.other
        default: nil
        }
    }
}
