import Donations
import Foundation
import Testing
import UserActivity

/// What an activity may hold, what of it is stored, and what is refused (A6, A17, F10).
struct UserInfoTests {
    /// Unchecked: immutable values of the ten types, read by one test.
    struct Case: @unchecked Sendable, CustomTestStringConvertible {
        let name: String
        let object: Any
        var testDescription: String { name }
    }

    static let allowed: [Case] = [
        Case(name: "array", object: [1, "two", [3]] as [Any]),
        Case(name: "data", object: Data([1, 2, 3])),
        Case(name: "date", object: Date(timeIntervalSince1970: 1_234.5)),
        Case(name: "dictionary", object: ["a": ["b": 1]]),
        Case(name: "null", object: NSNull()),
        Case(name: "truth", object: true),
        Case(name: "integer", object: -7),
        Case(name: "small integer", object: Int8(7)),
        Case(name: "fraction", object: 2.5),
        Case(name: "number object", object: NSNumber(value: 1 << 53 + 1)),
        Case(name: "largest integer", object: Int64.max),
        Case(name: "large number", object: UInt64(1) << 63),
        Case(name: "set", object: Set(["x", "y"])),
        Case(name: "set object", object: NSSet(array: [1, 2])),
        Case(name: "string", object: "text"),
        Case(name: "string object", object: NSString("text")),
        Case(name: "address", object: URL(fileURLWithPath: "/tmp")),
        Case(name: "uuid", object: UUID()),
        Case(name: "uuid object", object: NSUUID()),
        Case(name: "mutable", object: NSMutableDictionary(dictionary: ["k": NSMutableArray()])),
    ]

    @Test(arguments: allowed)
    func `each allowed type comes back from the store`(value: Case) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("value")
            activity.userInfo = ["key": value.object]
            activity.becomeCurrent()
            #expect(try await app.problems() == [])
            let stored = try #require(try await app.saved().first)
            let payload = try PayloadValue(decoding: stored.payload)
            let expected = try PayloadValue(object: value.object)
            #expect(payload["userInfo"]?["key"] == expected)
            #expect(try PayloadValue(object: expected.object) == expected)
        }
    }

    struct Unknown: Hashable {}

    static let refused: [Case] = [
        Case(name: "own type", object: Unknown()),
        Case(name: "in an array", object: ["fine", Unknown()] as [Any]),
        Case(name: "in a dictionary", object: ["fine": Unknown()]),
        Case(name: "as a key", object: [AnyHashable(Unknown()): 1]),
        Case(name: "in a set", object: Set([AnyHashable(Unknown())])),
        Case(name: "empty optional", object: Int?.none as Any),
        Case(name: "object", object: NSObject()),
        Case(name: "number that would lose digits", object: UInt64.max),
    ]

    @Test(arguments: refused)
    func `A17 a value that is none of the ten types is refused whole`(value: Case) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let before = makeActivity("before")
            before.becomeCurrent()
            let activity = makeActivity("value", persistentIdentifier: "p")
            activity.userInfo = ["fine": 1, "bad": value.object]
            activity.becomeCurrent()
            #expect(try await app.problems() == [.disallowedValue])
            #expect(try await app.titles() == ["before"])
            #expect(await NSUserActivity.advertised(in: app.store) === before)
            let log = try await app.store.outcomes(limit: 10)
            #expect(log.first?.outcome == .refusedValue)
        }
    }

    @Test func `A17 the refusal names the type and not the value`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("value")
            activity.userInfo = ["bad": Unknown()]
            activity.becomeCurrent()
            #expect(try await app.lastDetail() == "Unknown")
        }
    }

    @Test func `a value nested without end is refused`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            var value: [Any] = []
            for _ in 0..<1000 { value = [value] }
            let activity = makeActivity("deep")
            activity.userInfo = ["deep": value]
            activity.becomeCurrent()
            #expect(try await app.problems() == [.tooDeep])
            #expect(try await app.saved() == [])
        }
    }

    @Test func `F10 only required keys are stored`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("recipe")
            activity.userInfo = ["recipe": "leek", "scroll": 12]
            activity.requiredUserInfoKeys = ["recipe", "missing"]
            activity.becomeCurrent()
            let stored = try #require(try await app.saved().first)
            let payload = try PayloadValue(decoding: stored.payload)
            #expect(payload["userInfo"] == .dictionary(["recipe": .string("leek")]))
        }
    }

    @Test func `A6 without required keys all are stored`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("recipe")
            activity.userInfo = ["recipe": "leek", "scroll": 12]
            activity.becomeCurrent()
            let stored = try #require(try await app.saved().first)
            let payload = try PayloadValue(decoding: stored.payload)
            #expect(payload["userInfo"]?["scroll"] == .integer(12))
        }
    }

    @Test(arguments: [true, false])
    func `A6 a search result with a web page keeps required keys only`(
        hasKeys: Bool
    ) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("page")
            activity.userInfo = ["page": 1]
            activity.webpageURL = URL(string: "https://example.com/1")
            activity.requiredUserInfoKeys = hasKeys ? ["page"] : nil
            activity.becomeCurrent()
            let stored = try #require(try await app.saved().first)
            let payload = try PayloadValue(decoding: stored.payload)
            #expect(
                payload["userInfo"] == .dictionary(hasKeys ? ["page": .integer(1)] : [:]))
        }
    }

    @Test func `activities count as equal by their required keys`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            for scroll in [1, 2] {
                let activity = makeActivity("\(scroll)", persistentIdentifier: "\(scroll)")
                activity.userInfo = ["recipe": "leek", "scroll": scroll]
                activity.requiredUserInfoKeys = ["recipe"]
                activity.becomeCurrent()
            }
            let keys = try await app.saved().map(\.predictionKey)
            #expect(keys.count == 2)
            #expect(Set(keys).count == 1)
        }
    }

    @Test func `added entries win over those that are there`() {
        let activity = NSUserActivity(activityType: TestApp.type)
        activity.addUserInfoEntries(from: ["a": 1, "b": 1])
        activity.addUserInfoEntries(from: ["b": 2, "c": 2])
        #expect(activity.userInfo as? [String: Int] == ["a": 1, "b": 2, "c": 2])
    }

    @Test func `F52 what is set is a copy`() {
        let activity = NSUserActivity(activityType: TestApp.type)
        let inner = NSMutableArray(array: [1])
        let text = NSMutableString(string: "before")
        activity.userInfo = ["list": inner, "text": text, "outer": ["inner": [inner]]]
        inner.add(2)
        text.append(" and after")
        #expect((activity.userInfo?["list"] as? [Any])?.count == 1)
        #expect(activity.userInfo?["text"] as? String == "before")
        let outer = activity.userInfo?["outer"] as? [String: [[Any]]]
        #expect(outer?["inner"]?.first?.count == 1)
        var keywords: Set = ["one"]
        activity.keywords = keywords
        keywords.insert("two")
        #expect(activity.keywords == ["one"])
    }

    @Test func `F52 changes after becoming current do not reach the store`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("before")
            activity.keywords = ["one"]
            activity.becomeCurrent()
            activity.title = "after"
            activity.keywords = ["two"]
            let stored = try #require(try await app.saved().first)
            #expect(stored.title == "before")
            #expect(stored.keywords == ["one"])
        }
    }

    struct Recipe: Codable, Equatable {
        var name: String
        var portions: Int
        var cooked: [Date]
        var source: URL?
    }

    @Test func `a typed payload comes back`() throws {
        let activity = NSUserActivity(activityType: TestApp.type)
        let recipe = Recipe(
            name: "leek", portions: 4, cooked: [Date(timeIntervalSince1970: 5)],
            source: URL(string: "https://example.com"))
        try activity.setTypedPayload(recipe)
        #expect(try activity.typedPayload(Recipe.self) == recipe)
        #expect(activity.userInfo?["portions"] as? Int == 4)
    }

    @Test func `a payload that is no dictionary is refused and changes nothing`() throws {
        let activity = NSUserActivity(activityType: TestApp.type)
        activity.userInfo = ["a": 1]
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) {
            try activity.setTypedPayload(5)
        }
        #expect(activity.userInfo as? [String: Int] == ["a": 1])
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) {
            try activity.typedPayload(Recipe.self)
        }
    }
}
