import FileSystem
import Foundation
import MockRecording
import RandomSeeds
import Testing

/// Recordings on disk.
struct RecordingFileTests {
    /// A folder that goes with its owner.
    final class Folder {
        let path: String
        let files: Files

        init() throws {
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("recording-\(ProcessInfo.processInfo.globallyUniqueString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            path = url.path
            files = Files(workingFolder: path)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    static func exchange(
        _ number: Int, _ body: [UInt8], answer: [UInt8] = Array("{}".utf8),
        path: String = "/database/1/iCloud.a.b/development/private/records/query",
        caller: String = "user-1", token: String = "T1"
    ) -> RecordedExchange {
        RecordedExchange(
            number: number,
            request: RecordedRequest(
                method: "POST", target: path + "?ckAPIToken=A&ckWebAuthToken=\(token)",
                caller: caller, body: body),
            answer: RecordedAnswer(
                status: 200, headers: [.init("content-type", "application/json")], body: answer))
    }

    static func write(
        _ exchanges: [RecordedExchange], to path: String, in folder: Folder, ends: Bool = true
    ) throws {
        var writer = try RecordingWriter(
            path, RecordingHead(variables: ["TOKEN": "t"]), folder.files)
        for exchange in exchanges { try writer.append(exchange) }
        if ends { try writer.finish() }
    }

    private static func whole(
        _ file: RecordingFile, _ entry: RecordingFile.Entry
    ) throws -> RecordedExchange {
        var (answer, pieces) = try file.answer(of: entry)
        while let piece = try pieces?.next() { answer.body += piece }
        return RecordedExchange(
            number: entry.number, request: try file.request(of: entry), answer: answer)
    }

    @Test func `what was written is read again, byte by byte, whatever the bytes are`() throws {
        let seed = Seeds.one("recorded bytes")
        var generator = Mixer(state: seed)
        let folder = try Folder()
        let bytes = (0..<500_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let exchanges = [
            Self.exchange(1, Array("{\"é\": \"\\u0000\u{0}\n\"}".utf8), answer: []),
            Self.exchange(2, bytes, answer: Array(bytes.reversed())),
            Self.exchange(3, [0xFF], answer: Array(bytes.prefix(192 << 10))),
            Self.exchange(4, []),
        ]
        try Self.write(exchanges, to: "a.recording", in: folder)
        let file = try RecordingFile("a.recording", folder.files)
        #expect(file.isEnded && file.head.variables == ["TOKEN": "t"])
        #expect(folder.files.facts("a.recording")?.mode == 0o600)
        for entry in file.entries {
            #expect(
                try Self.whole(file, entry) == exchanges[entry.number - 1], "seed \(seed)")
        }
        #expect(file.entries.count == 4)
        #expect(try folder.files.names(in: folder.path) == ["a.recording"])
    }

    private struct Mixer: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    @Test func `of a recording that was cut anywhere, the whole exchanges are left`() throws {
        let folder = try Folder()
        let long = [UInt8](repeating: 0xFE, count: 300_000)
        try Self.write(
            [Self.exchange(1, [1, 0xFF]), Self.exchange(2, long, answer: long)], to: "a",
            in: folder, ends: false)
        let bytes = try folder.files.read("a.part")
        let lineEnds = bytes.indices.filter { bytes[$0] == 0x0A }
        // The head, an exchange and one piece, an exchange and two pieces twice.
        #expect(lineEnds.count == 8)
        for (index, end) in lineEnds.enumerated() {
            for cut in [end - 1, end, end + 1] where cut > lineEnds[0] {
                try folder.files.write(Array(bytes[..<cut]), to: "b", replacing: true)
                let file = try RecordingFile("b", folder.files)
                let ends = cut > end ? index : index - 1
                #expect(file.entries.count == (ends >= 7 ? 2 : ends >= 2 ? 1 : 0), "cut at \(cut)")
                #expect(!file.isEnded)
            }
        }
    }

    @Test func `nothing that is there is overwritten`() throws {
        let folder = try Folder()
        for name in ["a", "a.part"] {
            try folder.files.write([1], to: name, replacing: true)
            let error = #expect(throws: RecordingError.self) {
                try Self.write([], to: "a", in: folder)
            }
            #expect(error?.reason.contains("\(name) exists already") == true)
            folder.files.remove(name)
        }
    }

    @Test(arguments: [
        ("", "b is empty"), ("{\"version\": 1}\n", "line 1: this is not a recording"),
        ("{\"recording\": 2}\n", "line 1: the recording has version 2"),
        ("{\"recording\": 1}\n{]\n", "b, line 2: "),
        ("{\"recording\": 1}\n{\"exchange\": 1}\n", "b, line 2: \"exchange\", \"request\""),
        ("{\"recording\": 1}\n{\"end\": 0}\n{}\n", "b, line 3: trailing data"),
    ])
    func `what is no recording is refused with the line`(text: String, reason: String) throws {
        let folder = try Folder()
        try folder.files.write(Array(text.utf8), to: "b", replacing: true)
        let error = #expect(throws: RecordingError.self) {
            try RecordingFile("b", folder.files)
        }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
