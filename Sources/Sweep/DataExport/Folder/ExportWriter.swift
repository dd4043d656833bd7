import CloudModel
import FileSystem
import JSON

/// Writes the files of an export from what was taken in.
struct ExportWriter {
    let path: String
    let files: Files
    let state: ExportState

    /// Writes a file for each part that was taken in, and removes those of parts that are gone.
    func writeRecords() throws(ExportError) -> [ManifestFile] {
        var written: [ManifestFile] = []
        try state.parts.eachPart { (id, part) throws(ExportError) in
            var (count, shares) = (0, 0)
            let digest = try write(part.path) { (file) throws(ExportError) in
                try state.parts.eachLine(of: id) { (line, type) throws(ExportError) in
                    count += 1
                    if type == Share.recordType { shares += 1 }
                    try exporting { () throws(FileError) in try file.write(line) }
                }
            }
            written.append(
                ManifestFile(
                    path: part.path, digest: digest, count: count, shares: shares, part: part))
        }
        let wanted = Set(written.map(\.path))
        for name in try names(in: ExportPath.records) {
            let path = "\(ExportPath.records)/\(name)"
            if !wanted.contains(path) { files.remove(full(path)) }
        }
        return written
    }

    /// Writes the list of the files of assets, and removes those that no record has any more.
    func writeAssetList() throws(ExportError) -> ManifestFile {
        var count = 0
        var bytes: Int64 = 0
        let digest = try write(ExportPath.assetList) { (file) throws(ExportError) in
            try state.assets.eachAsset { (sha256, size) throws(ExportError) in
                count += 1
                bytes += size
                let line = AssetLine(sha256: sha256, bytes: size).text
                try exporting { () throws(FileError) in try file.write(line) }
            }
        }
        for folder in try names(in: ExportPath.assets) {
            for name in try names(in: "\(ExportPath.assets)/\(folder)")
            where try !state.assets.isNeeded(asset: name) {
                files.remove(full("\(ExportPath.assets)/\(folder)/\(name)"))
            }
        }
        return ManifestFile(
            path: ExportPath.assetList, digest: digest, count: count, kind: "assets",
            assetBytes: bytes)
    }

    /// Writes what signs the manifest, before the manifest itself; nil: nobody signs it.
    func write(signature: [UInt8]?) throws(ExportError) {
        // Of an attempt that was cut off before its manifest.
        files.remove(full(ExportPath.signature))
        guard let signature else { return }
        _ = try write(ExportPath.signature) { (file) throws(ExportError) in
            try exporting { () throws(FileError) in try file.write(signature) }
        }
    }

    /// Writes the manifest. When this returns, there is an export in the folder.
    ///
    /// - Throws: also when nobody could read it again, because it is too large.
    func write(manifest text: [UInt8]) throws(ExportError) {
        guard text.count <= ExportManifest.bytesMax else {
            throw ExportError(
                .tooLarge,
                "the limit for a manifest is \(ExportManifest.bytesMax) bytes, this one has "
                    + "\(text.count)")
        }
        let assets = try names(in: ExportPath.assets).map { "\(ExportPath.assets)/\($0)" }
        for folder in [ExportPath.records, ExportPath.assets] + assets {
            try exporting { () throws(FileError) in
                try ByteFile.synchronize(folder: full(folder))
            }
        }
        _ = try write(ExportPath.manifest) { (file) throws(ExportError) in
            try exporting { () throws(FileError) in try file.write(text) }
        }
    }

    /// A file that appears whole or not at all.
    private func write(
        _ name: String, _ body: (DigestingFile) throws(ExportError) -> Void
    ) throws(ExportError) -> FileDigest {
        let file = try draft()
        try body(file)
        return try exporting { () throws(FileError) in
            let digest = try file.end()
            try file.keep(as: full(name))
            try ByteFile.synchronize(folder: path)
            return digest
        }
    }

    private func draft() throws(ExportError) -> DigestingFile {
        do throws(FileError) {
            return try DigestingFile(full("\(ExportPath.incoming)/draft"), in: files)
        } catch {
            throw ExportError(error)
        }
    }

    private func names(in folder: String) throws(ExportError) -> [String] {
        try exporting { () throws(FileError) in try files.names(in: full(folder)) }
    }

    private func full(_ name: String) -> String { "\(path)/\(name)" }
}
