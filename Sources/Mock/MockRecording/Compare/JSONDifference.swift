package import JSON

/// A place where two JSON values differ.
package struct JSONDifference: Sendable, Hashable {
    /// Such as `operations[3].record.recordName`; empty at the root.
    package let path: String
    /// What stands there in the recording, cut where it is long; nil: nothing.
    package let recorded: String?
    /// What stands there instead.
    package let found: String?

    package init(path: String, recorded: String?, found: String?) {
        self.path = path
        self.recorded = recorded
        self.found = found
    }

    /// Characters of a value that are shown.
    private static let shownMax = 40

    /// Finds differences.
    ///
    /// - Parameters:
    ///   - most: No more than so many.
    ///   - areAlike: Whether two values that are neither objects nor arrays count as equal; gets the keys that
    ///     lead to them.
    package static func find(
        _ recorded: JSONValue, _ found: JSONValue, most: Int,
        areAlike: (_ keys: [String], _ recorded: JSONValue, _ found: JSONValue) -> Bool
    ) -> [JSONDifference] {
        var finder = Finder(most: most)
        finder.compare(recorded, found, "", areAlike)
        return finder.differences
    }

    /// Whether two values are written alike.
    package static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        left.kind == right.kind && left.string == right.string && left.int64 == right.int64
            && left.double == right.double && left.bool == right.bool
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value.kind {
        case .object: return "an object"
        case .array: return "an array of \(value.count)"
        default:
            var writer = JSONWriter()
            writer.value(value)
            let text = writer.text
            return text.count <= shownMax ? text : text.prefix(shownMax) + "…"
        }
    }

    private struct Finder {
        let most: Int
        var differences: [JSONDifference] = []
        private var keys: [String] = []

        init(most: Int) { self.most = most }

        mutating func compare(
            _ recorded: JSONValue, _ found: JSONValue, _ path: String,
            _ areAlike: ([String], JSONValue, JSONValue) -> Bool
        ) {
            guard differences.count < most else { return }
            switch (recorded.kind, found.kind) {
            case (.object, .object): members(recorded, found, path, areAlike)
            case (.array, .array):
                var others = found.elements
                var index = 0
                for element in recorded.elements {
                    let place = "\(path)[\(index)]"
                    index += 1
                    if let other = others.next() {
                        compare(element, other, place, areAlike)
                    } else {
                        add(place, element, nil)
                    }
                }
                while let other = others.next() {
                    add("\(path)[\(index)]", nil, other)
                    index += 1
                }
            case (.object, _), (.array, _), (_, .object), (_, .array): add(path, recorded, found)
            default: if !areAlike(keys, recorded, found) { add(path, recorded, found) }
            }
        }

        private mutating func members(
            _ recorded: JSONValue, _ found: JSONValue, _ path: String,
            _ areAlike: ([String], JSONValue, JSONValue) -> Bool
        ) {
            let prefix = path.isEmpty ? "" : path + "."
            for member in recorded.members {
                if let other = found[member.key] {
                    keys.append(member.key)
                    compare(member.value, other, prefix + member.key, areAlike)
                    keys.removeLast()
                } else {
                    add(prefix + member.key, member.value, nil)
                }
            }
            for member in found.members where recorded[member.key] == nil {
                add(prefix + member.key, nil, member.value)
            }
        }

        private mutating func add(_ path: String, _ recorded: JSONValue?, _ found: JSONValue?) {
            guard differences.count < most else { return }
            differences.append(
                JSONDifference(
                    path: path, recorded: recorded.map(JSONDifference.shown),
                    found: found.map(JSONDifference.shown)))
        }
    }
}

extension JSONDifference: CustomStringConvertible {
    package var description: String {
        let place = path.isEmpty ? "the body" : path
        return switch (recorded, found) {
        case (let recorded?, let found?): "\(place) is \(found), recorded was \(recorded)"
        case (let recorded?, nil): "\(place) is missing, recorded was \(recorded)"
        case (nil, let found?): "\(place) is \(found), recorded was none"
        case (nil, nil): place
        }
    }
}
