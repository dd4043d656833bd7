import CloudModel
import CloudWire

/// What a fault rule can be given.
///
/// The text form, the JSON form and the checks of both are made of this table and of
/// ``FaultAction/form``.
enum FaultParameter: CaseIterable {
    // Which requests, and how often.
    case operation, container, scope, zone, recordType, user, device
    case nth, every, times, probability
    // What happens to them.
    case code, retryAfter, reason, items, records, milliseconds, newRecords, perSecond, burst

    /// What a value may be.
    enum Kind {
        case text
        case choice([String])
        case whole(ClosedRange<Double>)
        case decimal(ClosedRange<Double>)
        /// So many, or `all`, which is infinity.
        case count
    }

    /// The parameters that say which requests a rule is about.
    static let conditions = Array(allCases.prefix { $0 != .code })

    /// Records of the zones that one request deletes and another device makes again.
    static let newRecordsMax = 10_000

    static let codes = CloudError.Code.allCases.filter(\.isServiceCode).map(\.rawValue)

    /// Its name in the JSON form, what stands before `=` and after a number in the text form, a
    /// legal spelling there, and what it may be.
    var facts: (name: String, word: String, unit: String, example: String, kind: Kind) {
        let counts = Kind.whole(1...1_000_000_000)
        let scopes = Database.Scope.allCases.map(\.rawValue)
        return switch self {
        case .operation: ("operation", "", "", "any", .choice(FaultOperation.names))
        case .container: ("container", "", "", "@iCloud.*", .text)
        case .scope: ("scope", "", "", "/private", .choice(scopes))
        case .zone: ("zone", "", "", "#Notes*", .text)
        case .recordType: ("recordType", "type", "", "type=Note", .text)
        case .user: ("user", "user", "", "user=ann", .text)
        case .device: ("device", "device", "", "device=phone", .text)
        case .nth: ("nth", "nth", "", "nth=1", counts)
        case .every: ("every", "every", "", "every=2", counts)
        case .times: ("times", "times", "", "times=1", counts)
        case .probability:
            ("probability", "probability", "", "probability=0.1", .decimal(1e-9...1))
        case .code: ("code", "", "", "THROTTLED", .choice(Self.codes))
        case .retryAfter: ("retryAfter", "retry", "s", "retry=30s", .decimal(0...1_000_000))
        case .reason: ("reason", "reason", "", "reason=busy", .text)
        case .items: ("items", "", "", "1 items", .count)
        case .records: ("records", "", "", "1 records", .count)
        case .milliseconds: ("milliseconds", "", "ms", "50ms", .whole(1...600_000))
        case .newRecords: ("records", "", "", "3 records", .whole(0...Double(Self.newRecordsMax)))
        case .perSecond: ("perSecond", "", "/s", "10/s", .decimal(1e-6...1_000_000))
        case .burst: ("burst", "", "", "burst 20", .whole(1...1_000_000))
        }
    }

    /// Reads the text form of a value.
    ///
    /// - Throws: ``FaultError`` without a place.
    func value(of text: String) throws(FaultError) -> FaultValue {
        let facts = facts
        let (range, isWhole): (ClosedRange<Double>, Bool)
        switch facts.kind {
        case .text:
            guard text.utf8.count <= 500 else {
                throw FaultError("\(facts.name) has at most 500 bytes")
            }
            return .text(text)
        case .choice(let names):
            guard names.contains(text) else {
                throw FaultError(
                    "unknown \(facts.name) \"\(text)\"",
                    suggestion: NearestName.closest(to: text, among: names))
            }
            return .text(text)
        case .count where text == "all": return .number(.infinity)
        case .count: (range, isWhole) = (1...Double(WireLimits.operationsMax), true)
        case .whole(let bounds): (range, isWhole) = (bounds, true)
        case .decimal(let bounds): (range, isWhole) = (bounds, false)
        }
        let number = number(text, unit: facts.unit)
        if let number, range.contains(number), !isWhole || number == number.rounded() {
            return .number(number)
        }
        let bounds = [range.lowerBound, range.upperBound].map { FaultValue.number($0).text() }
        throw FaultError(
            "\(facts.name) must be a \(isWhole ? "whole " : "")number from \(bounds[0]) to \(bounds[1])",
            suggestion: facts.example)
    }

    /// A number with its unit; times in either unit, or in seconds without one.
    private func number(_ text: String, unit: String) -> Double? {
        let given = ["ms", "/s", "s"].first { text.hasSuffix($0) } ?? ""
        guard let number = Double(text.dropLast(given.count)) else { return nil }
        return switch (unit, given) {
        case ("ms", "s"), ("ms", ""): (number * 1000).rounded()
        case ("ms", "ms"): number.rounded()
        case ("s", "ms"): number / 1000
        case ("s", ""): number
        default: unit == given ? number : nil
        }
    }
}

/// A value that a rule was given, and that is legal by itself.
enum FaultValue: Sendable, Hashable {
    case text(String)
    case number(Double)

    /// As in the text form.
    func text(unit: String = "") -> String {
        switch self {
        case .text(let text): text
        case .number(.infinity): "all"
        case .number(let number): (Int(exactly: number).map { "\($0)" } ?? "\(number)") + unit
        }
    }
}
