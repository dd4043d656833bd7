import Foundation
import Intents
import RepositoryRoot
import Testing

/// `Intents` against what Apple's framework declares.
@Suite(.timeLimit(.minutes(10)))
struct AppleListTests {
    private let apple: AppleList
    /// Our declarations, by the type and the name with labels.
    private let ours: [String: [Signature]]

    init() throws {
        let file = Repository.url("Tests/Apple/LibraryTests/apple/Intents.txt")
        apple = AppleList(try String(contentsOf: file, encoding: .utf8))
        var ours: [String: [Signature]] = [:]
        for line in try SymbolGraph.of("Intents").lines {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            ours[parts[0], default: []].append(Signature(parts[1]))
        }
        self.ours = ours
    }

    /// Our declarations of that name in a type, and in the one before which it was split.
    private func declared(_ type: String, _ key: String) -> [Signature] {
        [type, type + "Before"].flatMap { ours["\($0).\(key)"] ?? [] }
    }

    @Test func `each type and each member is there, as an app sees it`() {
        #expect(apple.types.filter { ours[$0] == nil }.sorted() == [])
        let missing = apple.members.filter { member in
            let signature = member.signature
            let key = signature.isCall ? signature.key : signature.name
            return !declared(member.type, key).contains { signature.isMet(by: $0) }
        }
        #expect(missing.map { "\($0.type) \($0.signature)" }.sorted() == [])
        #expect(apple.members.count > 900)
    }

    @Test func `each parameter of an intent can be read`() {
        let missing = apple.either.filter { intent in
            !intent.names.contains { name in
                declared(intent.type, name).contains { $0.result == intent.of }
            }
        }
        #expect(missing.map { "\($0.type).\($0.names): \($0.of)" } == [])
    }

    /// By its mangled name, as the runtime knows it.
    private func type(_ name: String, _ kind: Character) -> Any.Type? {
        let parts = name.split(separator: ".").map { "\($0.utf8.count)\($0)" }
        return _typeByName("7Intents" + parts.joined(separator: "C") + String(kind))
    }

    private func text<Raw: RawRepresentable>(_ type: Raw.Type, _ number: Int) -> String? {
        (number as? Raw.RawValue).flatMap { Raw(rawValue: $0) }.map { "\($0)" }
    }

    @Test func `each case has its number, and there are no others`() throws {
        #expect(apple.cases.count > 100)
        for (name, cases) in apple.cases {
            let found = try #require(type(name, "O") as? any RawRepresentable.Type, "\(name)")
            for (offset, expected) in cases.names.enumerated() {
                #expect(text(found, cases.first + offset) == expected, "\(name)")
            }
            #expect(text(found, cases.first + cases.names.count) == nil, "\(name)")
            #expect(text(found, cases.first - 1) == nil, "\(name)")
        }
        for (name, names) in apple.constants {
            #expect(names.filter { ours["\(name).\($0)"] == nil } == [], "\(name)")
        }
    }

    /// Foundation on Linux names no generic class in an archive, so collections have none.
    @Test func `what Apple archives is archived`() {
        let others = apple.coded.filter { name in
            let type = type(name, "C") as? any NSSecureCoding.Type
            return !(type?.supportsSecureCoding ?? false)
        }
        #expect(others.sorted() == [])
        #expect(apple.coded.count > 160)
    }
}
