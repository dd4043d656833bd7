private import JSON

/// Compares two answers to one request, and learns what is called otherwise.
struct AnswerComparison {
    /// Differences of one answer that are told.
    private static let most = 50

    var renaming = Renaming()

    /// What differs between a recorded answer and another server's.
    ///
    /// - Parameter isBinary: Whether bodies are compared byte by byte.
    mutating func compare(
        _ recorded: RecordedAnswer, _ found: RecordedAnswer, isBinary: Bool
    ) -> [JSONDifference] {
        var differences: [JSONDifference] = []
        if recorded.status != found.status {
            differences.append(
                JSONDifference(
                    path: "status", recorded: "\(recorded.status)", found: "\(found.status)"))
        }
        let limits = JSONLimits(depthMax: RecordingLimits.depthMax)
        guard !isBinary, let left = try? JSONDocument.parse(recorded.body, limits: limits).root,
            let right = try? JSONDocument.parse(found.body, limits: limits).root
        else {
            if recorded.body != found.body {
                differences.append(
                    JSONDifference(
                        path: "", recorded: "\(recorded.body.count) bytes",
                        found: "\(found.body.count) bytes"))
            }
            return differences
        }
        var renaming = renaming
        differences += JSONDifference.find(left, right, most: Self.most) { keys, left, right in
            Self.areAlike(keys, left, right, &renaming)
        }
        self.renaming = renaming
        return differences
    }

    private static func areAlike(
        _ keys: [String], _ recorded: JSONValue, _ found: JSONValue, _ renaming: inout Renaming
    ) -> Bool {
        let kind = ValueKind(keys)
        guard let before = recorded.string, let now = found.string else {
            return kind == .time && recorded.double != nil && found.double != nil
                || JSONDifference.areEqual(recorded, found)
        }
        switch kind {
        case .name:
            guard renaming.fits(before, now) else { return false }
            renaming.bind(before, now)
            return true
        case .fresh:
            renaming.follow(before, now)
            return true
        case .plain, .time: return (renaming.renamed(before) ?? before) == now || before == now
        }
    }
}
