package import Basics
package import CloudModel
import CloudWire
package import FileSystem
import OpenSSL

/// The rules of assets: where they may be sent to, what may be attached, and where they are had.
package final class Assets: StorePart {
    let context: StoreContext
    private let containers: Containers
    private let databases: Databases
    private let zones: Zones
    private let location: MockStore.Location
    package var addresses: AssetAddresses
    /// Whether files may lie there that nobody refers to.
    var mayHaveGarbage = true
    /// Files whose rows were written in this turn.
    private var arrivals: [AssetDigest] = []
    private var opened: AssetDisk?
    private var table: AssetTables { context.tables.assets }

    /// How long an uploaded file waits for a record to claim it.
    private static let claimMilliseconds: Int64 = 24 * 3_600_000
    /// How long an address in an answer is good for.
    private static let downloadMilliseconds: Int64 = 3_600_000

    init(
        _ context: StoreContext, _ containers: Containers, _ databases: Databases,
        _ zones: Zones, at location: MockStore.Location
    ) {
        self.context = context
        self.containers = containers
        self.databases = databases
        self.zones = zones
        self.location = location
        addresses = AssetAddresses(key: SHA256.hash(Array("assets of \(context.seed)".utf8)))
    }

    // Before another may open the same folder.
    deinit { opened?.wait() }

    /// Opens the folder of a durable store, without what a process left that was killed.
    func open() throws(MockStoreError) {
        guard case .directory = location else { return }
        let folder: AssetFolder
        do throws(FileError) {
            folder = try disk().folder
        } catch {
            throw MockStoreError(.cannotOpen, error.description)
        }
        try context.tables.translating { () throws(CloudError) in
            try folder.clean { digest throws(CloudError) in try table.isKnown(digest) }
        }
    }

    /// Where the files are; nil as long as there are none.
    var folderInUse: AssetFolder? { opened?.folder }

    /// Has the files that were copied with the store.
    func begin(in folder: AssetFolder) { opened = AssetDisk(folder) }

    /// Where the files are; made when first asked for.
    package func disk() throws(FileError) -> AssetDisk {
        if let opened { return opened }
        let folder =
            switch location {
            case .memory: try AssetFolder()
            case .directory(let path): try AssetFolder(in: path)
            }
        let made = AssetDisk(folder)
        opened = made
        return made
    }

    /// Writes a whole file, and waits for it, but not for the uploads of others: where nobody else is served,
    /// or for a small one. It is to be settled.
    package func store(_ bytes: [UInt8]) throws(CloudError) -> AssetFile {
        let disk: AssetDisk
        do throws(FileError) { disk = try self.disk() } catch { throw .assetNotStored(error) }
        do throws(AssetDisk.Failure) { return try disk.store(bytes) } catch { throw refusal(error) }
    }

    /// What is said of an upload that the disk did not take, of which nothing is to be left.
    package func refusal(_ failure: AssetDisk.Failure) -> CloudError {
        if let digest = failure.placed { settle(digest) }
        return .assetNotStored(failure.reason)
    }

    /// Removes a temporary folder, at the end.
    func close() {
        opened?.wait()
        opened?.folder.removeIfTemporary()
    }

    // MARK: - The turn

    package func didCommit() { arrivals.removeAll() }

    package func didRollBack() throws(CloudError) {
        for digest in arrivals where try !table.isKnown(digest) { opened?.remove(digest) }
        arrivals.removeAll()
        mayHaveGarbage = true
    }

    /// Rows may have been put back, or taken away.
    package func reload() { mayHaveGarbage = true }

    // MARK: - assets/upload

    func upload(
        _ request: AssetUploadRequest, _ session: Session
    ) throws(CloudError) -> [AssetUploadRequest.Item] {
        let zone = try writableZone(request.zoneID, session).incarnation
        let types = try containers.types(session)
        let now = session.now.milliseconds
        let until = now + WireLimits.uploadSecondsMax * 1000
        return try context.answers(to: request.tokens) { token throws(CloudError) in
            try check(token, types, session)
            let field = AssetField(token.recordName ?? context.generator.uuid(), token.fieldName)
            // One that has begun before the end is taken.
            let id = try table.add(
                db: session.database.id, zone: zone, field: field, until: until,
                kept: until + Self.claimMilliseconds)
            let path = WireTransfer.upload.pathPrefix + addresses.upload(id)
            return .address(field, url: session.baseURL + path)
        } failed: {
            .failure(AssetField($0.recordName ?? "", $0.fieldName), $1)
        }
    }

    private func check(
        _ token: AssetUploadRequest.Token, _ types: KnownTypes, _ session: Session
    ) throws(CloudError) {
        if let name = token.recordName {
            let isOwnUser = name == session.callerName && session.isPublic
            try context.options.check(recordName: name, mayBeSystem: isOwnUser)
        }
        try FieldChecker.check(recordType: token.recordType)
        try FieldChecker.check(fieldName: token.fieldName)
        if let known = types.field(token.fieldName, of: token.recordType), known.kind != .asset {
            throw CloudError(
                .badRequest,
                reason: "the field '\(token.fieldName)' is of type \(known.typeTag), not an asset")
        }
    }

    /// A zone that the caller may write to, which has a number.
    private func writableZone(
        _ zoneID: RecordZone.ID, _ session: Session
    ) throws(CloudError) -> ZoneRow {
        guard session.caller != .anonymous else {
            throw CloudError(.authenticationRequired, reason: "sign in first")
        }
        var row = try zones.find(zoneID, session)
        // Where a participant may write is known once there is a record.
        if let view = row.access.view, !view.shares.values.contains(where: { $0.writes }) {
            throw .notPermitted(.write)
        }
        try databases.beginWriting(session.database)
        if row.incarnation == 0 {
            // A default zone without a record has no row.
            row.incarnation = databases.nextIncarnation()
            try context.tables.zones.put(row, in: session.database.id)
        }
        return row
    }

    // MARK: - The bytes

    /// The upload that an address is for.
    ///
    /// - Throws: NOT_FOUND, with the status 404 for what is no address, and 410 for one that is good no
    ///   more.
    package func upload(at path: String, now: Timestamp) throws(CloudError) -> AssetUpload {
        guard let id = addresses.upload(path: path) else {
            throw CloudError(
                .notFound, reason: "this is not an upload address: request one from assets/upload",
                httpStatus: 404, rule: "upload-address")
        }
        guard let row = try upload(id, before: \.until, now) else { throw Self.uploadIsOver }
        return AssetUpload(id: id, database: try context.tables.databases.key(of: row.db))
    }

    /// An upload's row, until one of its ends or that of its zone.
    private func upload(
        _ id: Int64, before end: KeyPath<UploadRow, Int64>, _ now: Timestamp
    ) throws(CloudError) -> UploadRow? {
        // The rows of deleted zones go some time later, which nobody must notice.
        guard let row = try table.upload(id), now.milliseconds < row[keyPath: end],
            try !context.tables.removals.isScheduled(row.zone)
        else { return nil }
        return row
    }

    private static let uploadIsOver = CloudError(
        .notFound,
        reason: "the upload's address has expired after \(WireLimits.uploadSecondsMax / 60) "
            + "minutes, or the zone of its record was deleted: request another from assets/upload",
        httpStatus: 410, rule: "upload-address")

    /// Takes note of a file that was sent to an address, and answers what is to be its field's value.
    ///
    /// The address may have expired since the upload began, by less than a day. The same bytes may come
    /// again, as from a client that lost the answer; others are refused, so that what was acknowledged
    /// never changes.
    package func receive(_ file: AssetFile, at id: Int64, now: Timestamp) throws(CloudError)
        -> Asset
    {
        try context.tables.beginIfNeeded()
        guard let row = try upload(id, before: \.kept, now) else { throw Self.uploadIsOver }
        if let known = row.file {
            guard known == file else {
                throw CloudError(
                    .conflict,
                    reason: "another file was sent to this address before: request another "
                        + "address from assets/upload", rule: "second-upload")
            }
        } else {
            try table.fill(id, with: file, kept: now.milliseconds + Self.claimMilliseconds)
            arrivals.append(file.digest)
        }
        return file.digest.asset(size: file.size, receipt: addresses.receipt(id))
    }

    /// Lets go of a file that was put in its place, whether a row tells of it or not.
    package func settle(_ digest: AssetDigest) {
        opened?.settle(digest, isKnown: mayBeKnown(digest))
    }

    /// Links files of another folder that are missing here. They are not removed before ``settle(_:)`` is called for each.
    ///
    /// - Returns: The digests of the files that were linked.
    func link(
        _ digests: [AssetDigest], from other: AssetFolder?
    ) throws(MockStoreError) -> [AssetDigest] {
        guard let other else { return [] }
        var missing: [AssetDigest] = []
        try context.tables.translating { () throws(CloudError) in
            for digest in digests where try !table.isKnown(digest) { missing.append(digest) }
        }
        guard !missing.isEmpty else { return [] }
        do throws(FileError) {
            try disk().link(missing, from: other)
        } catch {
            for digest in missing { settle(digest) }
            throw MockStoreError(.failed, "an asset's file cannot be restored: \(error)")
        }
        return missing
    }

    /// Removes the file of a digest, if there is one of which no row tells.
    func removeUnlessKnown(_ digest: AssetDigest) {
        if !mayBeKnown(digest) { opened?.remove(digest) }
    }

    /// Whether a row tells of a file. One of which that cannot be read stays, until the store is opened again.
    private func mayBeKnown(_ digest: AssetDigest) -> Bool {
        (try? table.isKnown(digest)) ?? true
    }

    /// The database through which an address was given out; nil: it is there no more.
    ///
    /// - Throws: NOT_FOUND with the status 404 for what is no address.
    package func database(ofDownloadAt path: String) throws(CloudError) -> DatabaseKey? {
        guard let found = addresses.download(path: path) else { throw Self.noDownload }
        return try context.tables.databases.key(of: found.db)
    }

    private static let noDownload = CloudError(
        .notFound, reason: "this is not an asset's address: read its record for one",
        httpStatus: 404, rule: "download-address")

    /// The file that an address is for.
    ///
    /// - Throws: NOT_FOUND with the status 404 for what is no address, and once no live record has the
    ///   asset in that field; ACCESS_DENIED once the address has expired.
    package func download(at path: String, now: Timestamp) throws(CloudError) -> AssetDownload {
        guard let found = addresses.download(path: path),
            let digest = AssetDigest(name: found.digest)
        else { throw Self.noDownload }
        guard let size = try table.size(digest, of: found.field, in: found.zone) else {
            throw CloudError(
                .notFound, reason: "the asset was deleted: its record no longer has it",
                httpStatus: 404,
                rule: "deleted-asset")
        }
        guard now.milliseconds < found.expires else {
            throw CloudError(
                .accessDenied, reason: "the asset's address has expired: read its record again",
                rule: "download-address")
        }
        return AssetDownload(file: AssetFile(digest: digest, size: size))
    }

    /// Makes the addresses of the assets of a zone's records.
    func downloads(in zone: Int64, _ session: Session) -> AssetDownloads {
        AssetDownloads(
            addresses: addresses, baseURL: session.baseURL, db: session.database.id, zone: zone,
            expires: session.now.milliseconds + Self.downloadMilliseconds)
    }

    // MARK: - In records

    /// The value that a record is to keep, held against what was uploaded for it.
    ///
    /// - Parameter old: What the field has had so far, which may be sent back as it was read.
    func claimed(
        _ asset: Asset, for field: AssetField, in zone: Int64, was old: Set<AssetDigest>,
        now: Timestamp
    ) throws(CloudError) -> Asset {
        func refuse(_ reason: String) -> CloudError {
            CloudError(
                .badRequest, reason: "Invalid asset in '\(field.fieldName)': \(reason)",
                rule: "asset-value")
        }
        guard let digest = AssetDigest(checksum: asset.fileChecksum) else {
            throw refuse("its fileChecksum was never uploaded")
        }
        // The value that the field has may come back, with or without a receipt.
        if old.contains(digest), let size = try table.size(digest) {
            guard asset.size == size else {
                throw refuse("its size is not that of what was uploaded")
            }
            return digest.asset(size: size)
        }
        guard let receipt = asset.receipt, !receipt.isEmpty else {
            throw refuse("it was never uploaded: no receipt")
        }
        guard let id = addresses.upload(receipt: receipt),
            let row = try upload(id, before: \.kept, now), let file = row.file
        else { throw refuse("it was never uploaded: the receipt is unknown, or has expired") }
        guard row.zone == zone else {
            throw refuse("it was uploaded for a record of another zone or database")
        }
        guard row.field == nil || row.field == field else {
            throw refuse("it was uploaded for another record or field")
        }
        guard file.digest == digest, file.size == asset.size else {
            throw refuse("its fileChecksum or size is not that of what was uploaded")
        }
        return digest.asset(size: file.size)
    }

    // MARK: - assets/rereference

    func rereference(
        _ request: AssetRereferenceRequest, _ session: Session
    ) throws(CloudError) -> [AssetRereferenceRequest.Item] {
        let row = try writableZone(request.zoneID, session)
        let zone = row.incarnation
        let types = try containers.types(session)
        let kept = session.now.milliseconds + Self.claimMilliseconds
        return try context.answers(to: request.fields) { field throws(CloudError) in
            guard let record = try context.tables.records.find(field.recordName, in: zone),
                try zones.shares.shows(field.recordName, in: row)
            else { throw .noRecord }
            guard types.allows(.read, on: record, session) else { throw .notPermitted(.read) }
            guard case .asset(let asset)? = record.fields[field.fieldName]?.value,
                let digest = AssetDigest(checksum: asset.fileChecksum),
                let size = try table.size(digest)
            else {
                throw CloudError(
                    .notFound, reason: "the field '\(field.fieldName)' has no single asset")
            }
            let file = AssetFile(digest: digest, size: size)
            let id = try table.add(
                db: session.database.id, zone: zone, field: nil, until: 0, kept: kept, file: file)
            return .asset(
                field, digest.asset(size: file.size, receipt: addresses.receipt(id)))
        } failed: {
            .failure($0, $1)
        }
    }
}

/// An upload that waits for its bytes.
package struct AssetUpload: Sendable {
    package let id: Int64
    package let database: DatabaseKey?
}

/// A file that is to be sent.
package struct AssetDownload: Sendable {
    package let file: AssetFile
}

/// Gives the assets in answers their addresses.
package struct AssetDownloads {
    let addresses: AssetAddresses
    /// What they begin with.
    let baseURL: String
    let db: Int64
    let zone: Int64
    /// When the addresses expire, in milliseconds since 1970.
    let expires: Int64

    /// A field's value with the addresses of its assets.
    func complete(_ value: FieldValue, _ field: AssetField) -> FieldValue {
        switch value {
        case .asset(var asset):
            guard let digest = AssetDigest(checksum: asset.fileChecksum) else { return value }
            let path = addresses.download(
                AssetAddresses.Download(
                    db: db, zone: zone, field: field, digest: digest.name, expires: expires))
            asset.downloadURL = baseURL + WireTransfer.download.pathPrefix + path
            return .asset(asset)
        case .list(.asset, let elements):
            return .list(.asset, elements.map { complete($0, field) })
        default: return value
        }
    }
}
