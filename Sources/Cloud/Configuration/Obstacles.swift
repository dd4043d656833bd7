package import CloudModel

/// One thing that keeps every run over a list from ending in 0, with the line that it is about.
package struct Obstacle: Sendable, Hashable {
    /// What is to be done about it, in kinds.
    package enum Kind: String, Sendable {
        /// The record types of a default zone are unknown.
        case recordTypes = "record types"
        case server
        /// A credential is missing, or cannot be read.
        case credential
        /// Nobody is signed in by `cksweep login`.
        case signIn = "sign-in"
    }

    package let kind: Kind
    /// Where, and what is missing there.
    package let error: ConfigurationError
}

/// What keeps a run over a list from ending in 0, as far as that can be told without asking any server:
/// all of it, and each thing once.
package struct Obstacles: Sendable {
    package private(set) var all: [Obstacle] = []
    /// The server; nil: one of the obstacles says why nobody knows it.
    package private(set) var server: ServerChoice?
    /// Containers whose credentials are all there.
    package private(set) var askable: [Container.ID] = []

    /// - Parameter signIns: Where the sign-ins at a server are kept.
    package init(
        _ list: ContainerList, in source: ConfigurationSource,
        signIns: (ServerChoice) -> SignInFolder
    ) {
        do throws(ConfigurationError) {
            server = try ServerChoice.choose(for: list, in: source)
        } catch {
            add(.server, error)
        }
        let reader = SecretReader(list, in: source, signIns: server.map(signIns))
        for entry in list.containers {
            if !entry.knowsRecordTypes {
                add(
                    .recordTypes,
                    list.error(
                        "the record types of \(entry.id) are unknown: add \"schema\" or "
                            + "\"recordTypes\"",
                        at: entry.place))
            }
            let problems = reader.problems(for: entry, at: server)
            if problems.isEmpty, server != nil { askable.append(entry.id) }
            for problem in problems { add(problem.kind, problem.error) }
        }
    }

    private mutating func add(_ kind: Obstacle.Kind, _ error: ConfigurationError) {
        let obstacle = Obstacle(kind: kind, error: error)
        // What all containers share is said once.
        if !all.contains(obstacle) { all.append(obstacle) }
    }
}
