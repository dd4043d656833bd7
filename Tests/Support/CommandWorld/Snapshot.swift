import Foundation
import Testing

/// Texts that people see, kept as files beside the tests.
///
/// To record them anew: `CKSWEEP_RECORD_SNAPSHOTS=1 swift test --filter CommandsTests`, then look
/// at the difference before keeping it.
enum Snapshot {
    static let isRecording =
        ProcessInfo.processInfo.environment["CKSWEEP_RECORD_SNAPSHOTS"] == "1"
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Snapshots")

    /// Compares `text` with the file `name`, or writes it when recording.
    static func check(
        _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appendingPathComponent(name)
        if isRecording {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(text == kept, "differs from \(name)", sourceLocation: sourceLocation)
    }
}
