/// What was typed cannot be carried out: exit status 2.
package struct UsageError: Error, Sendable, Hashable {
    /// What is wrong, without a final stop.
    package let message: String
    /// What to do instead, where that is not in the message.
    package let remedy: String?

    package init(_ message: String, remedy: String? = nil) {
        self.message = message
        self.remedy = remedy
    }
}
