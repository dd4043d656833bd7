package import Donations
import FoundationEssentials

/// Reads property lists, XML and binary, and JSON into values.
package enum ManifestFile {
    /// Bytes of the largest property list that is read.
    package static let bytesMax = 16 << 20
    /// Arrays and dictionaries inside one another at most.
    package static let depthMax = 64

    /// The value of a property list or of JSON; nil when the bytes are neither, or are over a limit.
    package static func read(_ bytes: [UInt8]) -> ManifestValue? {
        guard bytes.count <= bytesMax else { return nil }
        let data = Data(bytes)
        let tree =
            (try? PropertyListDecoder().decode(Tree.self, from: data))
            ?? (try? JSONDecoder().decode(Tree.self, from: data))
        return tree?.value
    }

    /// A value that can be decoded whatever it is.
    private struct Tree: Decodable {
        let value: ManifestValue

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            guard decoder.codingPath.count < depthMax else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "nested too deep"))
            }
            if let container = try? decoder.container(keyedBy: Key.self) {
                var members: [String: ManifestValue] = [:]
                for key in container.allKeys {
                    members[key.stringValue] =
                        try container.decode(Tree.self, forKey: key).value
                }
                value = .dictionary(members)
            } else if var container = try? decoder.unkeyedContainer() {
                var list: [ManifestValue] = []
                while !container.isAtEnd { list.append(try container.decode(Tree.self).value) }
                value = .list(list)
            } else {
                value = Self.scalar(try decoder.singleValueContainer())
            }
        }

        private static func scalar(_ container: any SingleValueDecodingContainer) -> ManifestValue {
            if let text = try? container.decode(String.self) { return .text(text) }
            if let flag = try? container.decode(Bool.self) { return .flag(flag) }
            if let number = try? container.decode(Double.self) { return .number(number) }
            return .other
        }
    }
}
