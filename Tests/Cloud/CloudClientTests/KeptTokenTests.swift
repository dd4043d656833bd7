import AsyncOperations
import CloudClient
import CloudModel
import RawHTTPServer
import Testing

/// What becomes of requests when a token is kept where other processes use it too.
@Suite(.timeLimit(.minutes(10)))
struct KeptTokenTests {
    @Test func `a token that another process has used up is not a sign-out`() async throws {
        let keeper = MemoryKeeper("a")
        let store = WebAuthTokenStore(keptIn: keeper)
        #expect(try await store.lend() == "a")
        keeper.change(to: "b")
        #expect(try await store.settle("a", .refused))
        // From now on alone: the service takes each token once.
        #expect(try await store.lend() == "b")
        #expect(!(try await store.settle("b", .next("c"))))
        #expect(
            keeper.acts == [
                "hold", "release", "hold alone", "release", "hold alone", "keep c", "release",
            ])
    }

    @Test func `the token that is kept and refused is a sign-out, and stays where it is`()
        async throws
    {
        let keeper = MemoryKeeper("a")
        let store = WebAuthTokenStore(keptIn: keeper)
        #expect(try await store.lend() == "a")
        #expect(!(try await store.settle("a", .refused)))
        #expect(store.current == nil && keeper.token == "a")
        #expect(keeper.acts == ["hold", "release", "hold alone", "release"])
    }

    @Test func `while requests overlap the token is held once, and let go of after the last`()
        async throws
    {
        let keeper = MemoryKeeper("a")
        let store = WebAuthTokenStore(keptIn: keeper)
        #expect(try await store.lend() == "a")
        #expect(try await store.lend() == "a")
        #expect(!(try await store.settle("a", .next("b"))))
        #expect(try await store.lend() == "b")
        #expect(!(try await store.settle("b", .nothing)))
        #expect(keeper.acts == ["hold", "keep b"])
        #expect(!(try await store.settle("a", .nothing)))
        #expect(keeper.acts == ["hold", "keep b", "release"])
        keeper.change(to: "of another process")
        #expect(try await store.lend() == "of another process")
    }

    @Test func `when a token cannot be kept its answer counts, and nothing more is sent`()
        async throws
    {
        let keeper = MemoryKeeper("a")
        let store = WebAuthTokenStore(keptIn: keeper)
        #expect(try await store.lend() == "a")
        let full = CloudError(.authenticationFailed, reason: "the disk is full")
        keeper.fail(full)
        #expect(!(try await store.settle("a", .next("b"))))
        for _ in 0..<2 {
            await #expect(throws: full) { () async throws in _ = try await store.lend() }
        }
    }

    @Test func `somebody is asked once to sign in, and all who wait go on with that token`()
        async throws
    {
        let keeper = MemoryKeeper("a")
        let asked = Locked(0)
        let store = WebAuthTokenStore(keptIn: keeper) { () async throws(CloudError) in
            asked.withLock { $0 += 1 }
            keeper.change(to: "new")
            return "new"
        }
        #expect(try await store.lend() == "a")
        #expect(try await store.settle("a", .refused))
        #expect(try await store.lend() == "new")
        #expect(asked.withLock { $0 } == 1)
        // The service may still take a token more than once.
        #expect(try await store.lend() == "new")
    }

    @Test func `who does not want to sign in is not asked again`() async throws {
        let asked = Locked(0)
        let store = WebAuthTokenStore(token: nil) { () async throws(CloudError) in
            asked.withLock { $0 += 1 }
            return nil
        }
        for _ in 0..<3 { #expect(!(try await store.signInAgain())) }
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func `an answer is handed on, and the next request sent, once the token is on disk`()
        async throws
    {
        let keeper = MemoryKeeper("t0")
        let service = try Service { request in
            let sent = request.line.split(separator: "=").last ?? ""
            keeper.note("asked with \(sent)")
            let next = "X-Apple-CloudKit-Web-Auth-Token: \(sent)+"
            return .send(answer(200, #"{"zones":[]}"#, headers: [next]))
        }
        defer { service.end() }
        let database = try service.database(.apiToken("ab", web: WebAuthTokenStore(keptIn: keeper)))
        for _ in 0..<2 {
            _ = try await database.perform(.read(.listZones(token: nil)))
            keeper.note("answered")
        }
        #expect(
            keeper.acts == [
                "hold", "asked with t0", "keep t0+", "release", "answered", "hold",
                "asked with t0%2B", "keep t0%2B+", "release", "answered",
            ])
    }
}
