package import Foundation
package import Testing

/// Texts that people see, kept as files beside the tests.
///
/// To record them anew: `CKSWEEP_RECORD_SNAPSHOTS=1 swift test --filter CommandsTests`, then look
/// at the difference before keeping it.
package enum Snapshot {
    package static let isRecording =
        ProcessInfo.processInfo.environment["CKSWEEP_RECORD_SNAPSHOTS"] == "1"
    /// Where those of a file of tests are.
    package static func folder(of file: StaticString = #filePath) -> URL {
        URL(fileURLWithPath: "\(file)").deletingLastPathComponent()
            .appendingPathComponent("Snapshots")
    }

    /// Compares `text` with the file `name`, or writes it when recording.
    package static func check(
        _ text: String, _ name: String, of tests: StaticString = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = folder(of: tests)
        let file = folder.appendingPathComponent(name)
        if isRecording {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(text == kept, "differs from \(name)", sourceLocation: sourceLocation)
    }
}
