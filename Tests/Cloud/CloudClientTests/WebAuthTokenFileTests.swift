import AsyncOperations
import CloudClient
import CloudModel
import FileSystem
import Foundation
import Testing

/// A web auth token on disk, as its processes share it.
@Suite(.timeLimit(.minutes(10)))
final class WebAuthTokenFileTests: Sendable {
    private let folder: String
    private var path: String { folder + "/token" }

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-token-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func file() -> WebAuthTokenFile {
        WebAuthTokenFile("token", in: Files(workingFolder: folder), clock: ContinuousClock())
    }

    private func put(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private func refusal(_ body: () async throws(CloudError) -> Void) async -> CloudError? {
        do throws(CloudError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `the next token replaces the file whole and nothing else is left`() async throws {
        try put("first\n")
        let file = file()
        #expect(try await file.hold(alone: false) == "first")
        try await file.keep("second")
        #expect(text == "second\n")
        await file.release()
        #expect(try await self.file().hold(alone: true) == "second")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == ["token", "token.lock"])
    }

    @Test func `those who share it do not wait, and who is alone waits for all`() async throws {
        try put("t")
        let (one, other, alone) = (file(), file(), file())
        #expect(try await one.hold(alone: false) == "t")
        #expect(try await other.hold(alone: false) == "t")
        let order = Locked([String]())
        let waiting = Task {
            let token = try await alone.hold(alone: true)
            order.withLock { $0.append("alone") }
            return token
        }
        order.withLock { $0.append("one") }
        try await one.keep("u")
        await one.release()
        order.withLock { $0.append("other") }
        await other.release()
        // What came while it waited, not what was there before.
        #expect(try await waiting.value == "u")
        #expect(order.withLock { $0 } == ["one", "other", "alone"])
        let late = Task { try await one.hold(alone: false) }
        late.cancel()
        let failure = await late.result
        #expect(throws: CloudError.self) { try failure.get() }
        await alone.release()
    }

    @Test(arguments: [
        ("two words\n", 0o600, "but does not"), ("", 0o600, "but does not"),
        ("t", 0o640, "can be read by other users"),
        ("t", 0o400, "must be a file that can be replaced"),
        (String(repeating: "x", count: 8193), 0o600, "but does not"),
        (String(repeating: "x", count: 9000), 0o600, "is larger than"),
    ])
    func `a file that is no good is told, and not held`(
        text: String, mode: Int, reason: String
    ) async throws {
        try put(text, mode: mode)
        let error = await refusal { () async throws(CloudError) in
            _ = try await file().hold(alone: true)
        }
        #expect(error?.code == .authenticationFailed)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "nothing")")
        // Nobody is kept waiting by it.
        try put("good")
        #expect(try await file().hold(alone: true) == "good")
    }

    @Test func `a link is not replaced by a file`() async throws {
        try Data("t".utf8).write(to: URL(fileURLWithPath: folder + "/real"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder + "/real")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "real")
        let error = await refusal { () async throws(CloudError) in
            _ = try await file().hold(alone: false)
        }
        #expect(error?.reason.contains("must be a file that can be replaced") == true)
    }

    @Test func `where no file can be made it is told before there is anything to lose`()
        async throws
    {
        try put("t")
        // In the place of the draft that every write begins with.
        try FileManager.default.createDirectory(
            atPath: path + ".draft", withIntermediateDirectories: false)
        let error = await refusal { () async throws(CloudError) in
            _ = try await file().hold(alone: false)
        }
        #expect(error?.code == .authenticationFailed && text == "t")
    }

    @Test func `who signed out is not signed in again by an answer that comes late`() async throws {
        let file = file()
        try await file.begin(with: "t")
        #expect(text == "t\n")
        #expect(try await file.hold(alone: false) == "t")
        try FileManager.default.removeItem(atPath: path)
        let error = await refusal { () async throws(CloudError) in try await file.keep("u") }
        #expect(error?.code == .authenticationRequired && text == nil)
        await file.release()
        #expect(try await file.hold(alone: false) == nil)
        #expect(try await self.file().remove() == false)
    }

    @Test func `a sign-in waits for requests that bear the old token, and so does a sign-out`()
        async throws
    {
        try put("old")
        let user = file()
        #expect(try await user.hold(alone: false) == "old")
        let signIn = Task { try await file().begin(with: "new") }
        try await user.keep("older")
        await user.release()
        try await signIn.value
        #expect(text == "new\n")
        #expect(try await user.hold(alone: false) == "new")
        let signOut = Task { try await file().remove() }
        try await user.keep("newer")
        await user.release()
        #expect(try await signOut.value)
        #expect(text == nil)
    }

    @Test(arguments: ["", "a b", "a\nb", "ä", String(repeating: "x", count: 8193)])
    func `what the service calls a token and is none is not kept`(next: String) async throws {
        try put("t")
        let file = file()
        _ = try await file.hold(alone: true)
        let error = await refusal { () async throws(CloudError) in try await file.keep(next) }
        #expect(error?.code == .authenticationFailed && text == "t")
    }
}
