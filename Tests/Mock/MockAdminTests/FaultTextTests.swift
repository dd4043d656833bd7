import Basics
import JSON
import MockFaults
import MockSamples
import MockService
import Testing

/// Faults as people write them.
struct FaultTextTests {
    static let legal = [
        "any -> delay 50ms",
        "reads -> INTERNAL_ERROR",
        "zones/modify -> THROTTLED retry 30s",
        "3rd zones/modify -> cut before commit",
        "every 2nd records/* in container iCloud.com.example.* in private in zone Notes* 5 times -> cut after commit",
        "25% records/modify with type Note by user ann -> CONFLICT on 2 items",
        "records/modify -> TRY_AGAIN_LATER on all items retry 1.5s",
        "records/query with type Note once -> NOT_FOUND on 1 items",
        "2nd changes/zone in zone Notes* -> INTERNAL_ERROR on all records retry 1s",
        "subscriptions/list -> drop 2 items",
        "changes/zone -> drop all records",
        "zones/modify -> repeat 1 items",
        "zones/list in private 2 times -> stale zone list",
        "changes/zone in zone _defaultZone -> empty page",
        "changes/zone by user ann by device phone 2 times -> repeat page",
        "50% reads -> repeat page",
        "zones/modify -> recreate zone with 3 records",
        "writes -> throttle 10/s burst 20",
        "users/caller -> AUTHENTICATION_REQUIRED reason \"signed out\"",
        "users/caller -> THROTTLED retry 0s reason busy",
        "zones/modify in zone \"My Notes\" by user ann -> recreate zone",
        "any -> delay 50ms..200ms",
        "any -> status 502",
        "reads -> status 503 body \"come back later\"",
        "writes -> wrong content",
        "writes -> wrong content garbage",
        "assets/download -> cut at 0",
        "records/query -> cut at 512",
        "changes/* -> stale 30s",
        "2nd changes/zone in zone Notes -> expire token",
        "records/modify in zone Notes* -> purge zone",
        "changes/zone in private -> delete zone",
        "internal/records/query/batch -> NOT_FOUND on 1 records",
        "records/modify with record r* with delete -> CONFLICT on all items",
        "records/query after 10s until 60.5s -> THROTTLED",
        "any until reset -> delay 1ms",
    ]

    @Test(arguments: legal)
    func `the text form reads back as itself`(text: String) throws {
        let rule = try FaultRule(id: "a", text: text)
        #expect(rule.text == text)
    }

    @Test(arguments: legal)
    func `the JSON form reads back as the same rule`(text: String) throws {
        let rule = try FaultRule(id: "a", text: text)
        var writer = JSONWriter()
        rule.write(to: &writer)
        let document = try JSONDocument.parse(writer.bytes)
        #expect(try FaultRule(json: document.root, id: "other") == rule)
    }

    @Test func `a rule has container, scope and zone`() throws {
        let rule = try Samples.rule(
            "zones/modify in container iCloud.a* in private in zone No?es -> delay 1ms")
        #expect(rule.operation == FaultOperation("zones/modify"))
        #expect(rule.container == Glob("iCloud.a*"))
        #expect(rule.scope == .private)
        #expect(rule.zone == Glob("No?es"))
    }

    /// Text, column of the complaint, and what the suggestion holds.
    static let wrong: [(String, Int?, String)] = [
        ("zones/modify THROTTLED", 23, "->"),
        ("-> THROTTLED", 1, "zones/modify"),
        ("zone/modify -> THROTTLED", 1, "zones/modify"),
        ("zones/modify -> THROTLED", 17, "THROTTLED"),
        ("zones/modify -> NETWORK_FAILURE", 17, "NOT_FOUND"),
        ("3th of zones/modify 4 tims -> THROTTLED", 23, "times"),
        ("three zones/modify -> THROTTLED", 1, "query"),
        ("zones/modify twice -> THROTTLED", 14, "once"),
        ("0th zones/modify -> THROTTLED", 1, "3rd"),
        ("0% zones/modify -> THROTTLED", 1, "10%"),
        ("nan% zones/modify -> THROTTLED", 1, "10%"),
        ("zones/modify -> delay soon", 23, "50ms"),
        ("zones/modify -> delay 9999999s", 23, "50ms"),
        ("zones/modify -> delay 1e300s", 23, "50ms"),
        ("zones/modify -> throttle nan/s burst 1", 26, "10/s"),
        ("zones/modify -> throttle 5 burst 1", 26, "10/s"),
        ("zones/modify -> cut sometime", 21, "cut before commit"),
        ("zones/modify -> cut", 17, "cut before commit"),
        ("zones/modify -> cut after commit now", 34, "cut after commit"),
        ("zones/modify -> THROTTLED wait 3s", 27, "retry"),
        ("zones/modify -> THROTTLED retry soon", 33, "retry 30s"),
        ("zones/modify -> cut after commit retry 3s", 40, "cut after commit"),
        ("zones/modify in secret -> THROTTLED", 17, "in private"),
        ("zones/modify -> CONFLICT on 0 items", 29, "1 items"),
        ("users/caller -> CONFLICT on 1 items", nil, "zones/list"),
        ("records/query -> CONFLICT on 1 records", nil, "CONFLICT on 1 items"),
        ("zones/modify -> CONFLICT on 1 zones", 31, "on 2 items"),
        ("zones/list -> drop 201 items", 20, "1 items"),
        ("changes/zone -> drop 0 records", 22, "1 records"),
        ("zones/list -> drop items", 20, "drop 1 items"),
        ("zones/list -> repeat 0 items", 22, "1 items"),
        ("users/caller -> drop 1 items", nil, "zones/list"),
        ("records/modify -> stale zone list", nil, "zones/list"),
        ("users/caller -> empty page", nil, "zones/list"),
        ("zones/list -> recreate zone", nil, "zones/modify"),
        ("records/query -> repeat page", nil, "records/query once -> repeat page"),
        ("2nd every 1st records/query -> repeat page", nil, "once"),
        ("100% records/query -> repeat page", nil, "once"),
        ("zones/modify once -> repeat page", nil, "zones/list"),
        ("zones/list in public -> stale zone list", nil, "in private"),
        ("changes/zone in public -> drop 1 items", nil, "in private"),
        ("zones/modify by devise phone -> THROTTLED", 17, "by device"),
        ("zones/list in zone Notes -> THROTTLED", nil, "zones/list -> THROTTLED"),
        ("zones/modify with type Note -> THROTTLED", nil, "records/query"),
        ("records/query in public in zone Notes -> THROTTLED", nil, "_defaultZone"),
        ("zones/modify in shared -> recreate zone", nil, "private"),
        ("zones/modify ->", nil, "THROTTLED"),
        ("any -> delay 50ms..", 20, "200ms"),
        ("any -> delay 50ms..soon", 20, "200ms"),
        ("any -> delay 200ms..50ms", nil, "delay 50ms..200ms"),
        ("any -> status 99", 15, "502"),
        ("any -> status", 8, "status 502"),
        ("any -> wrong content picture", 22, "page"),
        ("any -> cut at noon", 15, "512"),
        ("records/query -> stale 30s", nil, "zones/changes"),
        ("changes/zone -> stale", 17, "stale"),
        ("changes/zone in public -> expire token", nil, "in private"),
        ("zones/list -> expire token", nil, "zones/changes"),
        ("zones/list -> purge zone", nil, "zones/lookup"),
        ("records/modify in shared -> delete zone", nil, "private"),
        ("records/modify in zone _defaultZone -> purge zone", nil, "in zone Notes"),
        ("any after 10s until 10s -> delay 1ms", nil, "after 10s until 30s"),
        ("any until never -> delay 1ms", 11, "until 30s"),
        ("any after soon -> delay 1ms", 11, "after 10s"),
        ("records/query with delete -> delay 1ms", nil, "records/modify with delete"),
        ("records/modify with delte -> delay 1ms", 21, "delete"),
        ("zones/modify with record a -> delay 1ms", nil, "records/modify with record"),
        // As earlier versions accepted them.
        ("zones/modify user=ann -> THROTTLED", 14, "by user ann"),
        ("zones/modify nth=3 -> THROTTLED", 14, "3rd"),
        ("zones/modify type=Note -> THROTTLED", 14, "with type Note"),
        ("zones/modify times=1 -> THROTTLED", 14, "once"),
        ("zones/modify probability=0.1 -> THROTTLED", 14, "10%"),
        ("zones/modify every=two -> THROTTLED", 14, "every 2nd"),
        ("zones/modify -> THROTTLED retry=3s", 27, "retry 3s"),
        ("zones/modify -> THROTTLED wait=3s", 27, ""),
        ("zones/modify#Notes -> THROTTLED", 1, "zones/modify in zone Notes"),
        ("any@iCloud.* -> THROTTLED", 1, "any in container iCloud.*"),
        ("zones/modify/private -> THROTTLED", 1, "zones/modify"),
    ]

    @Test(arguments: wrong)
    func `what can never fire is refused with a place and a legal form`(
        text: String, column: Int?, suggestion: String
    ) throws {
        let error = try #require(throws: FaultError.self) {
            _ = try FaultRule(id: "a", text: text)
        }
        #expect(error.column == column, "\(error)")
        #expect(suggestion.isEmpty || (error.suggestion ?? "").contains(suggestion), "\(error)")
        #expect(error.reason.isEmpty == false)
    }

    @Test func `a container that is not served is refused`() throws {
        let rule = try Samples.rule("any in container iCloud.org.* -> THROTTLED")
        try rule.check(containers: nil)
        let error = try #require(throws: FaultError.self) {
            try rule.check(containers: [Samples.main])
        }
        #expect(error.suggestion == Samples.main.rawValue)
    }

    @Test(arguments: [
        #"{"do":{"kind":"error","code":"THROTTLED"}}"#,
        #"{"when":{"operation":"zones/lst"},"do":{"kind":"emptyPage"}}"#,
        #"{"when":{"zon":"a"},"do":{"kind":"emptyPage"}}"#,
        #"{"when":{},"do":{"kind":"explode"}}"#,
        #"{"when":{},"do":{"kind":"error","code":"UNKNOWN_CODE"}}"#,
        #"{"when":{},"do":{"kind":"dropItems","items":0}}"#,
        #"{"when":{},"do":{"kind":"delay"}}"#,
        #"{"when":{},"do":{"kind":"delay","milliseconds":true}}"#,
        #"{"when":{},"do":{"kind":"emptyPage","items":2}}"#,
        #"{"when":{},"do":{"kind":"repeatItems","records":"some"}}"#,
        #"{"when":{"nth":1.5},"do":{"kind":"error","code":"THROTTLED"}}"#,
        #"{"when":{"scope":"secret"},"do":{"kind":"delay","milliseconds":1}}"#,
        #"{"when":{"user":""},"do":{"kind":"delay","milliseconds":1}}"#,
        #"{"when":{"until":"never"},"do":{"kind":"delay","milliseconds":1}}"#,
        #"{"when":{},"do":{"kind":"delay","milliseconds":2,"millisecondsMax":1}}"#,
        #"{"when":{},"do":{"kind":"cutBody"}}"#,
        #"{"when":{},"do":{"kind":"status","status":1000}}"#,
        #""zones/modify""#,
        "7",
    ])
    func `malformed JSON rules are refused`(text: String) throws {
        let document = try JSONDocument.parse(Array(text.utf8))
        #expect(throws: MockError.self) { _ = try FaultRule(json: document.root, id: "a") }
    }

    @Test(arguments: [
        ("", "", true), ("*", "", true), ("*", "abc", true), ("a*", "abc", true),
        ("*c", "abc", true), ("a?c", "abc", true), ("a*b*c", "axxbyyc", true), ("a", "b", false),
        ("a?", "a", false), ("*b", "abc", false), ("abc", "ab", false), ("ab", "abc", false),
        ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false),
    ])
    func `globs match whole names`(pattern: String, text: String, expected: Bool) {
        #expect(Glob(pattern).matches(text) == expected)
    }
}
