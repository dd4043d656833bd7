package import CloudModel

/// Where a web auth token is kept outside the process, for all processes that use it in turn or
/// together.
///
/// Who has requests under way that bear the token holds it from ``hold(alone:)`` to ``release()``, and
/// puts each next token on disk before anybody acts on the answer that brought it.
package protocol WebAuthTokenKeeper: Sendable {
    /// Waits until the token may be used here, and reads it.
    ///
    /// - Parameter alone: Whether no other process may use it meanwhile: the service takes each
    ///   token once.
    /// - Returns: nil when nobody is signed in; then it is not held.
    /// - Throws: `cancelled`, when the task was; `authenticationFailed`, when the token cannot be
    ///   read, or the next one could not be kept.
    func hold(alone: Bool) async throws(CloudError) -> String?

    /// Replaces the token while it is held; on disk when this returns.
    func keep(_ token: String) async throws(CloudError)

    /// Lets others use it.
    func release() async
}
