/// An intent that came from Siri and is being handled.
enum SiriRequest {
    @TaskLocal private static var handled: String?

    /// Runs `body` while an intent of a class from Siri is being handled.
    static func handling<Result>(
        _ className: String, _ body: () throws -> Result
    ) rethrows -> Result {
        try $handled.withValue(className, operation: body)
    }

    /// Whether a donation of `intent` would tell Siri what it had asked for itself.
    static func isBeingHandled(_ intent: INIntent) -> Bool { handled == intent.intentClassName }
}
