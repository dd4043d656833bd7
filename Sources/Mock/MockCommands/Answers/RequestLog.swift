import Basics
import CommandLine

/// Requests that a mock server has received.
struct RequestLog {
    let requests: [Request]
    /// Older ones that are no longer stored.
    let discarded: Int

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        requests = try answer.objects("entries").map { entry throws(CommandFailure) in
            try Request(entry)
        }
        discarded = try answer.number("dropped")
    }

    struct Request {
        private let number: Int
        private let time: String
        private let operation: String
        private let container: String?
        private let database: String?
        private let user: String?
        private let items: Int
        private let status: Int
        private let error: Reason
        private let failures: [Failure]
        private let faults: [String]

        /// Why something was refused.
        private struct Reason {
            let code: String?
            let reason: String?

            init(_ answer: AdminAnswer) {
                code = answer.optionalText("code")
                reason = answer.optionalText("reason")
            }

            var words: String { code.map { "\($0) \(reason ?? "")" } ?? "" }
        }

        /// An item of the request that was refused.
        private struct Failure {
            let name: String?
            let error: Reason
        }

        init(_ entry: AdminAnswer) throws(CommandFailure) {
            number = try entry.number("number")
            time = Timestamp(milliseconds: Int64(try entry.number("time"))).iso8601
            operation = try entry.text("operation")
            container = entry.optionalText("container")
            database = entry.optionalText("scope")
            user = entry.optionalText("user")
            items = try entry.number("items")
            status = try entry.number("status")
            error = Reason(entry)
            failures = try entry.objects("failures").map {
                Failure(name: $0.optionalText("name"), error: Reason($0))
            }
            faults = try entry.texts("faults")
        }

        static let columns = [
            "number", "time", "operation", "where", "user", "items", "status", "faults", "why",
        ]

        /// A row for the request, and one for each item that was refused.
        var rows: [[TextTable.Cell]] {
            let place = [container, database].compactMap { $0 }.joined(separator: "/")
            let blanks = Array(repeating: TextTable.Cell(""), count: Self.columns.count - 1)
            return [
                [
                    .number(number), .init(time), .init(operation), .init(place),
                    .init(user ?? "-"), .number(items),
                    .init("\(status)", status < 400 ? .plain : .bad),
                    .init(faults.joined(separator: ", "), .caution), .init(error.words, .bad),
                ]
            ] + failures.map { blanks + [.init("\($0.name ?? ""): \($0.error.words)", .bad)] }
        }

        var event: Event {
            let failures = failures.map {
                Event.Value.object([
                    .init("name", $0.name), .init("code", $0.error.code),
                    .init("reason", $0.error.reason),
                ])
            }
            return Event(
                "request",
                [
                    .init("number", number), .init("at", time), .init("operation", operation),
                    .init("container", container), .init("database", database),
                    .init("user", user), .init("items", items), .init("status", status),
                    .init("code", error.code), .init("reason", error.reason),
                    .init("failures", .list(failures)),
                    .init("faults", .list(faults.map { .text($0) })),
                ])
        }
    }
}
