/// The file of a fetched asset; removed once nobody has an asset of it any more.
final class StagedFile: Sendable {
    let path: String
    private let folder: StagingFolder

    /// - Parameter path: From ``StagingFolder/makePath()``.
    init(_ path: String, in folder: StagingFolder) {
        self.path = path
        self.folder = folder
    }

    deinit { folder.remove(path) }
}
