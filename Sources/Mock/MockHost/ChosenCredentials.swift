import FileSystem
import MockAdmin
import MockService
import MockStore

extension MockServerConfiguration {
    /// Admits the tokens and keys that the server is started with.
    func admitCredentials(_ admin: Administration) throws(MockServerError) {
        let authenticator = admin.authenticator
        do throws(MockError) {
            for token in apiTokens {
                let like = authenticator.apiTokens[authenticator.defaultAPIToken]
                _ = try authenticator.addAPIToken(
                    like ?? Authenticator.APIToken(), text: token)
            }
            for chosen in webTokens {
                try admin.requireAccount(chosen.user)
                try authenticator.adopt(
                    chosen.token, of: chosen.user, device: nil, now: admin.scheduler.clock.now)
            }
            // Those that were used before stay used; of others there is nothing to know.
            let chosen = authenticator.webTokens.chosen
            try storing { () throws(MockStoreError) in
                try admin.store.reuseTokens { chosen[$0] == nil }
            }
            for key in serverKeys {
                _ = try authenticator.addKey(
                    pem: try Self.text(key.file), id: key.id, place: nil)
            }
        } catch {
            throw MockServerError(.input, error.reason)
        }
    }

    private static func text(_ file: String) throws(MockError) -> String {
        do throws(FileError) {
            return String(decoding: try Files(workingFolder: ".").read(file), as: UTF8.self)
        } catch {
            throw MockError(error.description)
        }
    }
}
