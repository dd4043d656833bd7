import FileSystem
import Foundation

/// A folder of this process, for what is read from files; it goes when the process ends.
enum FuzzFolder {
    private static let files = Files(workingFolder: Files.currentFolder)
    private static let path: String = {
        let pid = ProcessInfo.processInfo.processIdentifier
        let path = "\(Files.temporaryFolder)/cksweep-fuzz-\(pid)"
        atexit { FuzzFolder.remove() }
        return path
    }()

    private static func remove() { files.removeFolder(path) }

    /// A folder in it with nothing in it.
    static func emptied(_ name: String) -> String {
        let folder = "\(path)/\(name)"
        files.removeFolder(folder)
        do throws(FileError) {
            try files.makeFolder(path)
            try files.makeFolder(folder)
        } catch {
            preconditionFailure("no folder: \(error)")
        }
        return folder
    }

    /// Writes a file without waiting for the disk.
    ///
    /// - Returns: its path.
    static func write(_ bytes: [UInt8], to name: String) -> String {
        let file = "\(path)/\(name)"
        do {
            try files.makeFolder(path)
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        } catch {
            preconditionFailure("no file: \(error)")
        }
        return file
    }
}
