/// One option of a verb, as data: parsing, help and completions are made from it.
package struct Option: Sendable, Hashable {
    /// The long name without its dashes.
    package let name: String
    /// The one-letter name, where there is one.
    package let short: Character?
    /// What follows the option; nil for a switch.
    package let value: Value?
    /// One line for the help text.
    package let summary: String
    /// Whether it may be given more than once.
    package let repeats: Bool
    /// Whether values may follow one another behind one name, as a shell puts them for a pattern; for verbs
    /// that take nothing by its place.
    package let takesMany: Bool
    /// Whether the verb cannot do without it.
    package let isNeeded: Bool

    package init(
        _ name: String, short: Character? = nil, value: Value? = nil, repeats: Bool = false,
        takesMany: Bool = false, isNeeded: Bool = false, _ summary: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.repeats = repeats || takesMany
        self.takesMany = takesMany
        self.isNeeded = isNeeded
        self.summary = summary
    }

    /// What an option or a positional argument is filled with.
    package struct Value: Sendable, Hashable {
        /// The word that stands for it in help, such as `FILE`.
        package let name: String
        package let kind: Kind

        package init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }

        package static let file = Value("FILE", .file)
        package static let directory = Value("DIR", .directory)
        package static let duration = Value("TIME", .duration)
        package static func size(_ range: ClosedRange<Int>) -> Value { Value("SIZE", .size(range)) }
        package static func text(_ name: String) -> Value { Value(name, .text) }
        package static func known(_ name: String, _ kind: KnownName) -> Value {
            Value(name, .known(kind))
        }
        package static func number(_ range: ClosedRange<Int>) -> Value {
            Value("N", .number(range))
        }
        package static func choice(_ choices: [String]) -> Value {
            Value(choices.joined(separator: "|"), .choice(choices))
        }
    }

    /// What a value must look like.
    package enum Kind: Sendable, Hashable {
        case text
        case file
        case directory
        case number(ClosedRange<Int>)
        /// `90`, `90s`, `1h30m`, `250ms`
        case duration
        /// `256MiB`, in bytes
        case size(ClosedRange<Int>)
        case choice([String])
        /// One of these, or something else that the verb itself checks.
        case suggested([String])
        /// Any text, of which this machine knows some.
        case known(KnownName)
        /// What the program itself checks, such as an identifier.
        case checked(Check)
    }

    /// A check of the program's own for the values of an option.
    package struct Check: Sendable, Hashable {
        /// Two checks of one name are the same.
        package let name: String
        /// What a shell offers there; nil: nothing.
        package let names: KnownName?
        /// What is wrong with a text, as the end of a sentence that begins with the option; nil: nothing.
        package let problem: @Sendable (String) -> String?

        package init(
            _ name: String, names: KnownName? = nil,
            problem: @escaping @Sendable (String) -> String?
        ) {
            self.name = name
            self.names = names
            self.problem = problem
        }

        package static func == (left: Check, right: Check) -> Bool { left.name == right.name }
        package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

/// An argument known by its place.
package struct Positional: Sendable, Hashable {
    package let value: Option.Value
    package let arity: Arity
    package let summary: String

    package init(_ value: Option.Value, _ arity: Arity, _ summary: String) {
        self.value = value
        self.arity = arity
        self.summary = summary
    }

    /// How many may stand there.
    package enum Arity: Sendable, Hashable {
        case one
        case optional
        case any
        /// One or more.
        case some
        /// Everything after `--`, untouched: a command to run.
        case command
        /// The same, where it can be left out.
        case optionalCommand
        /// Everything after the verb, untouched and with its options: arguments of another program.
        case rest

        /// Whether it is what follows `--`.
        var isCommand: Bool { self == .command || self == .optionalCommand }
    }

    /// Whether more than one may stand there.
    var takesMore: Bool { arity == .any || arity == .some }

    /// `PLAN`, `[RUN]`, `[FILE...]` or `-- CMD [ARG...]`
    package var usage: String {
        switch arity {
        case .one: value.name
        case .optional: "[\(value.name)]"
        case .any: "[\(value.name)...]"
        case .some: "\(value.name)..."
        case .command: "-- \(value.name) [ARG...]"
        case .optionalCommand: "[-- \(value.name) [ARG...]]"
        case .rest: "\(value.name)..."
        }
    }
}
