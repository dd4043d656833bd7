import CommandLine
import FileSystem
import JSON

/// Expectations of the requests that a mock server has seen, from a file.
struct JournalCheck {
    /// What the server is asked.
    let body: [UInt8]

    /// - Parameter after: The number of the last request that is not looked at; nil: as the file says.
    init(_ file: String, after: Int?, _ files: Files) throws(CommandFailure) {
        let root: JSONValue
        do {
            root = try JSONDocument.parse(try files.read(file)).root
        } catch let error as FileError {
            throw CommandFailure(error)
        } catch {
            throw CommandFailure(.usage, "\(file) is not JSON: \(error)")
        }
        var writer = JSONWriter()
        writer.object { writer in
            if root.kind == .object {
                for member in root.members where member.key != "after" || after == nil {
                    writer.key(member.key)
                    writer.value(member.value)
                }
            } else {
                writer.key("expect")
                writer.value(root)
            }
            writer.member("after", after)
        }
        body = writer.bytes
    }

    /// What the server says to it.
    struct Result {
        private let verdict: String
        private let expectations: [Expectation]

        init(_ answer: AdminAnswer) throws(CommandFailure) {
            verdict = try answer.text("verdict")
            expectations = try answer.objects("expectations").map {
                item throws(CommandFailure) in try Expectation(item)
            }
        }

        /// - Returns: The status for a script.
        func show(_ console: Console) -> VerbResult {
            console.result(expectations.flatMap(\.lines).joined(separator: "\n"))
            for expectation in expectations { console.event(expectation.event) }
            switch verdict {
            case "holds": return .done
            case "unknown":
                console.note("Older requests were discarded, so the result is unknown.")
                return .status(.discoveryIncomplete)
            default:
                console.note("The requests do not match the expectations.")
                return .status(.dataLeft)
            }
        }
    }

    /// One expectation, and whether it holds.
    private struct Expectation {
        private let expected: String
        private let verdict: String
        private let matched: Int
        private let reason: String?
        private let nearMisses: [String]

        init(_ item: AdminAnswer) throws(CommandFailure) {
            expected = try item.text("expected")
            verdict = try item.text("verdict")
            matched = try item.number("matched")
            reason = item.optionalText("reason")
            nearMisses = try item.objects("nearMisses").map { miss throws(CommandFailure) in
                let parts = try miss.objects("differs").map { part throws(CommandFailure) in
                    "\(try part.text("key")) is \"\(part.optionalText("found") ?? "")\", expected "
                        + "\"\(part.optionalText("expected") ?? "")\""
                }
                return "nearest: request \(try miss.number("number")), "
                    + "\(try miss.text("operation")): " + parts.joined(separator: "; ")
            }
        }

        var lines: [String] {
            ["\(verdict)  \(expected)\(reason.map { ": \($0)" } ?? "")"]
                + nearMisses.map { "       \($0)" }
        }

        var event: Event {
            Event(
                "expectation",
                [
                    .init("expected", expected), .init("verdict", verdict),
                    .init("matched", matched), .init("reason", reason),
                    .init("nearMisses", .list(nearMisses.map { .text($0) })),
                ])
        }
    }
}
