import AsyncOperations
import CloudClient
import CloudModel
import RawHTTPServer
import Testing

private let header = "X-Apple-CloudKit-Web-Auth-Token"

@Suite struct WebAuthTokenTests {
    @Test func `tokens travel in the query with every unsafe byte escaped`() async throws {
        let service = try Service { _ in .send(noZones) }
        defer { service.end() }
        let store = WebAuthTokenStore(token: "a+b/c=_é&ckAPIToken=x")
        let database = try service.database(.apiToken("0123+", web: store))
        _ = try await database.perform(.read(.listZones(token: nil)))
        #expect(
            service.server.requests.map(\.line) == [
                "GET /database/1/iCloud.com.example.app/development/private/zones/list"
                    + "?ckAPIToken=0123%2B&ckWebAuthToken=a%2Bb%2Fc%3D_%C3%A9%26ckAPIToken%3Dx"
            ])
    }

    @Test func `without a web token only the API token is sent`() async throws {
        let service = try Service { _ in .send(noZones) }
        defer { service.end() }
        for web in [nil, WebAuthTokenStore(token: nil)] {
            _ = try await service.database(.apiToken("ab", web: web))
                .perform(.read(.listZones(token: nil)))
        }
        #expect(service.server.requests.allSatisfy { $0.line.hasSuffix("/list?ckAPIToken=ab") })
    }

    @Test func `each answer's token is the next request's, in all databases that share the store`()
        async throws
    {
        let counter = Locked(0)
        let service = try Service { _ in
            let number = counter.withLock { number in
                number += 1
                return number
            }
            let headers = ["\(header): next\(number)"]
            return .send(
                number == 2
                    ? refusal(429, "THROTTLED", headers: headers)
                    : answer(200, #"{"zones":[]}"#, headers: headers))
        }
        defer { service.end() }
        let kept = MemoryKeeper("first")
        let store = WebAuthTokenStore(keptIn: kept)
        let one = try service.database(.apiToken("ab", web: store))
        let other = try service.database(.apiToken("ab", web: store), scope: .shared)
        _ = try await one.perform(.read(.listZones(token: nil)))
        #expect(await failure(other, .read(.listZones(token: nil)))?.code == .throttled)
        _ = try await one.perform(.read(.listZones(token: nil)))
        #expect(
            service.server.requests.compactMap { $0.line.split(separator: "=").last } == [
                "first", "next1", "next2",
            ])
        #expect(store.current == "next3")
        // On disk while it is held, and held for each request alone.
        let acts: [String] = (1...3).flatMap { ["hold", "keep next\($0)", "release"] }
        #expect(kept.acts == acts)
    }

    @Test func `a demand to sign in is passed on, and the spent token forgotten`() async throws {
        let service = try Service { _ in
            .send(
                refusal(
                    421, "AUTHENTICATION_REQUIRED",
                    #","redirectURL":"https://localhost:1/auth?oauth_token=T""#))
        }
        defer { service.end() }
        let store = WebAuthTokenStore(token: "spent")
        let error = await failure(
            try service.database(.apiToken("ab", web: store)), .read(.listZones(token: nil)))
        #expect(error?.code == .authenticationRequired)
        #expect(error?.redirectURL == "https://localhost:1/auth?oauth_token=T")
        #expect(store.current == nil)
        #expect(service.server.requests.count == 1)
    }

    @Test func `a misdirected request costs no token`() async throws {
        let service = try Service { _ in .send(answer(421, "Misdirected Request")) }
        defer { service.end() }
        let store = WebAuthTokenStore(token: "good")
        let database = try service.database(.apiToken("ab", web: store))
        #expect(await failure(database, .read(.listZones(token: nil))) != nil)
        #expect(store.current == "good")
    }

    @Test func `a newer token survives the refusal of an older one`() async throws {
        let store = WebAuthTokenStore(token: "old")
        #expect(try await store.lend() == "old")
        store.rotate(to: "new")
        #expect(try await store.settle("old", .refused))
        #expect(store.current == "new")
        store.rotate(to: "")
        #expect(store.current == "new")
    }

    /// A service that takes each token once, as it is documented.
    private func strictService(_ refused: Locked<Int>) throws -> Service {
        let state = Locked((good: "t0", number: 0))
        return try Service { request in
            let sent = request.line.split(separator: "=").last.map { String($0) }
            let next = state.withLock { state -> String? in
                guard sent == state.good else { return nil }
                state.number += 1
                state.good = "t\(state.number)"
                return state.good
            }
            guard let next else {
                refused.withLock { $0 += 1 }
                return .send(refusal(421, "AUTHENTICATION_REQUIRED"))
            }
            return .send(answer(200, #"{"zones":[]}"#, headers: ["\(header): \(next)"]))
        }
    }

    @Test func `where a token is good once, requests learn to wait for each other`() async throws {
        let refused = Locked(0)
        let service = try strictService(refused)
        defer { service.end() }
        let store = WebAuthTokenStore(token: "t0")
        for round in 0..<3 {
            let before = refused.withLock { $0 }
            let errors = try await withThrowingTaskGroup(of: CloudError?.self) { group in
                for number in 0..<12 {
                    let scope: Database.Scope = number % 2 == 0 ? .private : .shared
                    let database = try service.database(
                        .apiToken("ab", web: store), scope: scope)
                    group.addTask { await failure(database, .read(.listZones(token: nil))) }
                }
                return try await group.reduce(into: []) { $0 += [$1] }
            }
            #expect(errors.allSatisfy { $0 == nil }, "round \(round): \(errors)")
            // Those in flight when it was found out, and no more.
            let now = refused.withLock { $0 }
            #expect(round == 0 ? now <= 11 : now == before, "round \(round): \(now)")
        }
        #expect(store.current == "t36")
    }

    @Test func `an answer and a refusal of one token at the same moment sign nobody out`()
        async throws
    {
        for round in 0..<10_000 {
            let store = WebAuthTokenStore(token: "t0")
            _ = try await store.lend()
            _ = try await store.lend()
            let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<2 {
                    group.addTask {
                        let isAnswer = number == round % 2
                        let mayRepeat = try await store.settle(
                            "t0", isAnswer ? .next("t1") : .refused)
                        return !isAnswer && mayRepeat
                    }
                }
                return try await group.reduce(false) { $0 || $1 }
            }
            try #require(
                refused, "round \(round): whose token another request used is to ask again")
            try #require(store.current == "t1", "round \(round)")
        }
    }

    @Test func `a token that nobody else uses and that is refused is forgotten by all who wait`()
        async throws
    {
        let store = WebAuthTokenStore(token: "a")
        _ = try await store.lend()
        store.rotate(to: "b")
        #expect(try await store.settle("a", .refused))
        #expect(try await store.lend() == "b")
        async let waiting = store.lend()
        #expect(!(try await store.settle("b", .refused)))
        #expect(try await waiting == nil)
        #expect(store.current == nil)
    }

    @Test func `who is cancelled while waiting for a token is out of the line`() async throws {
        let store = WebAuthTokenStore(token: "a")
        _ = try await store.lend()
        store.rotate(to: "b")
        #expect(try await store.settle("a", .refused))
        #expect(try await store.lend() == "b")
        let waiting = Task { () -> CloudError.Code? in
            do throws(CloudError) {
                _ = try await store.lend()
                return nil
            } catch {
                return error.code
            }
        }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(!(try await store.settle("b", .next("c"))))
        #expect(try await store.lend() == "c")
    }

    @Test func `a token is waited for by so many and no more`() async throws {
        let store = WebAuthTokenStore(token: "a")
        _ = try await store.lend()
        store.rotate(to: "b")
        #expect(try await store.settle("a", .refused))
        #expect(try await store.lend() == "b")
        // All but the last wait until they are cancelled.
        let refused = await withTaskGroup(of: CloudError.Code?.self) { group in
            for _ in 0...WebAuthTokenStore.waitingMax {
                group.addTask {
                    do throws(CloudError) {
                        _ = try await store.lend()
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        #expect(refused == .throttled)
        #expect(!(try await store.settle("b", .next("c"))))
        #expect(try await store.lend() == "c")
    }

    @Test func `no description shows a secret`() {
        let store = WebAuthTokenStore(token: "secret")
        for thing in [Credential.apiToken("secret", web: store) as Any, store] {
            var dumped = ""
            dump(thing, to: &dumped)
            let texts = [
                String(describing: thing), String(reflecting: thing), "\([thing])", dumped,
            ]
            #expect(texts.allSatisfy { !$0.contains("secret") }, "\(texts)")
        }
    }
}
