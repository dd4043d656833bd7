package import FileSystem

/// A folder that this process alone writes an export into, for as long as this value lives. Taken
/// before anything is read, so that nobody waits for a look whose result has no place to go.
package struct ClaimedFolder: Sendable {
    /// Absolute.
    package let path: String
    let files: Files
    private let lock: LockFile

    /// Claims a folder that is new, empty, or holds an export that was cut off.
    ///
    /// - Throws: `notAnExport`, `otherExport`, `notPrivate` or `locked`, and nothing in the folder
    ///   was changed.
    package init(_ path: String, in files: Files) throws(ExportError) {
        self.path = files.absolute(path)
        self.files = files
        let place = ExportPlace(self.path, in: files)
        try place.prepare()
        lock = try place.lock()
    }
}
