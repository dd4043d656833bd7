import CloudModel

/// What a declared text means.
extension DeclarationScan {
    private static let wildcardTexts = ["*", "iCloud.*"]
    /// Variables for an app's team, with its dot where they have none.
    private static let teamPrefixes =
        ["TeamIdentifierPrefix", "AppIdentifierPrefix"]
        .flatMap { ["$(\($0))", "${\($0)}"] } + ["$(DEVELOPMENT_TEAM).", "${DEVELOPMENT_TEAM}."]

    mutating func problem(_ path: String, _ line: Int?, _ reason: String) {
        problems.append("\(Self.place(path, line)): \(reason)")
    }

    private static func place(_ path: String, _ line: Int?) -> String {
        line.map { "\(path):\($0)" } ?? path
    }

    /// Takes a text that a file declares as a container: it becomes one, or a problem.
    ///
    /// - Parameters:
    ///   - users: The settings that its variables are resolved with, one after another.
    ///   - showsLine: Whether the line belongs to the container's place too.
    mutating func take(
        _ text: String, at path: String, line: Int?, by users: [BuildSettings],
        showsLine: Bool = false
    ) {
        let plain = Self.withoutTeam(text)
        guard !Self.wildcardTexts.contains(plain) else {
            wildcards.append("\(Self.place(path, line)): \"\(text)\"")
            return
        }
        let shown = showsLine ? Self.place(path, line) : path
        guard BuildSettings.isUnresolved(plain) else {
            return take(identifier: plain, path, line, place: shown)
        }
        guard !users.isEmpty else {
            let reason = "\"\(text)\" contains a variable, and no target uses this file"
            return problem(path, line, reason)
        }
        // Targets of two projects may have one name.
        let groups = Dictionary(grouping: users) { "\($0.target) \($0["SRCROOT"] ?? "")" }
        for (_, users) in groups.sorted(by: { $0.key < $1.key }) {
            let target = users[0].target
            var seen: Set<String> = []
            for user in users {
                let identifier = Self.withoutTeam(user.resolve(plain))
                // A condition need not apply: what it does not resolve, the others may.
                guard !BuildSettings.isUnresolved(identifier), seen.insert(identifier).inserted
                else { continue }
                take(identifier: identifier, path, line, place: "\(shown), \(user.name)")
                for doubt in user.doubts(about: plain) {
                    problem(
                        path, line, "\"\(text)\" may be another container in \(target): \(doubt)")
                }
            }
            guard seen.isEmpty else { continue }
            let doubts = users[0].doubts(about: plain).map { ": \($0)" }.joined()
            problem(
                path, line,
                "\"\(text)\" contains a variable that no build setting of \(target) "
                    + "defines\(doubts)")
        }
    }

    private mutating func take(identifier: String, _ path: String, _ line: Int?, place: String) {
        if let id = Container.ID(identifier) {
            containers.append(DeclaredContainer(id: id, place: place))
        } else if let reason = Container.ID.problem(in: identifier) {
            problem(path, line, "container \"\(identifier)\" \(reason)\(Self.hint(identifier))")
        }
    }

    /// The identifier that was probably meant.
    private static func hint(_ identifier: String) -> String {
        let prefix = "icloud."
        let rest =
            identifier.lowercased().hasPrefix(prefix)
            ? String(identifier.dropFirst(prefix.count)) : identifier
        let meant = "iCloud.\(rest)"
        return meant != identifier && Container.ID(meant) != nil
            ? "; did you mean \"\(meant)\"?" : ""
    }

    /// An identifier without the team that ubiquity containers have before it.
    private static func withoutTeam(_ text: String) -> String {
        for prefix in teamPrefixes where text.hasPrefix(prefix) {
            return String(text.dropFirst(prefix.count))
        }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isTeam =
            parts.count == 2 && parts[0].utf8.count == 10
            && parts[0].utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
            }
        return isTeam ? String(parts[1]) : text
    }
}
