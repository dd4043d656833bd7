import Testing
import ToolRunner

/// Where a program runs.
enum Housing: String, Sendable, CaseIterable {
    /// Beside all others.
    case plain
    /// In a PID namespace, as in a container: it sees no other process, and process numbers are the
    /// same in each.
    case container
    /// The same, with a `/proc` that tells of processes only.
    case closed

    /// Those that this machine lets us make.
    static let available: [Housing] = allCases.filter { $0 == .plain || $0.canBeMade }
    /// Those in which other processes cannot be seen.
    static let containers: [Housing] = allCases.filter { $0 != .plain }
    static let areContainersAllowed = containers.allSatisfy(available.contains)
    static let whyNot: Comment = "this user may not make PID namespaces here"

    /// The words before those of the program itself.
    var words: [String] {
        switch self {
        case .plain: []
        case .container: Self.unshare
        case .closed:
            Self.unshare + [
                "/bin/sh", "-c",
                "mount -t proc -o subset=pid proc /proc && exec \"$0\" \"$@\"",
            ]
        }
    }

    /// Whoever is not root makes a user namespace of its own around it.
    private static let unshare: [String] = {
        let words = ["/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
        return runs(words) ? words : words + ["--user", "--map-root-user"]
    }()

    private var canBeMade: Bool { Self.runs(words) }

    private static func runs(_ words: [String]) -> Bool {
        let ended = try? Tool.run(words[0], words.dropFirst() + ["/bin/true"])
        return ended?.status == 0
    }
}
