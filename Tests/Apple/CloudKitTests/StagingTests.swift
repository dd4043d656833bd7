import CloudKit
import FileSystem
import Foundation
import Testing

/// The folder for files of fetched assets, and what others have left beside it.
@Suite(.timeLimit(.minutes(10)))
struct StagingTests {
    @Test func `what a killed process has left goes, and what is in use stays`() throws {
        let parent = FileManager.default.temporaryDirectory
            .appendingPathComponent("staging-tests-\(UUID().uuidString)").path
        let files = Files(workingFolder: parent)
        try files.makeFolder(parent)
        defer { files.removeFolder(parent) }
        func folder(_ name: String) throws -> String {
            try files.makeFolder(name)
            try files.write([1], to: "\(name)/1", replacing: false)
            return "\(parent)/\(name)/lock"
        }
        let names = ["assets-left", "assets-used", "assets-made.new", "other"]
        let locks = try names.map { try folder("cloudkit-" + $0) }
        let left = try LockFile(locks[0])
        let used = try LockFile(locks[1])
        guard case .taken = try used.lock(0) else { return }
        for lock in locks.dropFirst(2) { try files.write([], to: lock, replacing: false) }

        let staging = StagingFolder(in: parent)
        let paths = [try staging.makePath(), try staging.makePath()]
        #expect(Set(paths).count == 2)
        #expect(
            try files.names(in: parent).filter { !names.contains(String($0.dropFirst(9))) }.count
                == 1)
        #expect(files.facts("cloudkit-assets-left") == nil)
        for name in names.dropFirst() { #expect(files.facts("cloudkit-\(name)/1")?.isFile == true) }
        // Its own folder stays for as long as a file is in use.
        for (path, isThere) in zip(paths, [true, false]) {
            try files.write([1], to: path, replacing: false)
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            #expect(files.facts(folder)?.mode == 0o700)
            staging.remove(path)
            #expect((files.facts(folder) != nil) == isThere)
        }
        withExtendedLifetime((left, used)) {}
    }
}
