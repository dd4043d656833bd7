import CloudModel

extension ShapeDefinition {
    static let errors: [ShapeDefinition] = [
        ShapeDefinition(
            "ErrorCode", .choice(CloudError.Code.allCases.filter(\.isServiceCode).map(\.rawValue))),
        failure("Error", []),
    ]

    /// The members of every error.
    static let errorKeys: [Shape.Member] = [
        .text("uuid").required, .named("serverErrorCode", "ErrorCode").required,
        .text("reason").required, .number("retryAfter"), .text("redirectURL"),
    ]

    /// An item's error, beside what says which item it is.
    static func failure(_ name: String, _ subject: [Shape.Member]) -> ShapeDefinition {
        ShapeDefinition(name, subject + errorKeys)
    }
}
