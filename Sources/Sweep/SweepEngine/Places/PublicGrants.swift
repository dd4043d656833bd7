import CloudModel

/// What a schema has to grant in the public database, where every type says who may do what with its
/// records.
enum PublicGrants {
    /// A refusal with what would fix it; any other error as it is.
    static func explained(
        _ error: CloudError, _ right: Schema.Right, on type: String, _ request: SweepRequest
    ) -> CloudError {
        guard error.code == .accessDenied else { return error }
        let role =
            request.namedPerson == nil
            ? Schema.SystemRole.creator.rawValue : "a role of the key"
        let fix = "the schema has to grant \(right.rawValue) on \(type) to \(role)"
        return CloudError(
            error.code, reason: error.reason.isEmpty ? fix : "\(error.reason); \(fix)",
            retryAfter: error.retryAfter, httpStatus: error.httpStatus)
    }
}
