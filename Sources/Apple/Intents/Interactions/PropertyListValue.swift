internal import Donations
internal import Foundation

/// Any property list, as intent definitions are read from.
struct PropertyListValue: Decodable {
    let value: ManifestValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            value = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else if let list = try? container.decode([PropertyListValue].self) {
            value = .list(list.map(\.value))
        } else if let entries = try? container.decode([String: PropertyListValue].self) {
            value = .dictionary(entries.mapValues(\.value))
        } else {
            value = .other
        }
    }
}
