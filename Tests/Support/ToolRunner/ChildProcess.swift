import AsyncOperations
import CToolRunner
import Foundation

/// A program under way. Unlike Foundation's `Process`, which now and then reads past a buffer on
/// Linux when it starts one, and crashes.
///
/// - SeeAlso: <https://github.com/swiftlang/swift-corelibs-foundation/pull/5472>
package final class ChildProcess: Sendable {
    /// Why a program could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let identifier: Int32
    private let status = Locked<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - variables: Its environment; nil: that of this process.
    ///   - streams: Descriptors of its standard streams; -1: none.
    package init(
        _ program: String, _ arguments: [String], variables: [String: String]? = nil,
        folder: String? = nil, streams: [Int32] = [-1, -1, -1]
    ) throws {
        let environment = variables ?? ProcessInfo.processInfo.environment
        let lines = environment.map { "\($0.key)=\($0.value)" }
        identifier = Self.withCStrings([program] + arguments) { arguments in
            Self.withCStrings(lines) { ctoolrunner_spawn(arguments, $0, folder, streams) }
        }
        guard identifier > 0 else {
            throw Failure(
                description: "\(program): \(String(cString: strerror(-identifier)))")
        }
    }

    private static func withCStrings(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var pointers = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress!)) }
    }

    package func send(_ signal: Int32) { kill(identifier, signal) }

    /// Kills the program, and waits until nothing is left of it: its files are closed then.
    ///
    /// Where it was started to start another one in its place, as `unshare` is, that one is killed:
    /// this one waits for its end, and ends after it.
    package func killWhole() throws {
        let children = try String(
            contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8
        ).split(separator: " ").compactMap { Int32($0) }
        for child in children { kill(child, SIGKILL) }
        if children.isEmpty { send(SIGKILL) }
        wait()
    }

    /// How long a program may run once somebody waits for its end, or say nothing while somebody reads.
    static let secondsMax: Int32 =
        ProcessInfo.processInfo.environment["CKSWEEP_LONG"] == nil ? 900 : 5400

    /// Blocks until it has ended, and kills it if that takes too long; 128 and the signal's number when
    /// one ended it.
    @discardableResult
    package func wait() -> Int32 {
        status.withLock { status in
            let known = status ?? ctoolrunner_wait(identifier, Self.secondsMax)
            status = known
            return known
        }
    }

    /// Suspends until it has ended, and does not ask for its status: nobody has waited for it.
    package func ended() async {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "child") { [identifier] in
                ctoolrunner_wait_for_end(identifier)
                continuation.resume()
            }
        }
    }
}
