import CloudModel
import FileSystem

// Fetches the files of records with the records.
extension CKDatabase {
    private struct Download: Sendable {
        let place: AssetPlace
        let asset: Asset
        /// The record's place among those that were found.
        let index: Int
    }

    /// The same records with the files of their assets; what cannot be fetched is its record's error.
    func fetchFiles(
        _ found: ItemResults<CKRecord.ID, CKRecord>, _ progress: TransferProgress? = nil
    ) async -> ItemResults<CKRecord.ID, CKRecord> {
        let wanted = found.enumerated().flatMap { index, item in
            item.result.value?.assetsWithoutFiles.map {
                Download(place: $0.place, asset: $0.asset, index: index)
            } ?? []
        }
        guard !wanted.isEmpty, let way = place.assets else { return found }
        let container = place.identifier
        for wanted in wanted { progress?.expect(wanted.asset.size, for: wanted.index) }
        let done = await atOnce(AssetWay.transfersMax, wanted) { wanted throws(CKError) in
            try await Self.fetch(wanted.asset, wanted.place, way, container) { count in
                progress?.note(count, of: wanted.index)
            }
        }
        var found = found
        var assets: [Int: [String: [CKAsset]]] = [:]
        for (download, result) in done {
            switch result {
            case .success(let asset):
                assets[download.index, default: [:]][download.place.key, default: []].append(asset)
            case .failure(let error): found[download.index].result = .failure(error)
            }
        }
        for (index, assets) in assets { found[index].result.value?.setFiles(assets) }
        return found
    }

    private static func fetch(
        _ asset: Asset, _ place: AssetPlace, _ way: AssetWay, _ container: String?,
        _ note: @escaping @Sendable (Int) -> Void
    ) async throws(CKError) -> CKAsset {
        let file: IncomingFile
        do throws(FileError) {
            file = try IncomingFile(in: .processWide)
        } catch {
            throw CKError(.internalError, "cannot create a file for an asset: \(error)")
        }
        defer { file.letGo() }
        do throws(CloudError) {
            try await way.reading.read(asset) { piece in
                note(piece.count)
                return file.take(piece)
            }
        } catch {
            if let failure = file.failure {
                throw CKError(.internalError, "cannot store the file of an asset: \(failure)")
            }
            throw CKError(transfer: error, container: container)
        }
        return CKAsset(asset, at: place, try file.end(as: asset, isApple: way.isApple))
    }
}

extension CKRecord {
    /// The assets of its fields, field by field in the order of their names, lists in theirs.
    fileprivate var assetsWithoutFiles: [(place: AssetPlace, asset: Asset)] {
        read { contents in
            contents.fields.sorted { $0.key < $1.key }.flatMap { key, slot in
                let place = AssetPlace(recordID: contents.recordID, key: key)
                return (slot.value?.assets ?? []).map { (place, $0) }
            }
        }
    }

    fileprivate func setFiles(_ assets: [String: [CKAsset]]) {
        contents.withLock { contents in
            for (key, assets) in assets {
                if case .value(.list) = contents.fields[key] {
                    contents.fields[key] = .files(assets)
                } else if let asset = assets.first {
                    contents.fields[key] = .file(asset)
                }
            }
        }
    }
}
