package import FileSystem
import JSON

/// Reads all of an export again and holds it against its manifest. Contacts nobody.
package struct ExportCheck: Sendable {
    /// Sixteen signatures over a statement of one line.
    private static let signatureBytesMax = 1 << 16

    private let path: String
    private let files: Files

    package init(_ path: String, in files: Files) {
        self.path = files.absolute(path)
        self.files = files
    }

    /// Reads everything; waits for the disk.
    ///
    /// - Throws: `notAnExport`, or `damaged` with the first thing that is not as the manifest says.
    package func run() throws(ExportError) -> VerifiedExport {
        let (manifest, digest) = try ExportManifest.read(in: path, files)
        guard Set(manifest.files.map(\.path)).count == manifest.files.count else {
            throw ExportError(.damaged, "the manifest names a file twice")
        }
        for file in manifest.files {
            switch file.path {
            case ExportPath.assetList: try checkAssets(file)
            case ExportPath.donations: try check(file.path, file.digest)
            default: try checkRecords(file)
            }
        }
        guard manifest.files.contains(where: { $0.path == ExportPath.assetList }) else {
            throw ExportError(.damaged, "the manifest names no list of assets")
        }
        try checkNames(manifest)
        return VerifiedExport(
            subject: manifest.subject, manifestDigest: digest, isComplete: manifest.isComplete,
            began: manifest.began, ended: manifest.ended, totals: manifest.totals,
            rows: manifest.rows, signature: try signature())
    }

    private func signature() throws(ExportError) -> [UInt8]? {
        let name = "\(path)/\(ExportPath.signature)"
        guard !files.isLink(name) else {
            throw ExportError(.damaged, "a symbolic link is in place of a file")
        }
        guard files.facts(name) != nil else { return nil }
        return try exporting { () throws(FileError) in
            try files.read(name, bytesMax: Self.signatureBytesMax)
        }
    }

    private func check(_ name: String, _ wanted: FileDigest) throws(ExportError) {
        guard let found = try FileScan.digest(of: "\(path)/\(name)", in: files) else {
            throw ExportError(.damaged, "\(name) is missing")
        }
        try hold(name, found, wanted)
    }

    private func hold(
        _ name: String, _ found: FileDigest, _ wanted: FileDigest
    ) throws(ExportError) {
        guard found == wanted else {
            throw ExportError(.damaged, "\(name) does not match the manifest")
        }
    }

    private func lines(of file: ManifestFile) throws(ExportError) -> LineReader {
        guard files.facts("\(path)/\(file.path)") != nil else {
            throw ExportError(.damaged, "\(file.path) is missing")
        }
        return try LineReader("\(path)/\(file.path)", in: files)
    }

    /// Every line is one JSON object, there are as many as the manifest says, and the file of every
    /// asset that they name is there.
    private func checkRecords(_ file: ManifestFile) throws(ExportError) {
        let lines = try lines(of: file)
        var count = 0
        while let line = try lines.next() {
            count += 1
            for asset in try RecordLine(line).assets {
                guard let facts = files.facts("\(path)/\(asset.path)"), facts.isFile else {
                    throw ExportError(.damaged, "\(asset.path) is missing")
                }
            }
        }
        try hold(file.path, lines.end(), file.digest)
        guard count == file.count else {
            throw ExportError(.damaged, "\(file.path) has another number of lines")
        }
    }

    private func checkAssets(_ file: ManifestFile) throws(ExportError) {
        let lines = try lines(of: file)
        var count = 0
        var bytes: Int64 = 0
        var last = ""
        while let line = try lines.next() {
            guard let asset = AssetLine(line), asset.sha256 > last else {
                throw ExportError(.damaged, "\(file.path) is not in the format of an export")
            }
            last = asset.sha256
            count += 1
            let (sum, isTooLarge) = bytes.addingReportingOverflow(asset.bytes)
            guard asset.bytes >= 0, !isTooLarge else {
                throw ExportError(.damaged, "the counts of \(file.path) are inconsistent")
            }
            bytes = sum
            try check(asset.path, FileDigest(bytes: asset.bytes, sha256: asset.sha256))
        }
        try hold(file.path, lines.end(), file.digest)
        guard count == file.count, bytes == file.assetBytes else {
            throw ExportError(.damaged, "the counts of \(file.path) are inconsistent")
        }
    }

    /// Nothing is in the folder that the manifest does not name.
    private func checkNames(_ manifest: ExportManifest) throws(ExportError) {
        for name in try names(in: path) where !ExportPath.all.contains(name) {
            throw ExportError(.damaged, "the folder contains a file that no export wrote")
        }
        let named = Set(manifest.files.map(\.path))
        for name in try names(in: "\(path)/\(ExportPath.records)")
        where !named.contains("\(ExportPath.records)/\(name)") {
            throw ExportError(
                .damaged,
                "the folder contains records that the manifest does not name")
        }
        if !named.contains(ExportPath.donations),
            files.facts("\(path)/\(ExportPath.donations)") != nil
        {
            throw ExportError(.damaged, "the manifest does not name the donations")
        }
        var assets = 0
        for folder in try names(in: "\(path)/\(ExportPath.assets)") {
            assets += try names(in: "\(path)/\(ExportPath.assets)/\(folder)").count
        }
        guard assets == manifest.totals.assets else {
            throw ExportError(.damaged, "the folder contains assets that the list does not name")
        }
    }

    private func names(in folder: String) throws(ExportError) -> [String] {
        try exporting { () throws(FileError) in try files.names(in: folder) }
    }
}
