import FileSystem

/// Paths as a list names them: from the folder that it lies in.
enum RelativePath {
    /// The way from the folder of `list` to `file`; the absolute path where there is none that leads there.
    static func path(to file: String, from list: String, files: Files) -> String {
        let folder = parts(files.absolute(list)).dropLast()
        let target = parts(files.absolute(file))
        let shared = zip(folder, target).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folder.count - shared)
        let path = (up + target.dropFirst(shared)).joined(separator: "/")
        // Where a folder on the way is a link, ".." leads elsewhere. One that is not there yet is none.
        let start = "/" + folder.joined(separator: "/")
        let leadsThere =
            files.facts(start) == nil || files.facts("\(start)/\(path)")?.isFile == true
        return leadsThere ? path : files.absolute(file)
    }

    /// The folders on the way, without "." and "..".
    private static func parts(_ path: String) -> [String] {
        var parts: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts
    }
}
