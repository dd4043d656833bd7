import CloudModel

extension RecordWorkItem {
    /// Puts what was sent in the place that was kept for it.
    mutating func noteSent(_ asset: Asset, _ number: Int) {
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
            try checkShare(record)
            try keepFiles(record)
            updateSaved(from: record)
            return .success(record)
        } catch {
            return .failure(error)
        }
    }

    /// The record that the app has passed gets the version that the service has now, as natively: it can
    /// be changed and saved again.
    private func updateSaved(from saved: CKRecord) {
        guard let record, let sent else { return }
        let now = saved.read { $0.detached }
        record.contents.withLock { $0.noteSaved(sent, as: now) }
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
                    "the record was saved, but the server has another file in its field "
                        + "\"\(key)\" than was sent")
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
