extension SecretReader {
    /// Everything that keeps a person from being signed in to a container, and not only the first
    /// thing, as ``secrets(for:at:)`` tells it.
    ///
    /// - Parameter server: nil where nobody knows it: then only what the list names is looked at.
    func problems(for entry: ContainerList.Entry, at server: ServerChoice?) -> [Obstacle] {
        if let server, server.isEmulator {
            return emulatorProblems(for: entry, at: server)
        }
        guard let credentials = list.credentials(for: entry) else {
            return [missing("no credentials for \(entry.id)", at: entry.place)]
        }
        var problems: [Obstacle] = []
        if let keyID = credentials.keyID, let key = credentials.privateKey {
            problems += tried { () throws(ConfigurationError) in _ = try text(keyID, "keyID") }
            problems += tried { () throws(ConfigurationError) in _ = try bytes(key, "privateKey") }
            let reason =
                "a server-to-server key reaches only public records, of the user of "
                + "--public-user; for everything else add \"apiToken\" and \"webAuthToken\""
            return problems + [missing(reason, at: keyID.place)]
        }
        if let token = credentials.apiToken {
            problems += tried { () throws(ConfigurationError) in _ = try text(token, "apiToken") }
        } else {
            problems.append(missing("no \"apiToken\" for \(entry.id)", at: entry.place))
        }
        guard let web = credentials.webAuthToken else {
            let reason = "no \"webAuthToken\" for \(entry.id): no user is signed in"
            return problems + [missing(reason, at: entry.place)]
        }
        guard web.source == .login else {
            return problems
                + tried { () throws(ConfigurationError) in _ = try text(web, "webAuthToken") }
        }
        if let server, let path = signIn(for: entry, at: server), source.files.facts(path) == nil {
            problems.append(signedOut(entry, at: web.place))
        }
        return problems
    }

    private func emulatorProblems(
        for entry: ContainerList.Entry, at server: ServerChoice
    ) -> [Obstacle] {
        do throws(ConfigurationError) {
            switch try emulatorTokens(for: entry, at: server) {
            case .tokens(_, nil):
                let reason = "is not set: no user is signed in"
                return [
                    Obstacle(
                        kind: .credential,
                        error: ConfigurationError(reason, in: ServerChoice.webTokenVariable))
                ]
            case .tokens(_, .signIn(let path)) where source.files.facts(path) == nil:
                let place = list.credentials(for: entry)?.webAuthToken?.place
                return [signedOut(entry, at: place)]
            case .tokens, .serverKey: return []
            }
        } catch {
            return [Obstacle(kind: .credential, error: error)]
        }
    }

    private func signedOut(
        _ entry: ContainerList.Entry, at place: ContainerList.Place?
    ) -> Obstacle {
        let reason = "no user is signed in to \(entry.id): run \"cksweep login\""
        return Obstacle(kind: .signIn, error: list.error(reason, at: place))
    }

    private func missing(_ reason: String, at place: ContainerList.Place?) -> Obstacle {
        Obstacle(kind: .credential, error: list.error(reason, at: place))
    }

    private func tried(_ body: () throws(ConfigurationError) -> Void) -> [Obstacle] {
        do throws(ConfigurationError) {
            try body()
            return []
        } catch {
            return [Obstacle(kind: .credential, error: error)]
        }
    }
}
