private import AsyncOperations
private import CShims
private import Glibc

/// The file system, seen from a working folder.
package struct Files: Sendable {
    /// Relative paths start here.
    package let workingFolder: String

    package init(workingFolder: String) { self.workingFolder = workingFolder }

    /// The working folder of this process; "." when it cannot be told, as when it was removed.
    package static var currentFolder: String {
        guard let path = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Where files go that nobody keeps.
    package static var temporaryFolder: String {
        guard let path = unsafe getenv("TMPDIR"), unsafe path[0] == 0x2F else { return "/tmp" }
        return unsafe String(cString: path)
    }

    /// Bytes of the largest file that is read whole.
    package static let fileBytesMax = 64 << 20

    package func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path == "." { return workingFolder }
        var rest = Substring(path)
        while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
        return "\(workingFolder)/\(rest)"
    }

    /// The whole of a file.
    ///
    /// - Throws: Also at once when it is a folder, a pipe or a device.
    package func read(
        _ path: String, bytesMax: Int = fileBytesMax
    ) throws(FileError) -> [UInt8] {
        try Self.all(of: ByteFile(reading: absolute(path), named: path), path, bytesMax)
    }

    /// All that comes in on standard input, whatever that is.
    package func readStandardInput(bytesMax: Int = fileBytesMax) throws(FileError) -> [UInt8] {
        try Self.all(of: ByteFile.standardInput(), "standard input", bytesMax)
    }

    private static func all(
        of file: consuming ByteFile, _ path: String, _ bytesMax: Int
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try file.read(upTo: 1 << 16) {
            guard bytes.count + piece.count <= bytesMax else {
                throw FileError(path, "is larger than \(bytesMax) bytes")
            }
            bytes += piece
        }
        return bytes
    }

    /// Writes a file whole or not at all, and durably.
    ///
    /// - Parameter replacing: Without it an existing file is an error.
    package func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, replacing: Bool
    ) throws(FileError) {
        var file = try WholeFile(absolute(path), named: path, mode: mode)
        try file.write(bytes)
        try file.finish(replacing: replacing)
    }

    /// What is at a path; nil when nothing is.
    package func facts(_ path: String) -> Facts? {
        var facts = stat()
        guard unsafe stat(absolute(path), &facts) == 0 else { return nil }
        return Facts(
            isFolder: facts.st_mode & S_IFMT == S_IFDIR,
            isFile: facts.st_mode & S_IFMT == S_IFREG, mode: facts.st_mode & 0o7777,
            owner: facts.st_uid, modified: Int64(facts.st_mtim.tv_sec))
    }

    /// Kind and rights of a file.
    package struct Facts: Sendable, Hashable {
        package let isFolder: Bool
        /// Neither a folder nor a pipe, device or socket.
        package let isFile: Bool
        /// Permission bits, with the sticky bit and its like.
        package let mode: UInt32
        /// The owner's number.
        package let owner: UInt32
        /// When it was changed last, in seconds since 1970.
        package let modified: Int64

        package var isOurs: Bool { owner == geteuid() }
    }

    /// Whether a path is a regular file, and no link to one, that only its owner can use: this user.
    package func isPrivate(_ path: String) -> Bool {
        guard let facts = facts(path) else { return false }
        return !isLink(path) && facts.isFile && facts.isOurs && facts.mode & 0o077 == 0
    }

    /// Whether a path is a symbolic link.
    package func isLink(_ path: String) -> Bool {
        var facts = stat()
        return unsafe lstat(absolute(path), &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }

    /// The names in a folder, sorted.
    package func names(in path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(absolute(path)) else {
            throw FileError(path, "cannot be read", errno)
        }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { text in
                    unsafe String(cString: text)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes a folder and those above it; new ones are the user's alone.
    package func makeFolder(_ path: String) throws(FileError) {
        let target = absolute(path)
        if let facts = facts(target) {
            guard facts.isFolder else { throw FileError(path, "is not a folder") }
            return
        }
        if let slash = target.lastIndex(of: "/"), slash > target.startIndex {
            try makeFolder(String(target[..<slash]))
        }
        // Under the lock: what is removed for good is not made again by those who began before.
        let code = Self.removedForGood.withLock { removed -> Int32 in
            if removed.contains(target) { return ENOENT }
            return unsafe mkdir(target, 0o700) == 0 ? 0 : errno
        }
        guard code == 0 || code == EEXIST else {
            throw FileError(path, "cannot be created", code)
        }
    }

    /// What keeps a folder from being used; nil: nothing that can be told.
    package func problem(ofFolder path: String, forWriting: Bool) -> String? {
        var facts = stat()
        guard unsafe stat(absolute(path), &facts) == 0 else {
            return "cannot be created or entered: \(SystemErrors.text(errno))"
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return "is not a folder" }
        guard unsafe access(absolute(path), forWriting ? W_OK | X_OK : R_OK | X_OK) == 0 else {
            return "cannot be used: \(SystemErrors.text(errno))"
        }
        return nil
    }

    /// Gives a file or folder another name on the same file system; a file or an empty folder that
    /// has the name already is replaced.
    package func move(_ path: String, to name: String) throws(FileError) {
        guard unsafe rename(absolute(path), absolute(name)) == 0 else {
            throw FileError(name, "cannot be written", errno)
        }
    }

    /// Gives a file that nobody writes to a second name; on another file system, it is copied.
    package func link(_ path: String, as name: String) throws(FileError) {
        guard unsafe Glibc.link(absolute(path), absolute(name)) != 0 else { return }
        guard errno == EXDEV || errno == EMLINK || errno == EPERM else {
            throw FileError(name, "cannot be created", errno)
        }
        let file = try ByteFile(reading: absolute(path))
        var copy = try WholeFile(absolute(name))
        var place = 0
        while let piece = try file.read(upTo: 1 << 20, at: place) {
            try copy.write(piece)
            place += piece.count
        }
        try copy.finish()
    }

    /// Removes a file, if it is there.
    package func remove(_ path: String) { unsafe unlink(absolute(path)) }

    /// Whether something can be made in a folder.
    package func isWritable(_ path: String) -> Bool {
        unsafe access(absolute(path), W_OK | X_OK) == 0
    }

    /// Removes a folder and all in it; does not follow links.
    package func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] {
            let child = "\(path)/\(name)"
            var facts = stat()
            guard unsafe lstat(absolute(child), &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                removeFolder(child)
            } else {
                unsafe unlink(absolute(child))
            }
        }
        unsafe rmdir(absolute(path))
    }

    /// Folders that this process makes no more.
    private static let removedForGood = Locked<Set<String>>([])

    /// Removes a folder that other threads may still be making or writing into: from now on it cannot
    /// be made.
    package func removeFolderForGood(_ path: String) {
        let (target, aside) = (absolute(path), absolute(path) + ".removed")
        Self.removedForGood.withLock { _ = $0.insert(target) }
        unsafe rename(target, aside)
        // What was being made just now may still come in.
        for _ in 0..<100 where facts(aside) != nil { removeFolder(aside) }
    }

    /// Bytes free on the file system of a path; nil when it cannot be asked.
    package func freeBytes(_ path: String) -> Int64? {
        let bytes = unsafe cksweep_free_bytes(absolute(path))
        return bytes < 0 ? nil : bytes
    }
}
