internal import Foundation

/// Words for a value, as a shortcut's title shows it.
enum DisplayText {
    /// The words of one value; empty when there is none to show.
    static func of(_ value: Any?) -> String {
        switch value {
        case nil: ""
        case let value as String: value
        case let value as INObject: value.displayString
        case let value as INPerson: value.displayName
        case let value as INSpeakableString: value.spokenPhrase
        case let value as INMediaItem: value.title ?? ""
        case let values as [Any]: values.map { of($0) }.joined(separator: ", ")
        case let value as NSNumber: value.stringValue
        case let value as INPersonHandle: value.value ?? ""
        default: ""
        }
    }
}
