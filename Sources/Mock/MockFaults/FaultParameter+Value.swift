import Basics
import CloudWire

extension FaultParameter {
    /// Reads the text form of a value.
    ///
    /// - Throws: ``FaultError`` without a place.
    package func value(of text: String) throws(FaultError) -> FaultValue {
        let facts = facts
        let (range, isWhole): (ClosedRange<Double>, Bool)
        switch facts.kind {
        case .text:
            guard text.utf8.count <= 500 else {
                throw FaultError("\(facts.name) has at most 500 bytes")
            }
            guard !text.isEmpty || self == .reason || self == .body else {
                throw FaultError("\(facts.name) is empty", suggestion: facts.example)
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
        case .time(_, or: let word) where text == word: return .text(word)
        case .count: (range, isWhole) = (1...Double(WireLimits.operationsMax), true)
        case .whole(let bounds): (range, isWhole) = (bounds, true)
        case .decimal(let bounds), .time(let bounds, _): (range, isWhole) = (bounds, false)
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

    /// A number with its unit; times in any unit, or in seconds without one.
    private func number(_ text: String, unit: String) -> Double? {
        if unit == "s" || unit == "ms", let time = DurationText.parse(text, upTo: Self.timeMax) {
            let milliseconds = Double(DurationText.milliseconds(time))
            return unit == "ms" ? milliseconds : milliseconds / 1000
        }
        var text = text
        if self == .nth || self == .every, let ending = Self.ordinals.first(where: text.hasSuffix) {
            text.removeLast(ending.count)
        }
        let given = ["ms", "/s", "s", "%"].first { text.hasSuffix($0) } ?? ""
        guard let number = Double(text.dropLast(given.count)) else { return nil }
        return switch (unit, given) {
        case ("ms", "s"), ("ms", ""): (number * 1000).rounded()
        case ("ms", "ms"): number.rounded()
        case ("s", "ms"): number / 1000
        case ("s", ""): number
        case ("", "%") where self == .probability: Self.shifted("\(number)", by: -2)
        default: unit == given ? number : nil
        }
    }

    /// A number with its decimal point moved: unlike a product, it is the same after it is moved back.
    static func shifted(_ text: String, by places: Int) -> Double? {
        let parts = text.split(separator: "e")
        guard let digits = parts.first else { return nil }
        return Double("\(digits)e\((parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + places)")
    }

    /// Longer than any valid duration.
    private static let timeMax = Duration.seconds(10_000_000_000)
}
