import FoundationEssentials

/// A property list as a value: XML, binary, and the old text form of Xcode's project files.
package indirect enum PropertyList: Sendable, Hashable {
    case text(String)
    case list([PropertyList])
    case dictionary([String: PropertyList])
    /// Numbers, dates, truth values and data: nothing a container is named in.
    case other

    /// Reads any of the three forms; nil when it is none of them.
    package static func read(_ bytes: [UInt8]) -> PropertyList? {
        let bytes = SourceText.withoutMark(bytes)
        let looksLikeXML = bytes.prefix(256).contains(UInt8(ascii: "<"))
        if bytes.starts(with: Array("bplist".utf8)) || looksLikeXML {
            let parsed = try? PropertyListDecoder().decode(PropertyList.self, from: Data(bytes))
            if let parsed { return parsed }
        }
        var reader = OpenStepReader(bytes)
        return reader.readDocument()
    }

    package subscript(_ key: String) -> PropertyList? {
        if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }
    package var dictionary: [String: PropertyList]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The texts of a list, or the one text there is.
    package var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let list): list.compactMap { $0.text }
        case .dictionary, .other: []
        }
    }
    /// The texts of a list, or the one text there is; nil for anything else, also within the list.
    package var plainTexts: [String]? {
        switch self {
        case .text(let text): return [text]
        case .list(let list):
            let texts = list.compactMap { $0.text }
            return texts.count == list.count ? texts : nil
        case .dictionary, .other: return nil
        }
    }
    /// Every key with its value anywhere inside, sorted at each level.
    package var pairs: [(key: String, value: PropertyList)] {
        switch self {
        case .text, .other: []
        case .list(let list): list.flatMap { $0.pairs }
        case .dictionary(let dictionary):
            dictionary.sorted { $0.key < $1.key }.flatMap { [($0.key, $0.value)] + $0.value.pairs }
        }
    }
    /// Every text anywhere inside, keys left out.
    package var allTexts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let list): list.flatMap { $0.allTexts }
        case .dictionary(let dictionary): dictionary.values.flatMap { $0.allTexts }
        case .other: []
        }
    }
}

extension PropertyList: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads whatever kind of value is there.
    package init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < 64 else {
            self = .other
            return
        }
        if let container = try? decoder.container(keyedBy: Key.self) {
            var dictionary: [String: PropertyList] = [:]
            for key in container.allKeys {
                dictionary[key.stringValue] = try container.decode(PropertyList.self, forKey: key)
            }
            self = .dictionary(dictionary)
        } else if var container = try? decoder.unkeyedContainer() {
            var list: [PropertyList] = []
            while !container.isAtEnd { list.append(try container.decode(PropertyList.self)) }
            self = .list(list)
        } else if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .text(text)
        } else {
            self = .other
        }
    }
}
