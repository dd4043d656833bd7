import MockRecording
import Testing

/// Stand-ins for secrets and names, as values.
struct PseudonymTests {
    private let account = "_0123456789abcdef0123456789abcdef"
    private let apiToken = String(repeating: "a1", count: 32)

    @Test(arguments: SecretKind.allCases)
    func `a stand-in is the same each time, another for another text, and leads back`(
        kind: SecretKind
    ) throws {
        var pseudonyms = Pseudonyms(key: Array(0..<32))
        let first = try pseudonyms.standIn(for: "Somebody-1", kind)
        let second = try pseudonyms.standIn(for: "Somebody-2", kind)
        #expect(first != "Somebody-1" && first != second)
        #expect(try pseudonyms.standIn(for: "Somebody-1", kind) == first)
        #expect(pseudonyms.meaning(of: first) == "Somebody-1")
        // What came from us is not replaced again.
        #expect(try pseudonyms.standIn(for: first, kind) == first)
    }

    @Test func `without the key nobody can try out names`() throws {
        var one = Pseudonyms(key: Array(0..<32))
        var other = Pseudonyms(key: Array(1..<33))
        #expect(try one.standIn(for: account, .account) != other.standIn(for: account, .account))
    }

    @Test func `stand-ins have the form of what they stand for`() throws {
        var pseudonyms = Pseudonyms(key: Array(0..<32))
        let token = try pseudonyms.standIn(for: apiToken, .token)
        #expect(token.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        let web = try pseudonyms.standIn(for: "54__abC+d/eFgh=", .token)
        #expect(
            web.wholeMatch(of: #/[A-Za-z0-9]{2}__[A-Za-z0-9]{3}\+[A-Za-z0-9]\/[A-Za-z0-9]{4}=/#)
                != nil)
        let user = try pseudonyms.standIn(for: account, .account)
        #expect(user.wholeMatch(of: #/_[0-9a-f]{32}/#) != nil)
        let uuid = try pseudonyms.standIn(for: "6F9619FF-8B86-D011-B42D-00C04FC964FF", .record)
        #expect(uuid.wholeMatch(of: #/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#) != nil)
    }

    @Test func `what is known is found inside other texts, as whole words only`() throws {
        var pseudonyms = Pseudonyms(key: Array(0..<32))
        let user = try pseudonyms.standIn(for: account, .account)
        let ann = try pseudonyms.standIn(for: "Ann", .person)
        let mail = try pseudonyms.standIn(for: "ann@example.org", .email)
        #expect(pseudonyms.hiding(in: "settings\(account)-2") == "settings\(user)-2")
        #expect(pseudonyms.hiding(in: "Ann and Anna, Ann!") == "\(ann) and Anna, \(ann)!")
        #expect(pseudonyms.hiding(in: "joann@example.org") == nil)
        #expect(pseudonyms.hiding(in: "ann@example.organic") == nil)
        #expect(pseudonyms.hiding(in: "to ann@example.org.") == "to \(mail).")
        #expect(
            pseudonyms.revealing(in: "to \(mail) of \(user)") == "to ann@example.org of \(account)")
        #expect(pseudonyms.hiding(in: "nothing known") == nil)
        // A short one could be anything elsewhere.
        _ = try pseudonyms.standIn(for: "2", .token)
        #expect(pseudonyms.hiding(in: "2") == nil)
    }

    @Test func `only strings of a JSON text change, and every other byte stays`() throws {
        let json = #"{ "a" : ["x\u0041", 1.50, {"x":"x", "b\"c":"x"}],"# + "\n\t" + #""x":null}"#
        let seen = Seen()
        let same = JSONStrings.rewrite(Array(json.utf8)) { keys, text in
            seen.texts.append("\(keys.joined(separator: "/")): \(text)")
            return nil
        }
        #expect(same == Array(json.utf8))
        #expect(seen.texts == ["a: xA", "a/x: x", "a/b\"c: x"])
        let changed = JSONStrings.rewrite(Array(json.utf8)) { keys, text in
            keys.last == "b\"c" ? "q\"" : nil
        }
        #expect(
            changed.map { String(decoding: $0, as: UTF8.self) }
                == json.replacing(#""b\"c":"x""#, with: #""b\"c":"q\"""#))
        #expect(JSONStrings.rewrite(Array("no JSON".utf8)) { _, _ in nil } == nil)
    }

    private final class Seen { var texts: [String] = [] }

    @Test func `keys tell what a string is`() {
        let rules = SecretRules()
        #expect(rules.treatment(of: account, at: ["records", "recordName"]) == .standIn(.account))
        #expect(rules.treatment(of: "note-1", at: ["records", "recordName"]) == nil)
        #expect(rules.treatment(of: "_defaultOwner__", at: ["zoneID", "ownerRecordName"]) == nil)
        #expect(
            rules.treatment(of: "ann", at: ["zoneID", "ownerRecordName"]) == .standIn(.account))
        #expect(rules.treatment(of: "https://h/x", at: ["value", "downloadURL"]) == .address)
        // A field of that name holds what its user wrote.
        #expect(rules.treatment(of: "https://h/x", at: ["fields", "url", "value"]) == nil)
        #expect(rules.treatment(of: "abc", at: ["shortGUIDs", "value"]) == .standIn(.token))
        let all = SecretRules(replacesRecordNames: true)
        #expect(all.treatment(of: "note-1", at: ["records", "recordName"]) == .standIn(.record))
        #expect(all.treatment(of: "cloudkit.share", at: ["recordName"]) == nil)
    }
}
