private import JSON

/// Replaces strings of a JSON text and leaves every other byte as it is.
package enum JSONStrings {
    /// The text with some of its strings replaced.
    ///
    /// - Parameter replacement: Gets the keys that lead to a string from the outermost object, and the
    ///   string; nil leaves it. Keys of objects are not strings here.
    /// - Returns: nil where the text is not JSON.
    package static func rewrite<Failure: Error>(
        _ json: [UInt8],
        _ replacement: (_ keys: [String], _ text: String) throws(Failure) -> String?
    ) throws(Failure) -> [UInt8]? {
        let limits = JSONLimits(
            bytesMax: json.count, depthMax: RecordingLimits.depthMax)
        // From here on the text is known to be well-formed.
        guard (try? JSONDocument.parse(json, limits: limits)) != nil else { return nil }
        var result: [UInt8] = []
        var copied = 0
        var keys: [String] = []
        var isObject: [Bool] = []
        var isKey = false
        var at = 0
        while at < json.count {
            defer { at += 1 }
            switch json[at] {
            case 0x7B:  // {
                isObject.append(true)
                keys.append("")
                isKey = true
            case 0x5B:  // [
                isObject.append(false)
                isKey = false
            case 0x7D:  // }
                isObject.removeLast()
                keys.removeLast()
                isKey = false
            case 0x5D: isObject.removeLast()  // ]
            case 0x2C: isKey = isObject.last == true  // ,
            case 0x22:
                let end = Self.end(ofStringAt: at, in: json)
                let text = Self.text(json[at..<end])
                if isKey {
                    keys[keys.count - 1] = text
                    isKey = false
                } else if let new = try replacement(keys, text) {
                    result += json[copied..<at]
                    result += literal(new)
                    copied = end
                }
                at = end - 1
            default: break
            }
        }
        return copied == 0 ? json : result + json[copied...]
    }

    /// The place after its closing quote.
    private static func end(ofStringAt start: Int, in json: [UInt8]) -> Int {
        var at = start + 1
        while json[at] != 0x22 { at += json[at] == 0x5C ? 2 : 1 }
        return at + 1
    }

    private static func text(_ literal: ArraySlice<UInt8>) -> String {
        guard literal.contains(0x5C), let document = try? JSONDocument.parse(Array(literal)),
            let text = document.root.string
        else { return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self) }
        return text
    }

    private static func literal(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes
    }
}
