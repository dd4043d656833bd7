import Basics
import CloudModel
import JSON
package import MockStore

/// Why an administrative request is refused.
package struct AdminError: Error, Sendable, Hashable {
    /// 400 to 599.
    package let status: Int
    /// One sentence for people.
    package let reason: String
    /// The methods answered; only with 405.
    let allow: String?

    /// The statuses of refusals, and what each means.
    static let statuses: [(status: Int, about: String)] = [
        (400, "the request cannot be parsed, or asks for something impossible"),
        (401, "the administration token or the API token is missing or wrong"),
        (403, "a page from another origin sent the request"),
        (404, "the named object does not exist"),
        (409, "the server's state does not allow it"), (413, "the body is too long"),
        (500, "the change could not be stored"), (503, "the store is busy"),
    ]

    package init(status: Int = 400, _ reason: String, allow: String? = nil) {
        self.status = status
        self.reason = reason
        self.allow = allow
    }

    /// What a failure of the store is answered with.
    package init(_ failure: MockStoreError) {
        let status =
            switch failure.code {
            case .busy: 503
            case .refused: 409
            case .malformed: 400
            default: 500
            }
        self.init(status: status, failure.description)
    }

    /// What an act that is not carried out is answered with.
    init(_ refusal: MockAct.Refusal) {
        switch refusal {
        case .malformed(let reason): self.init(reason)
        case .notFound(let reason): self.init(status: 404, reason)
        case .conflict(let reason): self.init(status: 409, reason)
        case .storage(let failure): self.init(failure)
        }
    }
}

extension JSONValue {
    /// The place and a reason, for people.
    func refusal(_ reason: String) -> AdminError {
        let path = path
        return AdminError((path.isEmpty ? "" : path + ": ") + reason + " (\(location))")
    }

    /// Refuses keys that are not in `allowed`, naming the nearest one that is.
    func allow(_ allowed: [String]) throws(AdminError) {
        guard kind == .object else { throw refusal("must be an object") }
        for member in members where !allowed.contains(member.key) {
            let nearest = NearestName.closest(to: member.key, among: allowed) ?? ""
            throw AdminError(
                "unknown key \"\(member.key)\"; did you mean \"\(nearest)\"? "
                    + "(\(member.keyLocation))")
        }
    }

    /// A member that is there and not `null`.
    func present(_ key: String) -> JSONValue? {
        self[key].flatMap { $0.isNull ? nil : $0 }
    }

    func text(_ key: String) throws(AdminError) -> String? {
        guard let value = present(key) else { return nil }
        guard let text = value.string else { throw value.refusal("must be text") }
        return text
    }

    func requiredText(_ key: String) throws(AdminError) -> String {
        guard let text = try text(key) else { throw refusal("needs \"\(key)\"") }
        return text
    }

    func number(_ key: String, in range: ClosedRange<Int64>) throws(AdminError) -> Int? {
        guard let value = present(key) else { return nil }
        guard let number = value.int64, range.contains(number) else {
            throw value.refusal(
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    func decimal(_ key: String) throws(AdminError) -> Double? {
        guard let value = present(key) else { return nil }
        guard let number = value.double else { throw value.refusal("must be a number") }
        return number
    }

    func flag(_ key: String) throws(AdminError) -> Bool? {
        guard let value = present(key) else { return nil }
        guard let flag = value.bool else { throw value.refusal("must be true or false") }
        return flag
    }

    func list(_ key: String) throws(AdminError) -> [JSONValue] {
        guard let value = present(key) else { return [] }
        guard value.kind == .array else { throw value.refusal("must be a list") }
        return Array(value.elements)
    }

    /// The texts of a list, each of which must be `what`.
    func list<Element>(
        _ key: String, of what: String, _ read: (String) -> Element?
    ) throws(AdminError) -> [Element]? {
        guard present(key) != nil else { return nil }
        var elements: [Element] = []
        for value in try list(key) {
            guard let element = value.string.flatMap(read) else {
                throw value.refusal("must be \(what)")
            }
            elements.append(element)
        }
        return elements
    }

    /// One of the names of a closed list.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _: Choice.Type = Choice.self
    ) throws(AdminError) -> Choice? {
        guard let text = try text(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue)
            throw AdminError(
                "\(key) \"\(text)\" must be one of \(all.joined(separator: ", ")); nearest: "
                    + (NearestName.closest(to: text, among: all) ?? ""))
        }
        return choice
    }

    func container() throws(AdminError) -> Container.ID? {
        guard let text = try text("container") else { return nil }
        return try Container.ID(asked: text)
    }

    /// The name under `key` of a user, a device or a snapshot.
    func name(_ key: String, of owner: String) throws(AdminError) -> String? {
        guard let name = try text(key) else { return nil }
        guard MockUser.isValid(name: name) else {
            throw AdminError("a \(owner)'s name has 1 to 64 letters, digits or any of . - _ @")
        }
        return name
    }
}

extension Container.ID {
    /// The container that a request is about.
    init(asked text: String) throws(AdminError) {
        guard let container = Container.ID(text) else {
            throw AdminError(
                "container \"\(text)\" " + (Container.ID.problem(in: text) ?? "is malformed"))
        }
        self = container
    }
}
