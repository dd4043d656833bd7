import Basics

/// What was typed after a verb, checked against the verb's row of the table.
package struct Arguments: Sendable {
    private var values: [String: [String]] = [:]
    /// What stands in places, in order.
    package private(set) var positionals: [String] = []
    /// What follows `--`, for verbs that run a command; or the verb, where another program gets all of it.
    package private(set) var command: [String] = []

    package init() {}

    package func has(_ option: Option) -> Bool { values[option.name] != nil }
    package func text(_ option: Option) -> String? { values[option.name]?.last }
    package func texts(_ option: Option) -> [String] { values[option.name] ?? [] }
    package func number(_ option: Option) -> Int? { text(option).flatMap { Int($0) } }
    package func duration(_ option: Option) -> Duration? {
        text(option).flatMap { DurationText.parse($0) }
    }
    /// In bytes.
    package func size(_ option: Option) -> Int? { text(option).flatMap { SizeText.parse($0) } }

    mutating func add(_ value: String, for option: Option) {
        values[option.name, default: []].append(value)
    }
    mutating func add(positional: String) { positionals.append(positional) }
    mutating func set(command: [String]) { self.command = command }
}
