import Basics
import CloudModel
import FileSystem
private import Glibc
import OpenSSL

/// The folder that the bytes of assets lie in, each file named by its digest.
///
/// A durable store's is beside it. That of a store in memory is a temporary one, so that memory does not
/// grow with what is uploaded; it is made with the first upload and removed at the end, and by the next
/// server if this one was killed.
package final class AssetFolder: Sendable {
    let path: String
    /// Whether what is acknowledged must be on disk.
    let isDurable: Bool
    private let files = Files(workingFolder: "/")
    /// Held as long as a temporary folder is in use.
    private let lock: LockFile?

    private static let temporaryPrefix = "cksweep-assets-"
    private static let draftPrefix = "new-" + temporaryPrefix
    /// How old a draft must be to be nobody's, in seconds: it gets its name at once.
    private static let draftSecondsMax: Int64 = 3600
    private static let partSuffix = ".part"

    /// A folder in that of a store; made when missing.
    init(in folder: String) throws(FileError) {
        path = Files(workingFolder: Files.currentFolder).absolute(folder) + "/assets"
        isDurable = true
        lock = nil
        try files.makeFolder(path)
        try ByteFile.synchronize(folder: path + "/..")
    }

    /// A temporary folder.
    init() throws(FileError) {
        let parent = Files.temporaryFolder
        let name = Hexadecimal.encode(SecureRandom.bytes(8))
        // It gets its name only when it is locked: nobody takes it for one that was left behind.
        let draft = "\(parent)/\(Self.draftPrefix)\(name)"
        path = "\(parent)/\(Self.temporaryPrefix)\(name)"
        isDurable = false
        try files.makeFolder(draft)
        let lock = try LockFile(draft + "/lock")
        _ = try lock.lock(0)
        self.lock = lock
        try files.move(draft, to: path)
    }

    deinit { removeIfTemporary() }

    /// Removes a temporary folder with all in it.
    func removeIfTemporary() { if !isDurable { files.removeFolder(path) } }

    /// Removes the temporary folders whose servers were killed, which may take its time.
    static func removeAbandoned() {
        let (parent, files) = (Files.temporaryFolder, Files(workingFolder: "/"))
        let latestDraft = Int64(time(nil)) - draftSecondsMax
        for name in (try? files.names(in: parent)) ?? [] {
            let isDraft = name.hasPrefix(draftPrefix)
            guard isDraft || name.hasPrefix(temporaryPrefix) else { continue }
            let folder = "\(parent)/\(name)"
            if isDraft, (files.facts(folder)?.modified ?? .max) > latestDraft { continue }
            guard let facts = files.facts(folder), facts.isFolder, facts.isOurs,
                !files.isLink(folder), let lock = try? LockFile(folder + "/lock"),
                case .taken? = try? lock.lock(0)
            else { continue }
            files.removeFolder(folder)
        }
    }

    /// Where the file of an asset is.
    package func file(_ digest: AssetDigest) -> String { "\(path)/\(digest.name)" }

    /// Where an upload is written to until it is whole.
    func part(_ number: Int) -> String { "\(path)/\(number)\(Self.partSuffix)" }

    /// Puts a part in its place.
    func place(_ part: String, as digest: AssetDigest) throws(FileError) {
        try files.move(part, to: file(digest))
    }

    /// Has the file of an asset that another folder has, as long as either keeps it.
    func link(_ digest: AssetDigest, from other: AssetFolder) throws(FileError) {
        try files.link(other.file(digest), as: file(digest))
    }

    /// Whether the file of an asset is there.
    func has(_ digest: AssetDigest) -> Bool { files.facts(file(digest)) != nil }

    /// Waits until all places are on disk, where that was promised.
    func synchronize() throws(FileError) {
        if isDurable { try ByteFile.synchronize(folder: path) }
    }

    func remove(_ file: String) { files.remove(file) }

    /// Removes what a process left that was killed: parts, and files that nobody knows of.
    func clean(_ isKnown: (AssetDigest) throws(CloudError) -> Bool) throws(CloudError) {
        for name in (try? files.names(in: path)) ?? [] {
            let isLeft =
                if let digest = AssetDigest(name: name) {
                    try !isKnown(digest)
                } else {
                    name.hasSuffix(Self.partSuffix)
                }
            if isLeft { files.remove("\(path)/\(name)") }
        }
    }
}
