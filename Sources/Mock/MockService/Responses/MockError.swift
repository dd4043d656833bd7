package import MockStore

/// Why the mock server refuses a request below `/_mock`, or a setting of its own. The service refuses with a
/// `CloudError` instead.
package struct MockError: Error, Sendable, Hashable {
    /// 400 to 599.
    package let status: Int
    /// One sentence for people.
    package let reason: String
    /// The methods answered; only with 405.
    let allow: String?

    package init(status: Int = 400, _ reason: String, allow: String? = nil) {
        self.status = status
        self.reason = reason
        self.allow = allow
    }

    /// What a failure of the store is answered with.
    package init(_ failure: MockStoreError) {
        let status =
            switch failure.code {
            case .busy: 503
            case .refused, .limit: 409
            case .malformed: 400
            default: 500
            }
        self.init(status: status, failure.description)
    }
}

/// Runs `body`; a failure of the store becomes the refusal that is sent.
package func storing<Result>(
    _ body: () throws(MockStoreError) -> Result
) throws(MockError) -> Result {
    do throws(MockStoreError) {
        return try body()
    } catch {
        throw MockError(error)
    }
}
