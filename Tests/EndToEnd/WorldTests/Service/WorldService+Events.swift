extension WorldService {
    /// What was arranged for this moment happens.
    func happen(_ event: Event, _ state: inout State) throws {
        state.ledger.happened.append(event)
        switch event {
        case .device(let act):
            try write(act, &state)
        case .signOut:
            _ = try Self.admin(
                "POST", "simulate",
                #"{"event":"sign-out","user":"ada","device":"\#(Self.desk)"}"#, state.application)
        case .swap:
            state.isSwapped = true
        case .restart(let afterwards):
            if !afterwards { try restart(&state) }
        case .stop(let stop): state.onStop?(stop)
        }
    }

    func restart(_ state: inout State) throws {
        guard setup.folder != nil else { return }
        let faults = try Self.admin("GET", "faults", "", state.application)
        // The old one must have let go of its files before the new one opens them.
        state.application = try Self.application(Setup(seed: setup.seed), clock)
        state.application = try Self.application(setup, clock)
        let rules = faults.root["rules"]?.elements.compactMap { $0["text"]?.string } ?? []
        let list = rules.map { "\"\($0)\"" }.joined(separator: ",")
        _ = try Self.admin("PUT", "faults", "{\"rules\":[\(list)]}", state.application)
    }
}
