/// Says what became of the data, from the service's store and nothing else.
package struct Oracle: Sendable {
    private let population: Population
    private let before: Set<String>
    /// Where each file could be had before the run.
    private let files: [(file: File, address: String)]

    /// What is wrong after a run.
    package struct Verdict: Sendable, Hashable {
        /// Things that should be gone and are there.
        package var left: [String]
        /// Things that should be there and are gone or changed.
        package var destroyed: [String]

        package init(left: [String] = [], destroyed: [String] = []) {
            self.left = left
            self.destroyed = destroyed
        }
    }

    /// Remembers what there is before the run.
    package init(_ population: Population) throws(LiarError) {
        self.population = population
        before = try Self.everything(population)
        var files: [(file: File, address: String)] = []
        if population.hasFiles {
            for file in File.all { files.append((file, try file.address(in: population))) }
        }
        self.files = files
    }

    /// Holds what is there now against what was.
    package func verdict() throws(LiarError) -> Verdict {
        let now = try Self.everything(population)
        let toStay = before.filter { !isToGo($0) && !isStructure($0) }
        let (there, gone) = (files.filter(isThere), files.filter { !isThere($0) })
        return Verdict(
            left: now.filter(isToGo).sorted()
                + there.filter(\.file.isToGo).map(\.file.description),
            destroyed: toStay.subtracting(now).sorted()
                + gone.filter { !$0.file.isToGo }.map(\.file.description))
    }

    /// Whether the service itself gives a file.
    private func isThere(_ file: (file: File, address: String)) -> Bool {
        let request = Request(method: "GET", target: File.target(file.address))
        return population.upstream.answer(request)?.status == 200
    }

    /// Every thing that was there before the run and still is, a line each.
    package func stayed() throws(LiarError) -> Set<String> {
        before.intersection(try Self.everything(population))
    }

    // MARK: What has to go

    /// Databases and default zones are there for ever, a zone as long as it holds something kept.
    private func isStructure(_ line: String) -> Bool {
        line.split(separator: " | ").count == 2 || line.hasSuffix("zone _defaultZone")
            || population.isProtected && line.hasSuffix(" | zone Journal")
            // It says who takes part.
            || line.contains(" cloudkit.share by ")
    }

    private func isToGo(_ line: String) -> Bool {
        if isStructure(line) || line.contains(Population.outside) { return false }
        if population.isProtected, isProtected(line) { return false }
        // Subscriptions are for who signs in alone.
        if population.key != nil, !line.hasPrefix("public") || line.contains(" | subscription ") {
            return false
        }
        if line.hasPrefix(Population.person) { return true }
        guard let names = population.names[Population.person]?.values else { return false }
        if line.contains(" | zone \(Population.lentZone) | ") {
            return names.contains { line.contains(" by \($0) ") }
        }
        guard line.hasPrefix("public") else { return false }
        // The person's own record cannot be deleted, but emptied.
        let isEmptied = line.contains(" Users ") && line.hasSuffix("{}")
        return !isEmptied
            && names.contains {
                line.contains(" by \($0) ") || line.contains("subscription \($0) ")
            }
    }

    private func isProtected(_ line: String) -> Bool {
        line.contains("receipt \(Population.protectedType) ")
            || line.hasPrefix(Population.person)
                && line.contains(" | zone \(Population.protectedZone)")
    }

    // MARK: Reading

    /// Every thing there is, each as one line that says whose it is, where, and all that it holds.
    private static func everything(_ population: Population) throws(LiarError) -> Set<String> {
        var lines: Set<String> = []
        for user in [Population.person, Population.other, nil] {
            let dump = try population.upstream.dump(of: user)
            var above = [(depth: -1, text: user ?? "public")]
            for line in dump {
                let depth = line.prefix { $0 == " " }.count
                above.removeAll { $0.depth >= depth }
                above.append((depth, String(line.dropFirst(depth))))
                lines.insert(above.map(\.text).joined(separator: " | "))
            }
        }
        return lines
    }
}
