import Basics
import CloudModel
import JSON
import MockService
import MockStore

/// Reads what a request to the administration holds.
extension JSONValue {
    /// The place and a reason, for people.
    func refusal(_ reason: String) -> MockError {
        let path = path
        return MockError((path.isEmpty ? "" : path + ": ") + reason + " (\(location))")
    }

    /// Refuses keys that are not in `allowed`, naming the nearest one that is.
    func allow(_ allowed: [String]) throws(MockError) {
        guard kind == .object else { throw refusal("must be an object") }
        for member in members where !allowed.contains(member.key) {
            let nearest = NearestName.closest(to: member.key, among: allowed) ?? ""
            throw MockError(
                "unknown key \"\(member.key)\"; did you mean \"\(nearest)\"? "
                    + "(\(member.keyLocation))")
        }
    }

    /// A member that is there and not `null`.
    func present(_ key: String) -> JSONValue? {
        self[key].flatMap { $0.isNull ? nil : $0 }
    }

    func text(_ key: String) throws(MockError) -> String? {
        guard let value = present(key) else { return nil }
        guard let text = value.string else { throw value.refusal("must be text") }
        return text
    }

    func requiredText(_ key: String) throws(MockError) -> String {
        guard let text = try text(key) else { throw refusal("needs \"\(key)\"") }
        return text
    }

    func number(_ key: String, in range: ClosedRange<Int64>) throws(MockError) -> Int? {
        guard let value = present(key) else { return nil }
        guard let number = value.int64, range.contains(number) else {
            throw value.refusal(
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    func decimal(_ key: String) throws(MockError) -> Double? {
        guard let value = present(key) else { return nil }
        guard let number = value.double else { throw value.refusal("must be a number") }
        return number
    }

    func flag(_ key: String) throws(MockError) -> Bool? {
        guard let value = present(key) else { return nil }
        guard let flag = value.bool else { throw value.refusal("must be true or false") }
        return flag
    }

    func list(_ key: String) throws(MockError) -> [JSONValue] {
        guard let value = present(key) else { return [] }
        guard value.kind == .array else { throw value.refusal("must be a list") }
        return Array(value.elements)
    }

    /// The texts of a list, each of which must be `what`.
    func list<Element>(
        _ key: String, of what: String, _ read: (String) -> Element?
    ) throws(MockError) -> [Element]? {
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
    ) throws(MockError) -> Choice? {
        guard let text = try text(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue)
            throw MockError(
                "\(key) \"\(text)\" must be one of \(all.joined(separator: ", ")); nearest: "
                    + (NearestName.closest(to: text, among: all) ?? ""))
        }
        return choice
    }

    func container() throws(MockError) -> Container.ID? {
        guard let text = try text("container") else { return nil }
        return try Container.ID(asked: text)
    }

    /// The name under `key` of a user, a device or a snapshot.
    func name(_ key: String, of owner: String) throws(MockError) -> String? {
        guard let name = try text(key) else { return nil }
        guard MockUser.isValid(name: name) else {
            throw MockError("a \(owner)'s name has 1 to 64 letters, digits or any of . - _ @")
        }
        return name
    }
}

extension Container.ID {
    /// The container that a request is about.
    init(asked text: String) throws(MockError) {
        guard let container = Container.ID(text) else {
            throw MockError(
                "container \"\(text)\" " + (Container.ID.problem(in: text) ?? "is malformed"))
        }
        self = container
    }
}
