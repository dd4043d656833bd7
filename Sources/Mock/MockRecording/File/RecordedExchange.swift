package import CloudModel

/// One request and its answer, as a recording keeps them: with stand-ins in place of secrets and names.
package struct RecordedExchange: Sendable, Hashable {
    /// In the order in which the requests came, from 1.
    package let number: Int
    package let request: RecordedRequest
    package let answer: RecordedAnswer

    package init(number: Int, request: RecordedRequest, answer: RecordedAnswer) {
        self.number = number
        self.request = request
        self.answer = answer
    }
}

/// A request, as far as answers depend on it.
package struct RecordedRequest: Sendable, Hashable {
    package var method: String
    /// Path and query, percent-encoded.
    package var target: String
    /// Whose request it is: those with the same credentials, and those with web tokens that answers to them
    /// brought, have the same one.
    package var caller: String
    /// Which part of an asset is asked for.
    package var range: String?
    package var body: [UInt8]
    /// Strings of the body that the program knew by itself, as they are recorded: in a replay it says
    /// what they stand for.
    package var ownTexts: [String]

    package init(
        method: String, target: String, caller: String, range: String? = nil, body: [UInt8] = [],
        ownTexts: [String] = []
    ) {
        self.method = method
        self.target = target
        self.caller = caller
        self.range = range
        self.body = body
        self.ownTexts = ownTexts
    }

    /// The container that a path of the service names; nil where it names none.
    package static func container(inPath path: String) -> Container.ID? {
        let parts = path.split(separator: "/")
        guard parts.count > 2, parts[0] == "database" || parts[0] == "device" else { return nil }
        return Container.ID(String(parts[2]))
    }

    /// The target up to the first `?`.
    package var path: String { String(target.prefix { $0 != "?" }) }
    /// What follows it.
    package var query: String { String(target.dropFirst(path.count + 1)) }
}

/// An answer. Dates, lengths and what else belongs to a connection are not kept.
package struct RecordedAnswer: Sendable, Hashable {
    package var status: Int
    package var headers: [Header]
    package var body: [UInt8]

    /// A field of an answer's head, its name in lower case.
    package struct Header: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header.
    package func value(of name: String) -> String? { headers.first { $0.name == name }?.value }
}
