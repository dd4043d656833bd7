import CloudModel
import DonationSync
import Testing

/// Failures: which are waited out, which stop, and that none deletes anything.
@Suite struct WaitTests {
    private enum Place: String, CaseIterable {
        case identity, database, zone
    }

    @Test(arguments: CloudError.Code.allCases)
    func `no failure of any request deletes a donation`(code: CloudError.Code) {
        for place in Place.allCases {
            var script = Script()
            script.settle(["a"])
            script.donate(about: "a")
            switch place {
            case .identity:
                _ = script.start()
                _ = script.fail(.badRequest)
            case .database: _ = script.start()
            case .zone: _ = script.startReading()
            }
            let action = script.fail(code)
            let rows = script.storage.table.values.map(\.donation.identifier)
            #expect(rows == ["Z/a"], "\(place)")
            switch code {
            case .throttled, .tryAgainLater, .internalError, .unknown, .unexpectedResponse,
                .answerTooLarge,
                .networkFailure, .responseLost:
                guard case .wait = action else {
                    Issue.record("\(place): \(action)")
                    continue
                }
            case .accessDenied: #expect(action == .halted(.restricted))
            case .authenticationFailed, .authenticationRequired:
                #expect(action == .halted(.notAuthenticated))
            case .certificateUntrusted: #expect(action == .halted(.wrongService))
            case .quotaExceeded: #expect(action == .halted(.quotaExceeded))
            case .cancelled: #expect(action == .halted(.cancelled))
            case .atomicError, .badRequest, .conflict, .exists, .notFound,
                .validatingReferenceError, .zoneNotFound:
                switch place {
                case .identity: #expect(action == .halted(.refused))
                case .database:
                    #expect(
                        action == (code == .zoneNotFound ? .halted(.refused) : .read(.caller)))
                case .zone:
                    #expect(
                        action == (code == .zoneNotFound ? script.listing("d2") : .read(.caller)))
                }
            }
        }
    }

    @Test func `the service's wait is a floor, kept over restarts`() {
        var script = Script()
        script.settle([])
        _ = script.start()
        let action = script.fail(.throttled, after: .seconds(108_000))
        let until = script.now.advanced(by: .seconds(108_000))
        #expect(action == .wait(until: until, .throttled))
        script.crash()
        script.pass(.seconds(107_999))
        #expect(script.start() == .wait(until: until, .throttled))
        script.pass(.seconds(1))
        #expect(script.start() == script.listing("d1"))
    }

    @Test func `a wait is not shortened by a shorter one`() {
        var script = Script()
        script.settle([])
        _ = script.start()
        let long = script.fail(.throttled, after: .seconds(1000))
        // An answer to a request that was open meanwhile.
        #expect(script.start() == long)
        #expect(script.fail(.networkFailure) == long)
    }

    @Test func `waits without the service's word grow to two minutes and no further`() {
        var script = Script()
        script.settle([])
        var longest: [Int64] = []
        for _ in 1...40 {
            _ = script.start()
            guard case .wait(let until, .network) = script.fail(.networkFailure) else {
                Issue.record("no wait")
                return
            }
            longest.append(until.milliseconds - script.now.milliseconds)
            script.now = until
        }
        #expect(longest[0] <= 2001)
        #expect(longest.allSatisfy { $0 >= 1 && $0 <= 120_001 })
        #expect(longest.max()! > 60_000)
        #expect(Set(longest).count > 30)
    }

    @Test func `a clock that was turned back begins the wait anew, not for days`() {
        var script = Script()
        script.settle([])
        _ = script.start()
        _ = script.fail(.throttled, after: .seconds(60))
        script.pass(.seconds(-86_400))
        let until = script.now.advanced(by: .seconds(60))
        #expect(script.start() == .wait(until: until, .throttled))
        script.pass(.seconds(60))
        #expect(script.start() == script.listing("d1"))
    }

    @Test func `an absurd wait is taken as a year`() {
        var script = Script()
        script.settle([])
        _ = script.start()
        let action = script.fail(.throttled, after: .seconds(Int64.max))
        #expect(
            action == .wait(until: script.now.advanced(by: .seconds(366 * 86_400)), .throttled))
    }

    @Test func `refused credentials delete nothing, and the user is asked for afterwards`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        #expect(script.fail(.authenticationRequired) == .halted(.notAuthenticated))
        #expect(script.storage.database(at: script.address).halt == .notAuthenticated)
        #expect(script.shown == ["Z/a"])
        #expect(script.start() == .read(.caller))
        #expect(script.user() == script.listing("d1"))
        #expect(script.zones(token: "d2") == .idle)
        #expect(script.storage.database(at: script.address).halt == nil)
    }

    @Test func `a service that refuses every token is left alone for a while`() {
        var script = Script()
        script.settle(["a"])
        var action = script.startReading()
        for _ in 1...3 {
            _ = script.noZone(code: .badRequest)
            _ = script.user()
            action = script.records("Z", [], token: "y", more: true)
        }
        #expect(action == script.reading("y"))
        guard case .wait(_, .stuckFeed) = script.noZone(code: .badRequest) else {
            Issue.record("goes on")
            return
        }
    }
}
