import MockAdmin
package import MockService

extension MockServerConfiguration {
    /// Sets a switch by its name, as in `emptyPages=3`.
    ///
    /// - Throws: ``MockError`` that says what is wrong, and what is nearest.
    package mutating func set(_ assignment: String) throws(MockError) {
        var switches = switches
        try switches.set(assignment)
        self.switches = switches
        chosenSwitches.append(assignment)
    }

    private var switches: ServerOptions {
        get {
            ServerOptions(
                store: options, singleUseTokens: singleUseTokens,
                takesUnboundTokens: takesUnboundTokens, checksClockSkew: checksClockSkew,
                webTokenSecondsMax: Int(webTokenSecondsMax), throttle: throttle,
                checksClients: checksClients)
        }
        set {
            options = newValue.store
            singleUseTokens = newValue.singleUseTokens
            takesUnboundTokens = newValue.takesUnboundTokens
            checksClockSkew = newValue.checksClockSkew
            webTokenSecondsMax = Int64(newValue.webTokenSecondsMax)
            throttle = newValue.throttle
            checksClients = newValue.checksClients
        }
    }
}
