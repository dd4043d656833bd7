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
        of items: inout [RecordWorkItem], _ indices: [Int], _ zoneID: CKRecordZone.ID
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
                        "the file of the field \"\(items[index].files[0].key)\" cannot be sent: "
                            + "this connection has no way for assets"))
            }
            return
        }
        while !wanted.isEmpty {
            let some = Array(wanted.prefix(WireLimits.assetTokensMax))
            wanted = wanted.dropFirst(some.count)
            let uploads = try await addresses(for: some, &items, zoneID)
            for (upload, result) in await Self.send(uploads, way, place.identifier) {
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
            throw CKError(.internalError, "the server answered for other assets")
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
        _ uploads: [Upload], _ way: AssetWay, _ container: String?
    ) async -> [(Upload, Result<Asset, CKError>)] {
        await atOnce(AssetWay.transfersMax, uploads) { upload throws(CKError) in
            let file = try OutgoingFile(upload.file.path, upload.file.stamp)
            let asset: Asset
            do throws(CloudError) {
                asset = try await way.sending.send(Int(upload.file.stamp.size), to: upload.url) {
                    file.give($0)
                }
            } catch {
                throw file.failure ?? CKError(transfer: error, container: container)
            }
            try file.check(asset, isApple: way.isApple)
            return asset
        }
    }
}

extension RecordWorkItem {
    /// Puts what was sent in the place that was kept for it.
    fileprivate mutating func noteSent(_ asset: Asset, _ number: Int) {
        files[number].sent = asset
        let file = files[number]
        guard var field = operation?.fields[file.key] ?? nil else { return }
        switch (field.value, file.element) {
        case (.asset, nil): field.value = .asset(asset)
        case (.list(let kind, var values), let element?):
            values[element] = .asset(asset)
            field.value = .list(kind, values)
        default: return
        }
        operation?.fields[file.key] = .some(field)
    }

    /// What a save comes to: the record that the service has, with the files that it was saved from.
    func saved(_ record: CKRecord) -> Result<CKRecord?, CKError> {
        do throws(CKError) {
            try keepFiles(record)
            return .success(record)
        } catch {
            return .failure(error)
        }
    }

    /// - Throws: `assetNotAvailable` when the service says that it has another file than was sent.
    private func keepFiles(_ saved: CKRecord) throws(CKError) {
        for (key, slot) in fileSlots {
            let sent = (operation?.fields[key] ?? nil)?.value.assets ?? []
            let kept = saved.read { $0.fields[key] }?.value?.assets ?? []
            guard sent.map(\.fileChecksum) == kept.map(\.fileChecksum),
                sent.map(\.size) == kept.map(\.size)
            else {
                throw CKError(
                    .assetNotAvailable,
                    "the record was saved, and the server has another file in its field \"\(key)\" "
                        + "than was sent")
            }
            let place = AssetPlace(recordID: recordID, key: key)
            let assets = zip(slot.assets, kept).map { $0.saved(as: $1, at: place) }
            saved.contents.withLock { contents in
                if case .files = slot {
                    contents.fields[key] = .files(assets)
                } else if let asset = assets.first {
                    contents.fields[key] = .file(asset)
                }
            }
        }
    }
}

extension FieldSlot {
    var value: FieldValue? { if case .value(let value) = self { value } else { nil } }
}

extension FieldValue {
    /// The assets that the value is or has.
    var assets: [Asset] {
        switch self {
        case .asset(let asset): [asset]
        case .list(_, let values):
            values.compactMap { if case .asset(let asset) = $0 { asset } else { nil } }
        default: []
        }
    }
}
