import AsyncOperations
package import Basics
package import CloudModel
import FileSystem
import OpenSSL

/// A folder that an export is written into, by one process at a time.
package actor ExportFolder {  // waits for the disk
    private let executor = ThreadExecutor(label: "export")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    private let path: String
    private let files: Files
    private let subject: ExportSubject
    private let claim: ClaimedFolder
    private let state: ExportState
    private var drafts = 0

    /// Begins an export, or goes on with one that was cut off.
    ///
    /// - Throws: `otherExport` when what was cut off is of somebody or something else.
    package init(
        _ claim: ClaimedFolder, of subject: ExportSubject, at now: Timestamp
    ) throws(ExportError) {
        self.claim = claim
        path = claim.path
        files = claim.files
        self.subject = subject
        state = try ExportState(
            "\(self.path)/\(ExportPath.state)", of: subject, began: now)
        // A file that an earlier attempt has fetched can have gone, as when the power was cut.
        try state.assets.forgetAssets { [path, files] (sha256) throws(ExportError) in
            let found = try FileScan.digest(of: "\(path)/\(ExportPath.asset(sha256))", in: files)
            return found?.sha256 != sha256
        }
        // What an earlier attempt was writing when it was cut off.
        files.removeFolder(full(ExportPath.incoming))
        for folder in [ExportPath.incoming, ExportPath.records, ExportPath.assets] {
            try exporting { () throws(FileError) in try files.makeFolder(full(folder)) }
        }
    }

    private nonisolated func full(_ name: String) -> String { "\(path)/\(name)" }

    // MARK: Taking in

    /// A part that is taken in.
    package struct OpenPart: Sendable {
        fileprivate let id: Int64
        /// After which its feed is to be read; nil: from the beginning.
        package let token: ChangeToken?
    }

    /// Begins or goes on with a part.
    package func open(_ part: ExportPart) throws(ExportError) -> OpenPart {
        let (id, token) = try state.parts.open(part)
        return OpenPart(id: id, token: token.map { ChangeToken($0) })
    }

    /// Forgets what was taken in of a part, which is read from the beginning again.
    package func clear(_ part: OpenPart) throws(ExportError) { try state.parts.clear(part.id) }

    /// Takes in a page of a part: all of it, and the token behind it, or nothing.
    ///
    /// - Parameter gone: Names of records that are no more.
    package func take(
        _ items: [ExportItem], without gone: [String] = [], token: ChangeToken? = nil,
        into part: OpenPart
    ) throws(ExportError) {
        try state.parts.take(items, without: gone, token: token?.rawValue, into: part.id)
    }

    // MARK: Assets

    /// The bytes of an asset that an earlier attempt has fetched; nil when it did not, or when the
    /// file has another size now.
    package func stored(
        _ asset: Asset, at slot: AssetSlot, of record: String, in part: OpenPart
    ) throws(ExportError) -> StoredAsset? {
        guard let stored = try state.assets.stored(asset, at: slot, of: record, in: part.id),
            try FileScan.digest(of: full(stored.path), in: files)?.sha256 == stored.sha256
        else { return nil }
        return stored
    }

    /// Begins a file for the bytes of an asset.
    package func begin() throws(ExportError) -> AssetDraft {
        drafts += 1
        let draft = full("\(ExportPath.incoming)/\(drafts)")
        do throws(FileError) {
            return try AssetDraft(draft, in: files)
        } catch {
            throw ExportError(error)
        }
    }

    /// Ends a file of ``begin()`` whose bytes are all there.
    ///
    /// - Throws: `otherAsset` when they are not what the record says.
    package func keep(
        _ draft: AssetDraft, as asset: Asset, at slot: AssetSlot, of record: String,
        in part: OpenPart
    ) throws(ExportError) -> StoredAsset {
        let stored = try draft.end(as: asset, isApple: !subject.server.isRehearsal)
        let file = full(stored.path)
        try exporting { () throws(FileError) in
            try files.makeFolder(String(file.dropLast(stored.sha256.count + 1)))
        }
        try draft.keep(as: file)
        try state.assets.keep(stored, as: asset.fileChecksum, at: slot, of: record, in: part.id)
        return stored
    }

    // MARK: Writing down

    /// Begins the file of the local donations.
    package func beginDonations() throws(ExportError) -> AssetDraft { try begin() }

    /// Writes everything that was taken in to its files, and the manifest last: only then is there
    /// an export in the folder.
    ///
    /// - Parameters:
    ///   - donations: From ``beginDonations()``, and how many there are; nil: no store is known.
    ///   - sign: Makes an envelope over the manifest, whose SHA-256 in hexadecimal it is given; nil:
    ///     nobody signs it.
    /// - Returns: what shows that it is written, and what the manifest's digest is.
    package func finish(
        _ rows: [ExportRow], donations: (draft: AssetDraft, count: Int)?, serverKey: String?,
        toolVersion: String, at now: Timestamp,
        signing sign: (@Sendable (String) throws(ExportError) -> [UInt8])? = nil
    ) throws(ExportError) -> ExportReceipt {
        try state.forgetUnseen()
        let writer = ExportWriter(path: path, files: files, state: state)
        var listed = try writer.writeRecords()
        listed.append(try writer.writeAssetList())
        if let donations {
            let digest = try donations.draft.end()
            try donations.draft.keep(as: full(ExportPath.donations))
            listed.append(
                ManifestFile(
                    path: ExportPath.donations, digest: digest, count: donations.count,
                    kind: "local donations"))
        } else {
            files.remove(full(ExportPath.donations))
        }
        let manifest = ExportManifest(
            subject: subject, serverKey: serverKey, toolVersion: toolVersion,
            began: try state.began(), ended: now, rows: rows,
            files: listed.sorted { $0.path < $1.path })
        let text = manifest.text
        let digest = Hexadecimal.encode(SHA256.hash(text))
        try writer.write(signature: try sign?(digest))
        try writer.write(manifest: text)
        // Only the next attempt would have needed these.
        files.removeFolder(full(ExportPath.incoming))
        for name in ExportPath.stateFiles { files.remove(full(name)) }
        return ExportReceipt(
            manifestDigest: digest, isComplete: manifest.isComplete, totals: manifest.totals)
    }
}
