import CloudModel
import CloudWire
import FileSystem

/// A file that has to be sent before its record can be saved.
struct FileToSend: Sendable {
    /// The field, and its element where that is a list.
    let key: String
    let element: Int?
    let path: String
    /// What the file was when the save began.
    let stamp: FileStamp
    /// The service's word that it has the bytes.
    var sent: Asset?

    /// - Throws: `assetFileNotFound`, or `limitExceeded` for a file that the service does not take.
    init(_ asset: CKAsset, _ key: String, _ element: Int?) throws(CKError) {
        guard let url = asset.fileURL, url.isFileURL else {
            throw CKError(
                .assetFileNotFound,
                "the asset of the field \"\(key)\" is not a file on this machine")
        }
        (self.key, self.element, path) = (key, element, url.path)
        stamp = try OutgoingFile.stamp(of: url.path)
        guard stamp.size <= WireLimits.assetBytesMax else {
            throw CKError(
                .limitExceeded,
                "the file of the field \"\(key)\" has \(stamp.size) bytes; the maximum for an "
                    + "asset is \(WireLimits.assetBytesMax)")
        }
    }

    /// Stands for it in the operation until it was sent; no service takes it.
    static let placeholder = Asset(fileChecksum: "", size: 0)
}

extension RecordContents {
    /// The fields among some whose assets have a file here.
    func fileSlots(of keys: some Sequence<String>) -> [String: FieldSlot] {
        var slots: [String: FieldSlot] = [:]
        for key in keys where fields[key]?.hasFiles == true { slots[key] = fields[key] }
        return slots
    }

    /// What the operation has for a field of assets with files: those that the field has already as they
    /// are, ``FileToSend/placeholder`` for the others.
    func value(of slot: FieldSlot, _ key: String) -> FieldValue? {
        let place = AssetPlace(recordID: recordID, key: key)
        func value(_ asset: CKAsset) -> FieldValue {
            .asset(asset.value(at: place) ?? FileToSend.placeholder)
        }
        return switch slot {
        case .file(let asset): value(asset)
        case .files(let assets): .list(.asset, assets.map(value))
        case .value, .refused: nil
        }
    }

    /// The files that have to be sent first.
    ///
    /// - Throws: What ``FileToSend`` throws.
    func filesToSend(_ slots: [String: FieldSlot]) throws(CKError) -> [FileToSend] {
        var files: [FileToSend] = []
        for (key, slot) in slots.sorted(by: { $0.key < $1.key }) {
            let place = AssetPlace(recordID: recordID, key: key)
            for (number, asset) in slot.assets.enumerated() where asset.value(at: place) == nil {
                files.append(try FileToSend(asset, key, slot.isList ? number : nil))
            }
        }
        return files
    }
}

extension FieldSlot {
    /// Whether an asset in it has a file here.
    var hasFiles: Bool {
        switch self {
        case .file, .files: true
        case .value, .refused: false
        }
    }

    /// The assets, where one of them has a file here.
    var assets: [CKAsset] {
        switch self {
        case .file(let asset): [asset]
        case .files(let assets): assets
        case .value, .refused: []
        }
    }

    fileprivate var isList: Bool { if case .files = self { true } else { false } }
}
