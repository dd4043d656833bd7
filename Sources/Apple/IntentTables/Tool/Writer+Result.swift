extension Writer {
    mutating func add(_ result: ResolutionResult) {
        let name = "IN\(result.name)ResolutionResult"
        let subject = result.subject
        let isReason = result.kind == .reason
        let parent = isReason ? "IN\(subject)ResolutionResult" : "INIntentResolutionResult"
        code.add(
            isReason
                ? "/// A resolved value, or why the app cannot use it."
                : "/// The resolution of a value: \(Words.of(result.name).lowercased()).")
        code.block("open class \(name): \(parent)") { code in
            if isReason {
                code.add("/// The app cannot use the value, for this reason.")
                code.add(
                    "open class func unsupported("
                        + "forReason reason: IN\(result.name)UnsupportedReason) -> Self "
                        + "{ Self(.unsupported(reason: reason.rawValue)) }")
                let label = subject.prefix(1).lowercased() + subject.dropFirst()
                code.add("/// The same as another result.")
                code.add(
                    "public convenience init(\(label)ResolutionResult: \(parent)) "
                        + "{ self.init(\(label)ResolutionResult.outcome) }")
            } else {
                let confirmed = result.kind == .constant ? subject : subject + "?"
                code.add("/// The value is resolved.")
                code.add(
                    "open class func success(with resolved: \(subject)) -> Self "
                        + "{ Self(.success(resolved)) }")
                if result.kind == .choice {
                    code.add("/// It is one of these; the user has to choose.")
                    code.add(
                        "open class func disambiguation(with choices: [\(subject)]) -> Self "
                            + "{ Self(.disambiguation(choices)) }")
                }
                code.add("/// It is probably this; the user has to confirm.")
                code.add(
                    "open class func confirmationRequired(with value: \(confirmed)) -> Self "
                        + "{ Self(.confirmationRequired(value)) }")
            }
            if isReason, subject == "MediaItem" {
                code.add("/// The values are resolved, one result each.")
                code.add(
                    "open class func successes(with resolved: [INMediaItem]) -> [\(name)] "
                        + "{ resolved.map { \(name)(.success($0)) } }")
            }
        }
    }
}
