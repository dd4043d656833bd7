import Basics
import CloudModel
import FileSystem
import JSON
import OpenSSL

extension ExportManifest {
    /// Bytes of a manifest that is read: enough for 100,000 zones.
    static let bytesMax = 64 << 20

    /// Reads the manifest of a folder.
    ///
    /// - Returns: It, and its SHA-256 in hexadecimal.
    /// - Throws: `notAnExport` when there is none, `damaged` when no export wrote it.
    static func read(
        in folder: String, _ files: Files
    ) throws(ExportError) -> (manifest: ExportManifest, digest: String) {
        let path = "\(folder)/\(ExportPath.manifest)"
        guard files.facts(path) != nil, !files.isLink(path) else {
            throw ExportError(
                .notAnExport,
                files.facts("\(folder)/\(ExportPath.state)") == nil
                    ? "\(folder) contains no export"
                    : "the export in \(folder) was interrupted: run it again with the same folder")
        }
        let bytes = try exporting { () throws(FileError) in
            try files.read(path, bytesMax: bytesMax)
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument.parse(bytes, limits: JSONLimits(bytesMax: bytesMax)).root
        } catch {
            throw ExportError(.damaged, "the manifest is not JSON")
        }
        guard root["format"]?.string == format else {
            throw ExportError(.damaged, "the manifest was written by another version of this tool")
        }
        let manifest = ExportManifest(root)
        // Whatever it says beside what is read, or says otherwise, no export wrote.
        guard let manifest, manifest.text == bytes else {
            throw ExportError(.damaged, "the manifest is not in the format of an export")
        }
        return (manifest, Hexadecimal.encode(SHA256.hash(bytes)))
    }

    private init?(_ root: JSONValue) {
        guard let began = root["began"]?.string.flatMap(Timestamp.init(iso8601:)),
            let ended = root["ended"]?.string.flatMap(Timestamp.init(iso8601:)),
            let environment = root["environment"]?.string.flatMap(
                Container.Environment.init(rawValue:)),
            let url = root["server"]?.string, let isRehearsal = root["rehearsal"]?.bool,
            let toolVersion = root["toolVersion"]?.string,
            let people = root.list("containers", Self.person),
            let scopes = root.list(
                "databases", { $0.string.flatMap(Database.Scope.init(rawValue:)) }),
            let rows = root.list("rows", ExportRow.init), let files = root.list("files", Self.file)
        else { return nil }
        self.init(
            subject: ExportSubject(
                server: ServerFacts(url: url, isRehearsal: isRehearsal),
                environment: environment, scopes: scopes, people: people),
            serverKey: root["serverKey"]?.string, toolVersion: toolVersion, began: began,
            ended: ended, rows: rows, files: files)
    }

    private static func person(_ value: JSONValue) -> ExportSubject.Person? {
        guard let container = value["identifier"]?.string.flatMap({ Container.ID($0) }),
            let pseudonym = value["person"]?.string
        else { return nil }
        return ExportSubject.Person(container: container, pseudonym: pseudonym)
    }

    private static func file(_ value: JSONValue) -> ManifestFile? {
        guard let path = value["path"]?.string, ExportPath.isOfFile(path),
            let bytes = value.size("bytes"), let sha256 = value["sha256"]?.string,
            ExportPath.isDigest(sha256), let count = value.size("count"),
            let kind = value["kind"]?.string
        else { return nil }
        let digest = FileDigest(bytes: bytes, sha256: sha256)
        guard let container = value["container"]?.string else {
            let isList = path == ExportPath.assetList
            guard let assetBytes = isList ? value.size("assetBytes") : 0 else { return nil }
            return ManifestFile(
                path: path, digest: digest, count: Int(count), kind: kind, assetBytes: assetBytes)
        }
        guard let container = Container.ID(container),
            let scope = value["database"]?.string.flatMap(Database.Scope.init(rawValue:)),
            let kind = ExportPart.Kind(rawValue: kind)
        else { return nil }
        let part = ExportPart(
            kind, in: container, scope, zone: value["zone"]?.string ?? "",
            owner: value["owner"]?.string ?? "")
        // A file bears the name of what is in it.
        guard part.path == path, let shares = value.size("shares"), shares <= count else {
            return nil
        }
        return ManifestFile(
            path: path, digest: digest, count: Int(count), shares: Int(shares), part: part)
    }
}

extension ExportRow {
    fileprivate init?(_ value: JSONValue) {
        guard let container = value["container"]?.string.flatMap({ Container.ID($0) }),
            let scope = value["database"]?.string.flatMap(Database.Scope.init(rawValue:)),
            let place = value["place"]?.string, let outcome = value["outcome"]?.string,
            let found = value.size("found"), let isOpen = value["open"]?.bool
        else { return nil }
        self.init(
            container: container, scope: scope, place: place, subject: value["subject"]?.string,
            outcome: outcome, reason: value["reason"]?.string, found: Int(found),
            isOpen: isOpen)
    }
}

extension JSONValue {
    /// A count, or a number of bytes; nil when it is none, or larger than any export's: as many as fit into a
    /// manifest can be added up.
    fileprivate func size(_ key: String) -> Int64? {
        self[key]?.int64.flatMap { (0...1 << 43) ~= $0 ? $0 : nil }
    }

    /// The elements of an array, each read; nil when it is none, or one of them cannot be.
    fileprivate func list<Element>(
        _ key: String, _ read: (JSONValue) -> Element?
    ) -> [Element]? {
        guard let array = self[key], array.kind == .array else { return nil }
        var list: [Element] = []
        for value in array.elements {
            guard let element = read(value) else { return nil }
            list.append(element)
        }
        return list
    }
}
