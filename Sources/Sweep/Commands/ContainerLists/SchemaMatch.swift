import CloudModel

/// Which of the schema files that were found is of which container. A `.ckdb` file does not say, so
/// that its name has to: `documents.ckdb` is of `iCloud.com.example.app.documents`.
struct SchemaMatch: Sendable {
    /// The file of each container that has just one, which is no other container's.
    private(set) var files: [Container.ID: String] = [:]

    init(_ containers: [Container.ID], among paths: [String]) {
        for container in containers {
            let names = Self.names(of: container)
            let matches = paths.filter { names.contains(Self.stem($0)) }
            if matches.count == 1 { files[container] = matches[0] }
        }
        // A name that two containers share tells of neither.
        let takers = Dictionary(grouping: files, by: \.value).mapValues(\.count)
        files = files.filter { takers[$0.value] == 1 }
    }

    /// What a container's file may be called: by its whole identifier, without `iCloud.`, or by its last
    /// component.
    private static func names(of container: Container.ID) -> Set<String> {
        let whole = container.rawValue.lowercased()
        let parts = whole.split(separator: ".").map { String($0) }
        return [whole, parts.dropFirst().joined(separator: "."), parts.last ?? whole]
    }

    /// The name of a file without folder and ending, in small letters.
    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        return name.lowercased().replacing(".ckdb", with: "")
    }
}
