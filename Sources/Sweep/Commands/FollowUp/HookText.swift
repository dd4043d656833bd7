import CommandLine
import Evidence

/// What came of a hook, to people and to programs.
struct HookText: Sendable {
    private let hook: HookFacts

    init(_ hook: HookFacts) { self.hook = hook }

    /// In words, without a name for it.
    var words: String {
        let status = hook.status.map { " (\($0))" } ?? ""
        let tries = hook.attempts > 1 ? " after \(hook.attempts) attempts" : ""
        let outcome =
            switch hook.failure {
            case nil: "done"
            case .notStarted: "could not be started"
            case .exitStatus: "failed\(status)"
            case .outOfTime: "exceeded its time limit"
            case .refused: "was refused\(status)"
            case .redirected: "was redirected\(status); redirects are not followed"
            case .unreachable: "could not be reached"
            case .untrusted: "presented a certificate that is not trusted"
            case .stopped: "was stopped"
            }
        return "hook \(hook.position) (\(hook.kind.rawValue)) \(outcome)\(tries)"
    }

    func line(_ style: Style) -> String {
        style.text(hook.failure == nil ? "HOOK" : "HOOK FAILED", hook.failure == nil ? .good : .bad)
            + ": \(words)"
    }

    var event: Event {
        Event(
            "hook",
            [
                .init("position", hook.position), .init("kind", hook.kind.rawValue),
                .init("id", hook.id), .init("failure", hook.failure?.rawValue),
                .init("status", hook.status.map { .number($0) } ?? .null),
                .init("attempts", hook.attempts),
            ])
    }
}
