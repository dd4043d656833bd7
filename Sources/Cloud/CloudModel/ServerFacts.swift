/// Which server a run talks to, as everything that tells of the run says it.
package struct ServerFacts: Sendable, Hashable, CustomStringConvertible {
    /// Scheme, host and port, such as `https://localhost:8443`; without a slash at the end.
    package let url: String
    /// Whether it is a mock server, or any other that is not Apple's: what is done there proves
    /// nothing about people's data.
    package let isRehearsal: Bool

    /// Where Apple answers.
    package static let apple = ServerFacts(
        url: "https://api.apple-cloudkit.com", isRehearsal: false)

    package init(url: String, isRehearsal: Bool) {
        self.url = url
        self.isRehearsal = isRehearsal
    }

    /// The address, with `(rehearsal)` where it is one.
    package var description: String { isRehearsal ? "\(url) (rehearsal)" : url }
}
