/// Paths as text.
enum FilePath {
    /// A path without `.`, `..`, repeated slashes and one at the end.
    static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    static func name(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }

    /// The folder of a file; empty for one in the working folder.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func join(_ folder: String, _ path: String) -> String {
        var path = Substring(path)
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        return folder.isEmpty ? String(path) : "\(folder)/\(path)"
    }

    /// A path as a user gave it, without a slash at the end.
    static func withoutSlash(_ path: String) -> String {
        var path = Substring(path)
        while path.hasSuffix("/"), path.count > 1 { path = path.dropLast() }
        return String(path)
    }
}
