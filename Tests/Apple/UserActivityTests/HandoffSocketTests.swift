import Dispatch
import DonationStore
import Foundation
import Testing
import UserActivity

/// Handoff between two processes, over a socket that stays on the machine (F40, F41).
struct HandoffSocketTests {
    /// A folder of its own with a short name, as sockets need it.
    private static func withSocket(
        _ body: (String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("handoff-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent("s").path)
    }

    /// Runs `body` while `activity` is current and offered at a socket.
    private static func offering(
        _ activity: NSUserActivity, _ body: (String, HandoffOrigin) async throws -> Void
    ) async throws {
        let phone = try TestApp()
        try await phone.run { activity.becomeCurrent() }
        let origin = HandoffOrigin(HandoffPeer(store: phone.store, teamIdentifier: "T"))
        try await withSocket { path in
            let server = try HandoffServer(for: origin, socketPath: path)
            async let served: Void = server.serve()
            do {
                try await body(path, origin)
            } catch {
                server.close()
                await served
                throw error
            }
            server.close()
            await served
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    private static func link(
        _ path: String, timeout: Duration = .seconds(300)
    ) throws -> HandoffLink {
        let desk = try TestApp()
        return HandoffLink(
            socketPath: path, to: HandoffPeer(store: desk.store, teamIdentifier: "T"),
            timeout: timeout)
    }

    private static func code(
        _ body: () async throws -> NSUserActivity
    ) async -> Int? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test func `F40 an activity goes to another process`() async throws {
        let delegate = Heard()
        let activity = makeActivity("reading")
        activity.userInfo = ["page": 7]
        activity.delegate = delegate
        try await Self.offering(activity) { path, origin in
            await #expect(processExitsWith: .success) { [path = path as String] in
                let desk = try TestApp()
                let link = HandoffLink(
                    socketPath: path, to: HandoffPeer(store: desk.store, teamIdentifier: "T"),
                    timeout: .seconds(300))
                let received = try await link.receive()
                guard received.title == "reading", received.userInfo?["page"] as? Int == 7 else {
                    throw CocoaError(.userActivityHandoffFailed)
                }
            }
            #expect(origin.transcript.last == .continued)
            #expect(delegate.calls == ["was continued"])
        }
    }

    @Test func `F41 streams join two processes`() async throws {
        let delegate = Heard()
        let activity = makeActivity("editing")
        activity.supportsContinuationStreams = true
        activity.delegate = delegate
        try await Self.offering(activity) { path, _ in
            let received = try await Self.link(path).receive()
            let (input, output) = try await received.continuationStreams()
            // The reply comes before the delegate has its ends; a second request is behind both.
            _ = try await Self.link(path).offeredActivityType()
            let far = try #require(delegate.receivedStreams)
            for stream in [input, output, far.input, far.output] as [Stream] {
                #expect(stream.streamStatus == .notOpen)
                stream.open()
            }
            var bytes = Array("hello".utf8)
            #expect(output.write(&bytes, maxLength: 5) == 5)
            var got = [UInt8](repeating: 0, count: 5)
            #expect(far.input.read(&got, maxLength: 5) == 5)
            #expect(got == bytes)
            #expect(far.output.write(&bytes, maxLength: 5) == 5)
            #expect(input.read(&got, maxLength: 5) == 5)
            for stream in [input, output, far.input, far.output] as [Stream] { stream.close() }
        }
    }

    @Test func `F41 no streams come where nobody takes them`() async throws {
        let activity = makeActivity("editing")
        activity.supportsContinuationStreams = true
        try await Self.offering(activity) { path, _ in
            let received = try await Self.link(path).receive()
            let code = await Self.code {
                _ = try await received.continuationStreams()
                return received
            }
            #expect(code == NSUserActivityHandoffFailedError)
        }
    }

    @Test func `F40 4609 when no process answers`() async throws {
        try await Self.withSocket { path in
            let link = try Self.link(path)
            #expect(
                await Self.code { try await link.receive() }
                    == NSUserActivityConnectionUnavailableError)
        }
    }

    @Test func `F40 4610 when the other process does not answer in time`() async throws {
        // The delegate waits until the link has given up.
        let gate = DispatchSemaphore(value: 0)
        let delegate = Heard { _ in gate.wait() }
        let activity = makeActivity("slow")
        activity.delegate = delegate
        try await Self.offering(activity) { path, _ in
            activity.needsSave = true
            let link = try Self.link(path, timeout: .milliseconds(200))
            let code = await Self.code { try await link.receive() }
            gate.signal()
            #expect(code == NSUserActivityRemoteApplicationTimedOutError)
        }
    }

    @Test func `a socket in use is not taken over, one that is left is`() async throws {
        let activity = makeActivity("here")
        try await Self.offering(activity) { path, origin in
            #expect(throws: CocoaError(.userActivityConnectionUnavailable)) {
                try HandoffServer(for: origin, socketPath: path)
            }
            #expect(try await Self.link(path).offeredActivityType() == TestApp.type)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
        }
        try await Self.withSocket { path in
            await #expect(processExitsWith: .success) { [path = path as String] in
                let phone = try TestApp()
                let peer = HandoffPeer(store: phone.store, teamIdentifier: "T")
                let server = try HandoffServer(for: HandoffOrigin(peer), socketPath: path)
                // Ends without closing, as a killed process does.
                withExtendedLifetime(server) { exit(0) }
            }
            #expect(FileManager.default.fileExists(atPath: path))
            let phone = try TestApp()
            let peer = HandoffPeer(store: phone.store, teamIdentifier: "T")
            let server = try HandoffServer(for: HandoffOrigin(peer), socketPath: path)
            server.close()
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 200)])
    func `a path that no socket can have is refused`(path: String) throws {
        let phone = try TestApp()
        let peer = HandoffPeer(store: phone.store, teamIdentifier: "T")
        #expect(throws: CocoaError(.userActivityConnectionUnavailable)) {
            try HandoffServer(for: HandoffOrigin(peer), socketPath: path)
        }
    }

    @Test func `a file that is no socket is left alone`() async throws {
        try await Self.withSocket { path in
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            let phone = try TestApp()
            let peer = HandoffPeer(store: phone.store, teamIdentifier: "T")
            #expect(throws: CocoaError(.userActivityConnectionUnavailable)) {
                try HandoffServer(for: HandoffOrigin(peer), socketPath: path)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        }
    }
}
