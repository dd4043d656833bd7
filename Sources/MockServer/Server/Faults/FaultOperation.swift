import CloudModel
import CloudWire

/// Which requests a fault looks at, by operation.
package enum FaultOperation: Sendable, Hashable, CustomStringConvertible {
    case any
    /// Every operation that changes nothing.
    case reads
    /// Every operation that changes data or access to it.
    case writes
    /// Every operation below a path such as `records`.
    case group(String)
    /// One operation, such as `zones/modify`.
    case one(String)

    /// Every operation the server knows.
    package static let paths = WireOperation.standard.map(\.rawValue)
    private static let modifyingPaths = Set(paths { $0.isModifying })
    private static let groups = Set(paths.map { String($0.prefix { $0 != "/" }) })

    /// The paths of operations that are such.
    static func paths(_ isSuch: (WireOperation.Facts) -> Bool) -> [String] {
        WireOperation.standard.filter { isSuch($0.facts) }.map(\.rawValue)
    }

    /// Reads `any`, `reads`, `writes`, `records/*` or `records/modify`; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "any", "*": self = .any
        case "reads": self = .reads
        case "writes": self = .writes
        case _ where Self.paths.contains(text): self = .one(text)
        case _ where text.hasSuffix("/*") && Self.groups.contains(String(text.dropLast(2))):
            self = .group(String(text.dropLast(2)))
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .any: "any"
        case .reads: "reads"
        case .writes: "writes"
        case .group(let name): name + "/*"
        case .one(let path): path
        }
    }

    /// The operations this stands for.
    package var selected: [String] { Self.paths.filter { matches($0) } }

    /// Whether this stands for the operation of `path`.
    package func matches(_ path: String) -> Bool {
        switch self {
        case .any: true
        case .reads: !Self.modifyingPaths.contains(path)
        case .writes: Self.modifyingPaths.contains(path)
        case .group(let name): path.hasPrefix(name + "/")
        case .one(let one): one == path
        }
    }

    /// The legal form nearest to a wrong one.
    package static func nearest(to text: String) -> String {
        let all = ["any", "reads", "writes"] + groups.sorted().map { $0 + "/*" } + paths
        return NearestName.closest(to: text, among: all) ?? "any"
    }
}
