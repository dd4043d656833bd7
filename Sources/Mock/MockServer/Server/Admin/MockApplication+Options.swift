import Basics
import HTTPServer
import JSON

extension MockApplication {
    func showOptions() -> RequestOutcome { .object(options.write) }

    /// Sets the switches named and leaves the others.
    func changeOptions(_ body: JSONValue) throws(AdminError) -> RequestOutcome {
        options = try options.changed(by: body)
        // What goes by itself from now on waits for no tick.
        if store.options.upkeep == .auto { _ = store.releasePushes(nil) }
        return showOptions()
    }

    var options: ServerOptions {
        get {
            ServerOptions(
                store: store.options, singleUseTokens: authenticator.webTokens.isSingleUse,
                takesUnboundTokens: authenticator.takesUnboundTokens,
                checksClockSkew: authenticator.checksClockSkew,
                webTokenSecondsMax: Int(authenticator.webTokens.millisecondsMax / 1000),
                throttle: service.throttle.rate, checksClients: observers.checksClients)
        }
        set {
            store.options = newValue.store
            authenticator.webTokens.isSingleUse = newValue.singleUseTokens
            authenticator.takesUnboundTokens = newValue.takesUnboundTokens
            authenticator.checksClockSkew = newValue.checksClockSkew
            authenticator.webTokens.millisecondsMax = Int64(newValue.webTokenSecondsMax) * 1000
            service.throttle.rate = newValue.throttle
            observers.checksClients = newValue.checksClients
        }
    }

    func showClock() -> RequestOutcome {
        let now = clock.now
        return .object { writer in
            writer.member("mode", clock.mode.rawValue)
            writer.member("rate", clock.rate)
            writer.member("milliseconds", now.milliseconds)
            writer.member("now", now.iso8601)
        }
    }

    /// Without a moment a frozen clock stays where it is, and a real one goes on with the real time.
    func setClock(
        _ mode: ServerClock.Mode?, _ moment: Timestamp?, rate: Double?
    ) throws(AdminError) -> RequestOutcome {
        let mode = mode ?? (rate == nil ? clock.mode : .scaled)
        if moment == nil, rate == nil, mode == .real {
            clock.reset()
        } else {
            let kept = mode == .scaled && clock.mode == .scaled ? clock.rate : nil
            try clock.set(moment ?? clock.now, mode: mode, rate: rate ?? kept)
        }
        return showClock()
    }

    func advanceClock(milliseconds: Int64) throws(AdminError) -> RequestOutcome {
        try clock.advance(milliseconds: milliseconds)
        return showClock()
    }
}
