/// Settings of one source: a configuration file, or one configuration of a project or target.
package struct SettingsLayer: Sendable, Hashable {
    private var plain: [String: String] = [:]
    private var conditional: [String: [String: String]] = [:]
    /// What of the source could not be read; each may hide a setting.
    package private(set) var doubts: [String] = []

    package init(_ plain: [String: String] = [:], doubts: [String] = []) {
        self.plain = plain
        self.doubts = doubts
    }

    /// The conditions that settings have, sorted.
    package var conditions: [String] { conditional.keys.sorted() }

    /// The settings that apply: those with the condition override those without one.
    package func settings(under condition: String?) -> [String: String] {
        plain.merging(condition.flatMap { conditional[$0] } ?? [:]) { $1 }
    }

    package mutating func doubt(_ reason: String) { doubts.append(reason) }

    /// Sets `NAME`, or `NAME[sdk=…]`, which applies under a condition only.
    ///
    /// - Parameter configuration: The configuration that `[config=…]` is compared with.
    package mutating func set(_ key: String, to value: String, in configuration: String) {
        guard let open = key.firstIndex(of: "[") else {
            plain[key] = value
            return
        }
        let name = key[..<open].trimmingBlank
        var conditions: [String] = []
        for part in key[open...].split(whereSeparator: { "[],".contains($0) }) {
            let condition = part.trimmingBlank
            guard condition.hasPrefix("config=") else {
                if !condition.isEmpty { conditions.append(condition) }
                continue
            }
            let pattern = condition.dropFirst("config=".count)
            guard Self.matches(configuration, pattern) else { return }
        }
        if conditions.isEmpty {
            plain[name] = value
        } else {
            conditional[conditions.joined(separator: ", "), default: [:]][name] = value
        }
    }

    /// Takes over what an included file sets.
    package mutating func include(_ other: SettingsLayer) {
        plain.merge(other.plain) { $1 }
        conditional.merge(other.conditional) { $0.merging($1) { $1 } }
        doubts += other.doubts
    }

    /// Whether a name matches a pattern that may end in `*`.
    private static func matches(_ name: String, _ pattern: Substring) -> Bool {
        pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
    }
}
