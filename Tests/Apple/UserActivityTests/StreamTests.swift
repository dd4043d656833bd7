import AsyncOperations
import DonationStore
import Foundation
import Testing
import UserActivity

/// The streams between the two sides of a continuation (F41).
struct StreamTests {
    private func handOver(
        _ delegate: Heard, supportsStreams: Bool = true
    ) async throws -> (received: NSUserActivity, link: HandoffLink, origin: NSUserActivity) {
        let phone = try TestApp()
        let activity = makeActivity("editing")
        activity.supportsContinuationStreams = supportsStreams
        activity.delegate = delegate
        try await phone.run { activity.becomeCurrent() }
        let link = HandoffLink(
            from: HandoffOrigin(HandoffPeer(store: phone.store, teamIdentifier: "T")),
            to: HandoffPeer(store: try TestApp().store, teamIdentifier: "T"),
            clock: ManualClock())
        return (try await link.receive(), link, activity)
    }

    private func write(_ text: String, to stream: OutputStream) -> Int {
        var bytes = Array(text.utf8)
        return stream.write(&bytes, maxLength: bytes.count)
    }

    private func read(_ stream: InputStream, atMost count: Int = 100) -> String? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = stream.read(&bytes, maxLength: count)
        return got < 0 ? nil : String(decoding: bytes.prefix(got), as: UTF8.self)
    }

    @Test func `F41 streams arrive unopened on both sides and join them`() async throws {
        let delegate = Heard()
        let (received, _, origin) = try await handOver(delegate)
        let (input, output) = try await received.continuationStreams()
        let far = try #require(delegate.receivedStreams)
        #expect(delegate.calls == ["was continued", "got streams"])
        for stream in [input, output, far.input, far.output] as [Stream] {
            #expect(stream.streamStatus == .notOpen)
        }
        #expect(write("too early", to: output) == -1)
        #expect(read(input) == nil)
        for stream in [input, output, far.input, far.output] as [Stream] {
            stream.open()
            #expect(stream.streamStatus == .open)
        }
        #expect(!far.input.hasBytesAvailable)
        #expect(write("what is new?", to: output) == 12)
        #expect(far.input.hasBytesAvailable)
        #expect(read(far.input) == "what is new?")
        #expect(far.output.hasSpaceAvailable)
        #expect(write("a paragraph", to: far.output) == 11)
        #expect(read(input, atMost: 2) == "a ")
        #expect(read(input) == "paragraph")
        far.output.close()
        #expect(read(input) == "")
        #expect(input.streamStatus == .atEnd)
        input.close()
        output.close()
        far.input.close()
        #expect(input.streamStatus == .closed)
        #expect(read(input) == nil)
        withExtendedLifetime(origin) {}
    }

    @Test func `F41 writing when nobody reads any more is an error and no signal`() async throws {
        let delegate = Heard()
        let (received, _, origin) = try await handOver(delegate)
        let (input, output) = try await received.continuationStreams()
        let far = try #require(delegate.receivedStreams)
        for stream in [input, output, far.input, far.output] as [Stream] { stream.open() }
        far.input.close()
        #expect(write("hello?", to: output) == -1)
        #expect(output.streamStatus == .error)
        #expect(output.streamError != nil)
        withExtendedLifetime(origin) {}
    }

    @Test func `F41 many bytes go both ways`() async throws {
        let delegate = Heard()
        let (received, _, origin) = try await handOver(delegate)
        let (input, output) = try await received.continuationStreams()
        let far = try #require(delegate.receivedStreams)
        for stream in [input, output, far.input, far.output] as [Stream] { stream.open() }
        let near = Heard.Streams(input: input, output: output)
        let count = 1 << 20
        let sent = Locked(0)
        // Streams block, which the threads of the pool must not wait for.
        let writer = DedicatedThread(label: "writer") {
            var bytes = [UInt8](repeating: 7, count: 1 << 16)
            while sent.withLock({ $0 }) < count {
                let wrote = near.output.write(&bytes, maxLength: bytes.count)
                guard wrote > 0 else { break }
                sent.withLock { $0 += wrote }
            }
            near.output.close()
        }
        var total = 0
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = far.input.read(&bytes, maxLength: bytes.count)
            guard got > 0 else { break }
            total += got
        }
        writer.join()
        #expect(sent.withLock { $0 } == count)
        #expect(total == count)
        withExtendedLifetime(origin) {}
    }

    @Test func `F41 there are no streams where the activity does not support them`() async throws {
        let delegate = Heard()
        let (received, _, origin) = try await handOver(delegate, supportsStreams: false)
        await #expect {
            try await received.continuationStreams()
        } throws: {
            ($0 as NSError).code == NSUserActivityConnectionUnavailableError
        }
        #expect(delegate.calls == ["was continued"])
        withExtendedLifetime(origin) {}
    }

    @Test func `F41 an activity that was not delivered has no streams`() async {
        let activity = makeActivity("here")
        activity.supportsContinuationStreams = true
        let code = await withCheckedContinuation { continuation in
            activity.getContinuationStreams { input, output, error in
                #expect(input == nil && output == nil)
                continuation.resume(returning: (error as NSError?)?.code)
            }
        }
        #expect(code == NSUserActivityConnectionUnavailableError)
    }

    @Test func `F41 a cut link gives no streams`() async throws {
        let delegate = Heard()
        let (received, link, origin) = try await handOver(delegate)
        link.disconnect()
        await #expect {
            try await received.continuationStreams()
        } throws: {
            ($0 as NSError).code == NSUserActivityConnectionUnavailableError
        }
        withExtendedLifetime(origin) {}
    }
}
