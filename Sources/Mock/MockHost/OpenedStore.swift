import Basics
import FileSystem
import MockService
import MockStore
import OpenSSL

/// The store that a namespace begins with, and what is derived from the same secrets.
struct OpenedStore {
    let committer: StoreCommitter
    let credentialKey: CredentialKey
    /// What faults, UUIDs and names are drawn with; credentials only where it was asked for.
    let seed: UInt64
    var store: MockStore { committer.store }

    /// Opens the configuration's store, or the copy that a namespace starts with, and puts the users, containers and
    /// schemas of the configuration in place.
    init(
        _ configuration: MockServerConfiguration, _ clock: ServerClock, _ start: NamespaceStart?
    ) throws(MockServerError) {
        var key =
            start?.key ?? configuration.seed.map { CredentialKey(seed: $0) } ?? CredentialKey()
        let location: MockStore.Location
        switch configuration.storage {
        case .memory: location = .memory
        case .directory(let path):
            location = .directory(path)
            let files = Files(workingFolder: ".")
            do throws(FileError) {
                try files.makeFolder(path)
                if configuration.seed == nil { key = try CredentialKey(keptIn: path, files) }
            } catch {
                throw MockServerError(.storage, error.description)
            }
        }
        var options = configuration.options
        if configuration.containers != nil { options.autoCreateContainers = false }
        var generator = SecureGenerator()
        do throws(MockStoreError) {
            committer = try StoreCommitter(
                location: location, options: options, clock: clock.wallClock,
                // As many bits as JSON's readers all keep of a number.
                seed: start?.seed ?? configuration.seed ?? generator.next() >> 11,
                image: start?.image)
            let store = committer.store
            // A store that is opened again keeps its own seed, and with it the names made of it.
            seed = start?.seed ?? configuration.seed ?? store.seed
            store.assets.addresses = AssetAddresses(key: key.derived(for: "asset addresses"))
            // The copy that a namespace starts with has all of it.
            if start == nil { try store.prepare(configuration) }
            try committer.commit()
        } catch {
            throw MockServerError(.storage, error.description)
        }
        credentialKey = key
    }

    /// Accepts the credentials of the configuration, except chosen ones.
    func authenticator(
        _ configuration: MockServerConfiguration
    ) throws(MockServerError) -> Authenticator {
        do throws(MockError) {
            let authenticator = try Authenticator(
                credentialKey, start: store.starts,
                webTokens: WebTokenIssuer(
                    credentialKey, start: store.starts,
                    isSingleUse: configuration.singleUseTokens,
                    millisecondsMax: configuration.webTokenSecondsMax * 1000),
                checksClockSkew: configuration.checksClockSkew,
                callback: configuration.signInCallback)
            authenticator.takesUnboundTokens = configuration.takesUnboundTokens
            return authenticator
        } catch {
            throw MockServerError(.input, error.reason)
        }
    }
}

extension MockStore {
    /// Puts the users, containers and schemas of a configuration in place.
    func prepare(_ configuration: MockServerConfiguration) throws(MockStoreError) {
        for container in configuration.containers ?? [] { try addContainer(container) }
        for (container, schema) in configuration.schemas {
            try setSchema(schema, of: container)
        }
        // A store that is opened again may know more of them than their names.
        for name in configuration.users where !hasAccount(name) { try addUser(MockUser(name)) }
    }
}
