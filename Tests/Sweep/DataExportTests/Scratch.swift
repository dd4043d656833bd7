import Basics
import CloudModel
import DataExport
import FileSystem
import Foundation
import OpenSSL

/// A folder for an export, gone with its owner.
final class Scratch: Sendable {
    struct Odd: Error {}

    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("cksweep-export-\(UUID().uuidString)").path
    let container: Container.ID

    init() throws {
        guard let id = Container.ID("iCloud.com.example.app") else { throw Odd() }
        container = id
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func make(mode: Int = 0o700) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: mode])
    }

    func open(person: String = "u:1") throws -> ExportFolder {
        try ExportFolder(
            ClaimedFolder(path, in: Files(workingFolder: "/")),
            of: ExportSubject(
                server: ServerFacts(url: "https://localhost:1", isRehearsal: true),
                environment: .development, scopes: [.private],
                people: [.init(container: container, pseudonym: person)]),
            at: Timestamp(milliseconds: 1_780_000_000_000))
    }

    /// Why the folder cannot be written into; nil: it can.
    func refusal(person: String = "u:1") -> ExportError.Code? {
        do {
            _ = try open(person: person)
            return nil
        } catch let error as ExportError {
            return error.code
        } catch {
            return .inputOutput
        }
    }

    func finish(_ folder: ExportFolder, rows: [ExportRow] = []) async throws -> ExportReceipt {
        try await folder.finish(
            rows, donations: nil, serverKey: nil, toolVersion: "test",
            at: Timestamp(milliseconds: 1_780_000_001_000))
    }

    func check() throws -> VerifiedExport {
        try ExportCheck(path, in: Files(workingFolder: "/")).run()
    }

    func record(_ name: String, _ fields: [String: FieldValue] = [:]) -> Record {
        let stamp = Record.Stamp(
            timestamp: Timestamp(milliseconds: 1_780_000_000_000), userRecordName: "_u",
            deviceID: "d")
        return Record(
            id: Record.ID(name), recordType: "Note", recordChangeTag: "1",
            fields: fields.mapValues { Field($0) }, created: stamp, modified: stamp)
    }

    func item(_ name: String, _ fields: [String: FieldValue] = [:]) -> ExportItem {
        ExportItem(record(name, fields), stored: [:])
    }

    /// In the mock server's form.
    func checksum(_ bytes: [UInt8]) -> String {
        Data([1] + SHA256.hash(bytes).prefix(20)).base64EncodedString()
    }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
    }

    /// Every file below the folder.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).map { path + "/" + $0 }
            .filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
    }

    func mode(_ path: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        return (facts[.posixPermissions] as? Int ?? 0) & 0o777
    }
}
