import Basics
import Foundation

// Tests hand this library neither a clock nor chance, so it takes the machine's: here only.

/// The machine that a mock cloud runs on.
enum Edge {
    /// Waits, as long as a fault has an answer held back.
    static func wait(_ time: Duration) async throws {
        guard time > .zero else { return }
        try await ContinuousClock().sleep(for: time)
    }

    /// A folder that nobody else has; it is not made.
    static func temporaryFolder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(
            "cloudkit-mock-\(UUID().uuidString)")
    }

    /// Removes a folder with all in it.
    static func remove(_ folder: URL) {
        // It holds the certificate of a server that has ended: nothing depends on it.
        try? FileManager.default.removeItem(at: folder)
    }

    /// A seed that nobody has chosen: as many bits as JSON's readers all keep of a number.
    static func freshSeed() -> UInt64 { UInt64.random(in: 0..<1 << 53) }

    static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}

extension WallClock {
    /// The machine's clock.
    static let system = WallClock {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
    }
}
