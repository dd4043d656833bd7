import CloudModel
import CloudWire

/// A parameter of a fault rule.
///
/// The text form, the JSON form and the checks of both derive from this table and from
/// ``FaultAction/form``.
package enum FaultParameter: CaseIterable {
    // Which requests, and how often.
    case operation, container, scope, zone, recordType, record, change, user, device
    case nth, every, times, probability, after, until
    // What happens to them.
    case code, retryAfter, reason, items, records, milliseconds, millisecondsMax, newRecords
    case perSecond, burst, status, body, bytes, content, age, gate, point, deadline

    /// The valid values.
    package enum Kind {
        case text
        case choice([String])
        case whole(ClosedRange<Double>)
        case decimal(ClosedRange<Double>)
        /// A duration, or the word.
        case time(ClosedRange<Double>, or: String)
        /// A number, or `all`, which is infinity.
        case count
    }

    /// The parameters that select requests.
    package static let conditions = Array(allCases.prefix { $0 != .code })

    /// Records of the zones that one request deletes and another device creates again.
    package static let newRecordsMax = 10_000

    static let codes = CloudError.Code.allCases.filter(\.isServiceCode).map(\.rawValue)

    /// Its name in the JSON form; its phrase and its unit in the text form; an example of the phrase; and
    /// its valid values.
    package var facts: (name: String, phrase: String, unit: String, example: String, kind: Kind) {
        let counts = Kind.whole(1...1_000_000_000)
        let scopes = Database.Scope.allCases.map(\.rawValue)
        return switch self {
        case .operation:
            (
                "operation", "", "", "any",
                .choice(FaultOperation.names + FaultOperation.spoken.keys.sorted())
            )
        case .container:
            ("container", "in container {container}", "", "in container iCloud.*", .text)
        case .scope: ("scope", "in {scope}", "", "in private", .choice(scopes))
        case .zone: ("zone", "in zone {zone}", "", "in zone Notes*", .text)
        case .recordType: ("recordType", "with type {recordType}", "", "with type Note", .text)
        case .record: ("record", "with record {record}", "", "with record r1", .text)
        case .change:
            (
                "change", "with {change}", "", "with delete",
                .choice(ItemChange.allCases.map(\.rawValue))
            )
        case .user: ("user", "by user {user}", "", "by user ann", .text)
        case .device: ("device", "by device {device}", "", "by device phone", .text)
        case .nth: ("nth", "{nth}", "", "3rd", counts)
        case .every: ("every", "every {every}", "", "every 2nd", counts)
        case .times: ("times", "{times} times", "", "2 times", counts)
        case .probability:
            ("probability", "{probability}", "", "10%", .decimal(1e-9...1))
        case .after: ("after", "after {after}", "s", "after 10s", .decimal(0...1_000_000_000))
        case .until:
            ("until", "until {until}", "s", "until 30s", .time(0.001...1_000_000_000, or: "reset"))
        case .code: ("code", "", "", "THROTTLED", .choice(Self.codes))
        case .retryAfter:
            ("retryAfter", "retry {retryAfter}", "s", "retry 30s", .decimal(0...1_000_000))
        case .reason: ("reason", "reason {reason}", "", "reason busy", .text)
        case .items: ("items", "", "", "1 items", .count)
        case .records: ("records", "", "", "1 records", .count)
        case .milliseconds: ("milliseconds", "", "ms", "50ms", .whole(1...600_000))
        case .millisecondsMax: ("millisecondsMax", "", "ms", "200ms", .whole(1...600_000))
        case .newRecords: ("records", "", "", "3 records", .whole(0...Double(Self.newRecordsMax)))
        case .perSecond: ("perSecond", "", "/s", "10/s", .decimal(1e-6...1_000_000))
        case .burst: ("burst", "", "", "burst 20", .whole(1...1_000_000))
        case .status: ("status", "", "", "502", .whole(200...599))
        case .body: ("body", "body {body}", "", "body busy", .text)
        case .bytes: ("bytes", "", "", "512", .whole(0...1_000_000_000))
        case .content:
            ("content", "", "", "garbage", .choice(WrongContent.allCases.map(\.rawValue)))
        case .age: ("age", "", "s", "30s", .decimal(0.001...1_000_000))
        case .gate: ("gate", "", "", "g1", .text)
        case .point: ("at", "", "", "after-commit", .choice(GatePoint.allCases.map(\.rawValue)))
        case .deadline:
            ("deadline", "deadline {deadline}", "s", "deadline 30s", .decimal(0.001...600))
        }
    }
}

/// The value of a parameter, valid by itself.
package enum FaultValue: Sendable, Hashable {
    case text(String)
    case number(Double)

    /// As in the text form.
    package func text(unit: String = "") -> String {
        switch self {
        case .text(let text): text
        case .number(.infinity): "all"
        case .number(let number): (Int(exactly: number).map { "\($0)" } ?? "\(number)") + unit
        }
    }
}
