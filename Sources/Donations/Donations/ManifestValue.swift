/// A property list or JSON text as a value: what manifests and intent definitions are read from.
package indirect enum ManifestValue: Sendable, Hashable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([ManifestValue])
    case dictionary([String: ManifestValue])
    /// Dates, data and null.
    case other

    package subscript(_ key: String) -> ManifestValue? { dictionary?[key] }

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var list: [ManifestValue]? { if case .list(let list) = self { list } else { nil } }
    package var dictionary: [String: ManifestValue]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
    /// Property lists written by hand say 1 for true.
    package var flag: Bool? {
        switch self {
        case .flag(let flag): flag
        case .number(let number) where number == 0 || number == 1: number == 1
        default: nil
        }
    }

    /// What a value is, for people.
    var noun: String {
        switch self {
        case .text: "a string"
        case .number: "a number"
        case .flag: "true or false"
        case .list: "an array"
        case .dictionary: "a dictionary"
        case .other: "a value of another kind"
        }
    }
}
