import CloudCommandLine
import CommandLine
import Configuration

/// What stands in the way of exit 0, as `doctor`, `containers check` and `containers init` say it.
struct ObstacleText: Sendable {
    /// What stands in the way: where, and why.
    let reasons: [String]

    init(_ obstacles: [Obstacle], others: [String] = []) {
        reasons = obstacles.map(\.error.description) + others
    }

    /// `cannot reach exit 0, because:`, and a paragraph for each; none where nothing is in the way.
    func lines(_ style: Style) -> [String] {
        guard !reasons.isEmpty else { return [] }
        return [style.text("cannot reach exit 0, because:", .bad)]
            + reasons.flatMap { style.paragraph(Visible.text($0), indent: 2) }
    }
}

extension Obstacle {
    /// For programs.
    var event: Event {
        Event(
            "obstacle",
            [
                .init("kind", kind.rawValue), .init("file", error.file),
                .init("line", error.line.map { .number($0) } ?? .null),
                .init("column", error.column.map { .number($0) } ?? .null),
                .init("message", error.reason),
            ])
    }
}

extension Obstacles {
    /// What keeps a run over a list from ending in 0, where its sign-ins are kept below a folder.
    ///
    /// - Parameter given: The state folder that was named; nil: the usual one.
    init(_ list: ContainerList, stateFolder given: String?, in environment: Environment) {
        self.init(list, in: environment.source) { server in
            SignInFolder(
                stateFolder: environment.stateFolder(
                    given, isRehearsal: server.facts.isRehearsal))
        }
    }
}
