import CloudModel

/// The way to the containers of a list.
final class CloudConnection: Sendable {
    init(
        _ list: ContainerList, at server: ServerChoice, in environment: Environment
    ) throws(ConfigurationError) {
    }

    func database(at address: Database.Address) -> any CloudDatabase {
        preconditionFailure("not yet")
    }

    func close() {}
}
