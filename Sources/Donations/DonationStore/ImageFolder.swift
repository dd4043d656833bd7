import FileSystem
import FoundationEssentials

/// The files with the images of intents' parameters.
///
/// Written and synced before the commit that names them, removed after the commit that drops
/// them; what a crash leaves between is swept when the store is opened. Used by the store's
/// thread alone.
final class ImageFolder {
    /// A place to go back to.
    struct Mark {
        let written: Int
        let dropped: Int

        /// Before everything.
        static let none = Mark(written: 0, dropped: 0)
    }

    private let folder: String
    private let hook: StoreHook?
    /// What is kept instead of files when the store is in memory.
    private var kept: [String: [UInt8]] = [:]
    private var written: [String] = []
    private var dropped: [String] = []

    init(_ configuration: DonationConfiguration) {
        let directory = configuration.directory
        folder = directory.isEmpty ? "" : configuration.imageFolder
        hook = configuration.hook
    }

    var mark: Mark { Mark(written: written.count, dropped: dropped.count) }
    var exists: Bool { !folder.isEmpty && FileManager.default.fileExists(atPath: folder) }

    /// Writes a file and waits until it is on disk.
    func write(_ bytes: [UInt8], name: String) throws(DonationError) {
        written.append(name)
        guard !folder.isEmpty else {
            kept[name] = bytes
            return
        }
        do {
            try hook?(.beforeImage)
            try Files(workingFolder: ".").makeFolder(folder)
            // The name is new; a file of that name was left by a run that was ended.
            remove(name)
            let file = try ByteFile(creating: path(name))
            try file.write(bytes)
            try file.synchronize()
            try ByteFile.synchronize(folder: folder)
            try hook?(.afterImage)
        } catch let error as FileError {
            throw DonationError(
                error.code == 28 ? .diskFull : .inputOutput,
                "an image cannot be stored: error \(error.code)")
        } catch {
            throw DonationError(.broken, "an image cannot be stored")
        }
    }

    /// The bytes of an image; nil: there is no such file.
    func read(_ name: String) -> [UInt8]? {
        guard !folder.isEmpty else { return kept[name] }
        guard let file = try? ByteFile(reading: path(name)) else { return nil }
        var bytes: [UInt8] = []
        while let piece = try? file.read(upTo: 1 << 20) { bytes += piece }
        return bytes
    }

    /// Notes that a file goes when the transaction is on disk.
    func drop(_ name: String) { dropped.append(name) }

    /// Removes what was dropped; the transaction is on disk.
    func removeDropped() throws(DonationError) {
        defer {
            written = []
            dropped = []
        }
        for name in dropped {
            do {
                try hook?(.beforeImageRemoval)
            } catch {
                throw DonationError(.broken, "the store was cut off")
            }
            remove(name)
        }
    }

    /// Removes what was written since, while the transaction still holds its lock.
    func undo(to mark: Mark) {
        for name in written[mark.written...] { remove(name) }
        written.removeSubrange(mark.written...)
        dropped.removeSubrange(mark.dropped...)
    }

    /// The transaction was undone: files it wrote are swept later, none is removed.
    func giveUp() {
        written = []
        dropped = []
    }

    /// Removes a file; one that cannot be removed is swept later.
    func remove(_ name: String) {
        kept[name] = nil
        if !folder.isEmpty { try? FileManager.default.removeItem(atPath: path(name)) }
    }

    /// The names of all files.
    func names() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private func path(_ name: String) -> String { folder + "/" + name }
}
