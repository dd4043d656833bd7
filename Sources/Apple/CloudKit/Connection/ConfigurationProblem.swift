/// What keeps a process from being connected, in words that say what to set.
public struct CloudKitConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}
