/// What the body of a test threw, with what repeats it.
public struct MockCloudFailure: Error, Sendable, CustomStringConvertible {
    /// What was thrown.
    public let error: any Error
    /// What repeats the service's names, tokens and faults.
    public let seed: UInt64
    /// A line for a shell that runs the test again with this seed.
    public let command: String

    /// The error; the seed and the command.
    public var description: String { "\(error)\n\(Replay.line(seed, command))" }
}
