/// What things of a recording are called at the server that it is compared with.
struct Renaming: Sendable {
    private var found: [String: String] = [:]
    private var recorded: [String: String] = [:]

    /// Whether one name can stand for the other, as it does or does not yet everywhere.
    func fits(_ name: String, _ other: String) -> Bool {
        (found[name] ?? other) == other && (recorded[other] ?? name) == name
    }

    /// Notes a name that stands for another always.
    mutating func bind(_ name: String, _ other: String) {
        guard fits(name, other), found.count < RecordingLimits.standInsMax else { return }
        found[name] = other
        recorded[other] = name
    }

    /// Notes a value that stands for another from now on.
    mutating func follow(_ value: String, _ other: String) {
        guard found.count < RecordingLimits.standInsMax || found[value] != nil else { return }
        found[value] = other
    }

    /// What a text of the recording is called there.
    func renamed(_ text: String) -> String? { found[text] }
}
