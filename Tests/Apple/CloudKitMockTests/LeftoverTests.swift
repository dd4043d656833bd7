import CloudKit
import CloudKitMock
import Foundation
import Testing

/// Nothing is left of a mock cloud, however its body ends.
@Suite(.timeLimit(.minutes(10)), .enabled(if: !Child.isHere))
struct LeftoverTests {
    @Test func `no file, thread and socket is left, whatever ends the body`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cloudkit-mock-left-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ended = try Child.run(suite: "LeftoverChild", ["TMPDIR": folder.path])
        #expect(ended.status == 0, "\(ended.text)")
        #expect(ended.text.contains("1 test"), "\(ended.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}

/// Alone in a process, where it can be seen what is left.
@Suite(.enabled(if: Child.isHere), .timeLimit(.minutes(10)))
struct LeftoverChild {
    private static func threads() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { id in
            try? String(contentsOfFile: "/proc/self/task/\(id)/stat", encoding: .utf8)
        }.filter { !isExiting($0) }.compactMap {
            $0.split(separator: "(").last?.split(separator: ")").first.map { String($0) }
        }.filter { $0.hasPrefix("mock") || $0.hasPrefix("http") || $0.hasPrefix("disposal") }
    }

    /// Whether a thread is past its end: the kernel wakes who waits for it before it takes it off its list.
    private static func isExiting(_ stat: String) -> Bool {
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        // The flags, of which 4 is PF_EXITING.
        return fields.count > 6 && (Int(fields[6]) ?? 0) & 4 != 0
    }

    private static func sockets() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(name)")
            return target?.hasPrefix("socket:") ?? false
        }.count
    }

    @Test(arguments: [1]) func `bodies end in every way`(_: Int) async throws {
        let before = try Self.sockets()
        for _ in 0..<10 {
            try await withMockCloud { cloud in
                let status = try await cloud.container.accountStatus()
                #expect(status == .available)
                #expect(try !Self.threads().isEmpty)
            }
            await #expect(throws: MockCloudFailure.self) {
                try await withMockCloud { _ in throw Planned() }
            }
            let cancelled = Task {
                try await withMockCloud { cloud in
                    withUnsafeCurrentTask { $0?.cancel() }
                    _ = try await cloud.container.accountStatus()
                    try Task.checkCancellation()
                }
            }
            await #expect(throws: (any Error).self) { try await cancelled.value }
            let shared = SharedMockCloud()
            let thrown = Task {
                try await shared.withNamespace { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw Planned()
                }
            }
            await #expect(throws: MockCloudFailure.self) { try await thrown.value }
        }
        let left = try Self.threads()
        #expect(left == [])
        #expect(try Self.sockets() == before)
    }
}
