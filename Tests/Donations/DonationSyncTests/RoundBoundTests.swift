import DonationSync
import Testing

/// A round of a database ends, whatever the service goes on to say.
@Suite(.timeLimit(.minutes(10)))
struct RoundBoundTests {
    enum Liar: CaseIterable {
        /// Zones without end, each page behind a new token.
        case zones
        /// Records without end, each page behind a new token.
        case records
        /// Another user at each question.
        case users
        /// A zone that is in the list and not to be found, each time behind a new token.
        case lostZone
    }

    @Test(arguments: Liar.allCases)
    func `a round takes no more than 2,000 answers, and the next goes on`(liar: Liar) {
        var script = Script()
        var count = 0
        func lies(_ action: SyncAction) -> SyncAction {
            guard case .read(let request) = action else { return action }
            count += 1
            switch request {
            case .caller:
                let isOther = liar == .users && count.isMultiple(of: 2)
                return script.user(isOther ? "_bob" : "_alice")
            case .zoneChanges where liar == .lostZone: return script.noZone()
            case .zoneChanges: return script.records("Z", [], token: "z\(count)", more: true)
            default:
                return script.zones(["Z"], token: "d\(count)", more: liar == .zones)
            }
        }
        var action = script.start()
        while case .read = action, count < 5000 { action = lies(action) }
        #expect(count == 2000)
        #expect(action.isWait(.longRound), "\(action)")
        script.pass(.seconds(3600))
        guard case .read = script.start() else {
            Issue.record("does not go on")
            return
        }
    }
}
