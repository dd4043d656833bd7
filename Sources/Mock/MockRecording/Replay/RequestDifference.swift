private import JSON

/// What differs between a recorded request and one to the same path, in words.
enum RequestDifference {
    private static let most = 20

    static func find(_ recorded: RecordedRequest, _ found: RecordedRequest) -> [String] {
        var differences: [String] = []
        let (before, now) = (
            RequestKey.parameters(of: recorded), RequestKey.parameters(of: found)
        )
        differences += before.filter { !now.contains($0) }.map { "the parameter \($0) is missing" }
        differences += now.filter { !before.contains($0) }.map { "the parameter \($0) is new" }
        if recorded.range != found.range {
            differences.append(
                "the range is \(found.range ?? "none"), recorded was \(recorded.range ?? "none")")
        }
        guard let left = json(recorded.body), let right = json(found.body) else {
            if recorded.body != found.body { differences.append("the body differs") }
            return differences
        }
        let inBody = JSONDifference.find(left, right, most: most) { _, left, right in
            JSONDifference.areEqual(left, right)
        }
        return differences + inBody.map(words)
    }

    /// Values of secrets and names are not told.
    private static func words(_ difference: JSONDifference) -> String {
        let key = difference.path.split(separator: ".").last.map(String.init) ?? ""
        guard SecretRules(replacesRecordNames: false).treatment(of: "x", at: [key]) != nil else {
            return difference.description
        }
        return "\(difference.path) differs"
    }

    /// What a request says in place of texts that the program knew by itself; nil where it differs
    /// elsewhere too, or says something else than before.
    static func ownTexts(
        _ recorded: RecordedRequest, _ found: RecordedRequest, _ known: Renaming
    ) -> [(text: String, said: String)]? {
        guard recorded.range == found.range,
            RequestKey.parameters(of: recorded) == RequestKey.parameters(of: found),
            let left = json(recorded.body), let right = json(found.body)
        else { return nil }
        let own = Set(recorded.ownTexts)
        var renaming = known
        var texts: [(text: String, said: String)] = []
        let others = JSONDifference.find(left, right, most: 1) { _, left, right in
            if JSONDifference.areEqual(left, right) { return true }
            guard let text = left.string, let said = right.string, own.contains(text),
                renaming.fits(text, said)
            else { return false }
            renaming.bind(text, said)
            texts.append((text, said))
            return true
        }
        return others.isEmpty ? texts : nil
    }

    private static func json(_ body: [UInt8]) -> JSONValue? {
        try? JSONDocument.parse(body, limits: JSONLimits(depthMax: RecordingLimits.depthMax)).root
    }
}
