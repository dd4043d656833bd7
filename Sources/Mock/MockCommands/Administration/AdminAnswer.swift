import CommandLine
import JSON

/// A JSON object that the administration API has sent, read strictly: a member that is missing or of another type is
/// an error, never an empty text or a zero.
struct AdminAnswer {
    private let value: JSONValue
    /// The request, for messages, such as `GET clock`.
    private let request: String

    init(_ value: JSONValue, to request: String) {
        self.value = value
        self.request = request
    }

    func text(_ key: String) throws(CommandFailure) -> String { try need(optionalText(key), key) }
    func number(_ key: String) throws(CommandFailure) -> Int {
        try need(optionalNumber(key), key)
    }
    func flag(_ key: String) throws(CommandFailure) -> Bool { try need(value[key]?.bool, key) }
    func objects(_ key: String) throws(CommandFailure) -> [AdminAnswer] {
        try elements(key).map { AdminAnswer($0, to: request) }
    }
    func texts(_ key: String) throws(CommandFailure) -> [String] {
        try elements(key).map { element throws(CommandFailure) in try need(element.string, key) }
    }
    func numbers(_ key: String) throws(CommandFailure) -> [Int] {
        try elements(key).map { element throws(CommandFailure) in
            Int(try need(element.int64, key))
        }
    }

    /// nil where the answer does not have it.
    func optionalText(_ key: String) -> String? { value[key]?.string }
    func optionalNumber(_ key: String) -> Int? { value[key]?.int64.map { Int($0) } }
    func optionalObject(_ key: String) -> AdminAnswer? {
        value[key].flatMap { $0.kind == .object ? AdminAnswer($0, to: request) : nil }
    }
    func optionalFraction(_ key: String) -> Double? { value[key]?.double }

    /// The address and tokens that a namespace is made with; nil: it has none.
    var ready: ReadyFile? { ReadyFile(value) }

    private func elements(_ key: String) throws(CommandFailure) -> JSONElements {
        let list = try need(value[key], key)
        guard list.kind == .array else { throw unreadable(key) }
        return list.elements
    }

    private func need<Member>(_ member: Member?, _ key: String) throws(CommandFailure) -> Member {
        guard let member else { throw unreadable(key) }
        return member
    }

    private func unreadable(_ key: String) -> CommandFailure {
        CommandFailure(
            .internalError, "cannot read \"\(key)\" in the mock server's reply to \(request)",
            remedy: "check that the server and this program have the same version")
    }
}
