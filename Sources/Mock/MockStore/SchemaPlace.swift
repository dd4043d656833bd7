package import CloudModel

/// A container and environment of whose record types something is known.
package struct SchemaPlace: Sendable, Hashable {
    package let container: Container.ID
    package let environment: Container.Environment
    /// Whether the container was given a schema.
    package let isDeclared: Bool
}
