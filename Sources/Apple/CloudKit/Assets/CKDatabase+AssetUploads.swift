import CloudModel
import CloudWire

// Sends the files of records before the records themselves.
extension CKDatabase {
    private struct Upload: Sendable {
        let item: Int
        let number: Int
        let file: FileToSend
        let url: String
    }

    /// Sends what the records of one zone have to have sent; what cannot be is its record's error.
    ///
    /// Files of a record that is not saved in the end are the service's to remove.
    func sendFiles(
        of items: inout [RecordWorkItem], _ indices: [Int], _ zoneID: CKRecordZone.ID,
        _ progress: TransferProgress?
    ) async throws(CKError) {
        var wanted = indices.flatMap { index in
            items[index].result == nil
                ? items[index].files.indices.map { (item: index, number: $0) } : []
        }[...]
        guard !wanted.isEmpty else { return }
        guard let way = place.assets else {
            for index in Set(wanted.map { $0.item }) {
                items[index].result = .failure(
                    CKError(
                        .assetNotAvailable,
                        "cannot send the file of the field \"\(items[index].files[0].key)\": "
                            + "this connection does not support assets"))
            }
            return
        }
        for file in wanted {
            progress?.expect(items[file.item].files[file.number].stamp.size, for: file.item)
        }
        while !wanted.isEmpty {
            let some = Array(wanted.prefix(WireLimits.assetTokensMax))
            wanted = wanted.dropFirst(some.count)
            let uploads = try await addresses(for: some, &items, zoneID)
            for (upload, result) in await Self.send(
                uploads, way, place.identifier, progress)
            {
                switch result {
                case .success(let asset): items[upload.item].noteSent(asset, upload.number)
                case .failure(let error): items[upload.item].result = .failure(error)
                }
            }
        }
    }

    /// Asks where some files are to be sent.
    private func addresses(
        for files: [(item: Int, number: Int)], _ items: inout [RecordWorkItem],
        _ zoneID: CKRecordZone.ID
    ) async throws(CKError) -> [Upload] {
        let tokens = files.map { file in
            let id = items[file.item].recordID
            return AssetUploadRequest.Token(
                recordType: items[file.item].operation?.recordType ?? "",
                fieldName: items[file.item].files[file.number].key, recordName: id.recordName)
        }
        let request = AssetUploadRequest(tokens, zoneID: zoneID.model)
        let reply: CloudReply
        do throws(CKError) {
            reply = try await ask { database throws(CloudError) in
                try await database.write(.uploadAssets(request))
            }
        } catch {
            guard error.isMissingZone else { throw error }
            for file in files { items[file.item].result = .failure(error) }
            return []
        }
        guard case .assetUploads(let answers) = reply, answers.count == files.count else {
            throw CKError(.internalError, "the response is for other assets")
        }
        var uploads: [Upload] = []
        for (file, answer) in zip(files, answers) {
            switch answer {
            case .address(_, let url):
                uploads.append(
                    Upload(
                        item: file.item, number: file.number,
                        file: items[file.item].files[file.number], url: url))
            case .failure(_, let error): items[file.item].result = .failure(itemError(error))
            }
        }
        return uploads.filter { items[$0.item].result == nil }
    }

    /// Sends files, a few at a time.
    private static func send(
        _ uploads: [Upload], _ way: AssetWay, _ container: String?, _ progress: TransferProgress?
    ) async -> [(Upload, Result<Asset, CKError>)] {
        await atOnce(AssetWay.transfersMax, uploads) { upload throws(CKError) in
            let file = try OutgoingFile(upload.file.path, upload.file.stamp)
            let asset: Asset
            do throws(CloudError) {
                asset = try await way.sending.send(Int(upload.file.stamp.size), to: upload.url) {
                    let piece = file.give($0)
                    progress?.note(piece?.count ?? 0, of: upload.item)
                    return piece
                }
            } catch {
                throw file.failure ?? CKError(transfer: error, container: container)
            }
            try file.check(asset, isApple: way.isApple)
            return asset
        }
    }
}
