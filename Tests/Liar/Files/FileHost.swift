import AsyncOperations

/// Files beside some records, which the honest service knows nothing of: they are shown with the records,
/// and their addresses answer by a script.
package final class FileHost: Sendable {
    /// The field that holds a file.
    package static let field = "photo"
    /// Records of ada's: in the default zone, in a zone, and in public.
    private static let names: Set<String> = ["note-0", "Album-0", "ada-note-0"]
    private static let path = "/files/"
    static let content = Array("the file itself".utf8)

    private let script: [FileAnswer]
    private let address: FileAddress
    private let state = Locked(State())

    private struct State {
        var base = ""
        /// Requests for each file so far.
        var asked: [String: Int] = [:]
        var showings = 0
    }

    /// - Parameters:
    ///   - script: What each address answers, request by request; the last for ever.
    ///   - address: What the records say of where a file can be had.
    package init(_ script: [FileAnswer], at address: FileAddress = .real) {
        self.script = script
        self.address = address
    }

    /// Whether the client notices only by waiting, so that it should not wait for long.
    package var needsPatience: Bool {
        script.contains { if case .silence = $0 { true } else { false } }
    }

    /// Where the server is that all this is said by.
    package func open(at base: String) { state.withLock { $0.base = base } }

    /// How often addresses were asked.
    package var asked: Int { state.withLock { $0.asked.values.reduce(0, +) } }

    /// Answers for a file, or shows files with the records of an answer.
    package func say(_ request: Request, _ truth: () -> Saying) -> Saying {
        if request.target.hasPrefix(Self.path) {
            let name = String(request.target.dropFirst(Self.path.count).prefix { $0 != "?" })
            let number = state.withLock { state in
                state.asked[name, default: 0] += 1
                return state.asked[name] ?? 1
            }
            return script[min(number, script.count) - 1].saying
        }
        let saying = truth()
        guard var answer = saying.answer, answer.status == 200, let json = answer.json else {
            return saying
        }
        answer.body = showing(json).bytes
        return .answer(answer)
    }

    /// The same with files beside the records that have one, however deep they are.
    private func showing(_ value: Value) -> Value {
        switch value {
        case .null, .bool, .number, .string: return value
        case .array(let elements): return .array(elements.map(showing))
        case .object(let members):
            var shown = Value.object(
                members.map { Value.Member(name: $0.name, value: showing($0.value)) })
            guard let name = shown["recordName"]?.text, Self.names.contains(name),
                shown["recordType"] != nil, var fields = shown["fields"]
            else { return shown }
            fields[Self.field] = ["value": file(name), "type": "ASSETID"]
            shown["fields"] = fields
            return shown
        }
    }

    private func file(_ name: String) -> Value {
        var file: Value = [
            "fileChecksum": "AQIDBAUGBwgJCgsMDQ4PEBESExQV",
            "size": .number("\(Self.content.count)"),
        ]
        let (base, number) = state.withLock { state in
            state.showings += 1
            return (state.base, state.showings)
        }
        switch address {
        case .real: file["downloadURL"] = .string(base + Self.path + name)
        case .missing: break
        case .new: file["downloadURL"] = .string(base + Self.path + name + "?\(number)")
        case .other(let url): file["downloadURL"] = .string(url)
        }
        return file
    }
}

/// What records say of where a file can be had.
package enum FileAddress: Sendable {
    case real
    case missing
    /// Another one each time, for the same file.
    case new
    case other(String)
}
