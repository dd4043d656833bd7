package import Basics
package import CloudModel

/// What is known when a run begins.
package struct RunStart: Sendable {
    package let id: String
    package let verb: String
    package let environment: Container.Environment
    package let containers: [Container.ID]
    /// The address of the server that is asked.
    package let server: String
    /// Whether the server is another one than Apple's.
    package let isRehearsal: Bool
    package let began: Timestamp
    package let allowPartial: String?

    package init(
        id: String, verb: String, environment: Container.Environment, containers: [Container.ID],
        server: String, isRehearsal: Bool, began: Timestamp, allowPartial: String?
    ) {
        self.id = id
        self.verb = verb
        self.environment = environment
        self.containers = containers
        self.server = server
        self.isRehearsal = isRehearsal
        self.began = began
        self.allowPartial = allowPartial
    }
}
