import AsyncOperations
import CloudModel
import FileSystem

/// An asset that is being fetched into the folder.
package final class AssetDraft: Sendable {
    private struct State {
        let file: DigestingFile
        var failure: FileError?
    }
    private let state: Locked<State>

    init(_ draft: String, in files: Files) throws(FileError) {
        state = Locked(State(file: try DigestingFile(draft, in: files), failure: nil))
    }

    /// Takes the next piece; false when the disk does not.
    package func take(_ piece: [UInt8]) -> Bool {
        state.withLock { state in
            do throws(FileError) {
                try state.file.write(piece)
                return true
            } catch {
                state.failure = error
                return false
            }
        }
    }

    /// Why the disk takes no more; nil: it does.
    package var failure: ExportError? { state.withLock { $0.failure.map { ExportError($0) } } }

    /// Ends a file that nothing else is known of.
    func end() throws(ExportError) -> FileDigest {
        try exporting { () throws(FileError) in
            try state.withLock { state throws(FileError) in
                if let failure = state.failure { throw failure }
                return try state.file.end()
            }
        }
    }

    /// Ends the file and holds it against what the record says of it.
    ///
    /// - Throws: `otherAsset` when there are more or fewer bytes, or others.
    func end(as asset: Asset, isApple: Bool) throws(ExportError) -> StoredAsset {
        let digest = try end()
        guard digest.bytes == asset.size else {
            throw ExportError(
                .otherAsset,
                "an asset has \(digest.bytes) bytes, and its record says \(asset.size)")
        }
        let verdict = AssetChecksum.verdict(
            on: asset.fileChecksum, sha256: digest.sha256, isApple: isApple)
        guard verdict != .other else {
            throw ExportError(.otherAsset, "the bytes of an asset do not have its checksum")
        }
        return StoredAsset(
            bytes: digest.bytes, sha256: digest.sha256, isConfirmed: verdict == .same)
    }

    /// Gives the ended file its name.
    func keep(as path: String) throws(ExportError) {
        try exporting { () throws(FileError) in
            try state.withLock { state throws(FileError) in try state.file.keep(as: path) }
        }
    }
}
