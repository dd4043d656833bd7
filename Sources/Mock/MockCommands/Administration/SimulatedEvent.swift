import MockAdmin
import MockStore

/// What `cloudkit-mock simulate` can have happen.
enum SimulatedEvent {
    case act(MockAct.Kind)
    /// Pending work that can be done in parts; the other kinds are events of their own, such as `compact`.
    case work(Tick)

    /// Snapshots have a verb of their own.
    static let all =
        MockAct.Kind.allCases.filter { $0 != .snapshot && $0 != .restore }.map { Self.act($0) }
        + Tick.allCases.filter(\.canBeCounted).map { Self.work($0) }

    var work: Tick? {
        if case .work(let work) = self { work } else { nil }
    }

    /// As it is typed, such as `sign-out`.
    var name: String {
        switch self {
        case .act(let kind): kind.rawValue
        case .work(let work):
            work.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
        }
    }

    var summary: String {
        switch self {
        case .act(let kind): kind.summary
        case .work(let work): work.about
        }
    }

    /// What it takes: the first list it needs, the second it can do without.
    var parameters: (needed: [MockAct.Parameter], optional: [MockAct.Parameter]) {
        switch self {
        case .act(let kind): kind.parameters
        case .work: ([], [])
        }
    }
}
