/// Why a mock cloud did not do what it was told to. What apps ask for fails with `CKError`s, never with this.
public struct MockCloudError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong, in words that name the nearest legal form where there is one.
    public let description: String

    init(_ description: String) { self.description = description }
}
