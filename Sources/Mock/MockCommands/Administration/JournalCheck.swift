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

    /// Shows what the server says to it.
    ///
    /// - Returns: What a script is told.
    func show(_ answer: JSONValue, _ console: Console) -> VerbResult {
        var lines: [String] = []
        for item in answer["expectations"].map({ Array($0.elements) }) ?? [] {
            let verdict = item["verdict"]?.string ?? ""
            let reason = item["reason"]?.string.map { ": \($0)" } ?? ""
            lines.append("\(verdict)  \(item["expected"]?.string ?? "")\(reason)")
            lines += Self.nearMisses(item)
            console.event(Self.event(item))
        }
        console.result(lines.joined(separator: "\n"))
        switch answer["verdict"]?.string {
        case "holds": return .done
        case "unknown":
            console.note("Older requests were discarded, so the result is unknown.")
            return .status(.discoveryIncomplete)
        default:
            console.note("The requests do not match the expectations.")
            return .status(.dataLeft)
        }
    }

    private static func nearMisses(_ item: JSONValue) -> [String] {
        (item["nearMisses"].map { Array($0.elements) } ?? []).map { miss in
            let parts = (miss["differs"].map { Array($0.elements) } ?? []).map { part in
                "\(part["key"]?.string ?? "") is \"\(part["found"]?.string ?? "")\", expected "
                    + "\"\(part["expected"]?.string ?? "")\""
            }
            return "       nearest: request \(miss["number"]?.int64 ?? 0), "
                + "\(miss["operation"]?.string ?? ""): "
                + parts.joined(separator: "; ")
        }
    }

    private static func event(_ item: JSONValue) -> Event {
        Event(
            "expectation",
            [
                .init("expected", item["expected"]?.string),
                .init("verdict", item["verdict"]?.string),
                .init("matched", Int(item["matched"]?.int64 ?? 0)),
                .init("reason", item["reason"]?.string),
                .init(
                    "nearMisses",
                    .list(
                        nearMisses(item).map { line in
                            .text(String(line.drop { $0 == " " }))
                        })),
            ])
    }
}
