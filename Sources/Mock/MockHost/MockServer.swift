import AsyncOperations
package import Basics
import FileSystem
private import Glibc
import HTTPServer
import JSON
import MockAdmin
package import MockService
import MockStore
import OpenSSL

/// CloudKit's web service on this machine: sockets, TLS and state in one object.
///
/// `start()` returns once the socket listens; `run()` serves on the calling thread until `stop()`.
package final class MockServer: Sendable {
    package let configuration: MockServerConfiguration
    private let clock: WallClock
    private let files = Files(workingFolder: ".")

    /// The application on its way from the thread that starts to the thread that runs.
    private final class Handover: @unchecked Sendable {
        // Holds: `start` puts it in, `run` takes it out under the lock and alone uses it from
        // then on.
        var application: Namespaces?
    }

    private struct State {
        var server: HTTPServer?
        var handover: Handover?
        var stopped: Duration?
    }

    private let state = Locked(State())

    /// Makes a server that does not listen yet.
    package init(
        _ configuration: MockServerConfiguration, clock: WallClock
    ) throws(MockServerError) {
        guard let first = configuration.names.first, !first.isEmpty else {
            throw MockServerError(.configuration, "a server needs at least one name")
        }
        for name in configuration.users where !MockUser.isValid(name: name) {
            throw MockServerError(
                .configuration,
                "user \"\(name)\": 1 to 64 letters, digits or any of . - _ @")
        }
        guard MockServerConfiguration.memoryBytesRange.contains(configuration.memoryBytesMax) else {
            throw MockServerError(.configuration, "a memory budget is 32 MiB to 1 TiB")
        }
        guard configuration.restoredFile == nil || configuration.storage == .memory else {
            throw MockServerError(
                .configuration,
                "a store in a folder starts with its own data; restore a snapshot file while the "
                    + "server runs")
        }
        guard configuration.journalEntriesMax > 0, configuration.journalBytesMax > 0,
            configuration.webTokenSecondsMax > 0
        else { throw MockServerError(.configuration, "limits must be above 0") }
        self.configuration = configuration
        self.clock = clock
    }

    /// Opens store and socket, loads fixtures, writes the ready file and says where the server is.
    package func start() throws(MockServerError) -> MockReady {
        let tls = try makeTLS()
        let application = try NamespaceHost(configuration, clock: clock)
        if let file = configuration.restoredFile {
            try application.restore(file, files)
        }
        try applySeed(to: application)
        let server = try listen(tls.context, application.clock)
        let ready = MockReady(
            url: Self.url(configuration.readyName, port: server.port), port: server.port,
            pid: getpid(), caFile: tls.file, seed: application.seed,
            adminToken: application.adminToken,
            apiToken: application.service.authenticator.defaultAPIToken,
            apiTokens: application.administration.containerTokens.map {
                MockReady.APIToken(place: $0.place, token: $0.token)
            },
            webTokens: Dictionary(
                uniqueKeysWithValues: application.store.users.map {
                    ($0.name, application.issueWebToken(user: $0.name))
                }))
        application.baseURL = ready.url
        application.administration.caPEM = tls.pem
        let namespaces = try Namespaces(
            application, beginning: try beginning(besides: application), clock: clock)
        try writeReadyFile(ready)
        let handover = Handover()
        handover.application = namespaces
        state.withLock {
            $0.server = server
            $0.handover = handover
        }
        return ready
    }

    /// Serves on the calling thread until the server is stopped. Call it once, after `start()`.
    package func run() throws(MockServerError) {
        let (server, handover, stopped) = state.withLock { state in
            defer { state.handover = nil }
            return (state.server, state.handover, state.stopped)
        }
        guard let server, let application = handover?.application else {
            throw MockServerError(
                .configuration,
                "the server was not started, or is running already")
        }
        handover?.application = nil
        if let stopped { server.stop(drain: stopped) }
        server.run(application)
        defer { application.close() }
        if let file = configuration.savedFile {
            try application.home.save(to: file, files)
        }
    }

    /// Lets requests in flight finish for at most `drain`, then closes. Any thread, any time.
    package func stop(drain: Duration = .seconds(1)) {
        let server = state.withLock { state in
            state.stopped = drain
            return state.server
        }
        server?.stop(drain: drain)
    }

    /// What namespaces begin with, where the server's own store may have held more before.
    private func beginning(
        besides application: NamespaceHost
    ) throws(MockServerError) -> MockStore? {
        guard configuration.storage != .memory else { return nil }
        var inMemory = configuration
        inMemory.storage = .memory
        let other = try NamespaceHost(inMemory, clock: clock)
        try load(try readSeed(), into: other)
        return other.store
    }

    private func makeTLS() throws(MockServerError) -> (
        context: TLSContext, file: String, pem: [UInt8]
    ) {
        do throws(OpenSSLError) {
            if let own = configuration.ownCertificate {
                let identity = try ServerIdentity(
                    chainFile: own.certificateFile, keyFile: own.keyFile)
                return (
                    try TLSContext(server: identity), own.certificateFile, identity.chainPEM
                )
            }
        } catch {
            throw MockServerError(.certificate, error.reason)
        }
        let now = clock.now.milliseconds / 1000
        let folder = CertificateFolder(stateFolder: configuration.stateFolder)
        let authority = try folder.authority(names: configuration.certifiedNames, now: now)
        if authority.constrainsAddresses(now: now) {
            configuration.warn(
                "\(folder.certificateFile) was made by an earlier version, and Chromium and "
                    + "other clients with BoringSSL refuse it; remove "
                    + "\(configuration.stateFolder)/ca to create another")
        }
        let key = try folder.serverKey()
        do throws(OpenSSLError) {
            let certificates = try NamespaceCertificates(
                authority, key: key, names: configuration.certifiedNames,
                ownHosts: configuration.names, clock: clock)
            return (
                try TLSContext(
                    server: certificates.own, named: { certificates.identity(ofHost: $0) }),
                folder.certificateFile, authority.certificatePEM
            )
        } catch {
            var reason = error.reason
            if error.code == .nameNotPermitted {
                reason += "; remove \(configuration.stateFolder)/ca to create another authority"
            }
            throw MockServerError(.certificate, reason)
        }
    }

    private func listen(
        _ tls: TLSContext, _ clock: ServerClock
    ) throws(MockServerError) -> HTTPServer {
        var settings = HTTPServerConfiguration(
            tls: tls, unixSeconds: { clock.now.milliseconds / 1000 })
        settings.addresses = configuration.addresses
        settings.port = configuration.port
        settings.limits.memoryBytesMax = configuration.memoryBytesMax
        do {
            return try HTTPServer(settings)
        } catch {
            throw MockServerError(
                error.code == .portInUse ? .portInUse : .address, error.reason)
        }
    }

    /// A fixture file and its text.
    private typealias SeedFile = (path: String, text: [UInt8])

    /// Puts the fixtures into a store that has none yet: a second time would undo what was changed since.
    private func applySeed(to application: NamespaceHost) throws(MockServerError) {
        let seed = try readSeed()
        guard !seed.isEmpty else { return }
        let digest = Hexadecimal.encode(
            SHA256.hash(seed.flatMap { SHA256.hash($0.text) }))
        if let applied = try storing({ () throws(MockStoreError) in
            try application.store.appliedSeed()
        }) {
            guard applied == digest else { throw anotherSeed(than: seed) }
            configuration.note(
                "The seed was applied to \(storeName) before; the store is unchanged.")
            return
        }
        try load(seed, into: application)
        try storing { () throws(MockStoreError) in
            try application.store.noteAppliedSeed(digest)
            try application.commit()
        }
    }

    private func anotherSeed(than seed: [SeedFile]) -> MockServerError {
        MockServerError(
            .input,
            "cannot apply the seed \(seed.map(\.path).joined(separator: ", ")): \(storeName) "
                + "was made with another seed. Omit --seed to use the store unchanged, choose "
                + "another --store folder, or add the file to the running server with \"cloudkit-mock "
                + "seed FILE\"")
    }

    private var storeName: String {
        switch configuration.storage {
        case .memory: "the store in memory"
        case .directory(let path): "the store in \(path)"
        }
    }

    private func storing<Result>(
        _ body: () throws(MockStoreError) -> Result
    ) throws(MockServerError) -> Result {
        do throws(MockStoreError) {
            return try body()
        } catch {
            throw MockServerError(.storage, error.description)
        }
    }

    private func readSeed() throws(MockServerError) -> [SeedFile] {
        var seed: [SeedFile] = []
        for file in configuration.fixtures {
            do throws(FileError) {
                seed.append((file, try files.read(file)))
            } catch {
                throw MockServerError(.input, error.description)
            }
        }
        return seed
    }

    private func load(
        _ seed: [SeedFile], into application: NamespaceHost
    ) throws(MockServerError) {
        for file in seed {
            do throws(MockError) {
                let fixture = try Fixture.parse(file.text)
                let job = try SeedJob.begin(fixture, application.store)
                do throws(MockStoreError) {
                    try application.finish(job)
                } catch {
                    throw MockError(error.description)
                }
                if let refusal = job.refusals.first { throw MockError(refusal) }
            } catch {
                throw MockServerError(.input, "\(file.path): \(error.reason)")
            }
        }
    }

    private func writeReadyFile(_ ready: MockReady) throws(MockServerError) {
        guard let file = configuration.readyFile else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("url", ready.url)
        writer.member("port", Int(ready.port))
        writer.member("pid", Int(ready.pid))
        writer.member("ca", ready.caFile)
        writer.member("seed", "\(ready.seed)")
        writer.member("adminToken", ready.adminToken.text)
        writer.member("console", ready.consoleURL)
        writer.member("apiToken", ready.apiToken)
        writer.objects("apiTokens", ready.apiTokens) { writer, entry in
            writer.member("container", entry.place.container.rawValue)
            writer.member("environment", entry.place.environment.rawValue)
            writer.member("apiToken", entry.token)
        }
        writer.key("webTokens")
        writer.beginObject()
        for (user, token) in ready.webTokens.sorted(by: { $0.key < $1.key }) {
            writer.member(user, token)
        }
        writer.endObject()
        writer.endObject()
        writer.endLine()
        do {
            try files.write(writer.bytes, to: file, mode: 0o600, replacing: true)
        } catch {
            throw MockServerError(.storage, error.description)
        }
    }

    private static func url(_ name: String, port: UInt16) -> String {
        name.contains(":") ? "https://[\(name)]:\(port)" : "https://\(name):\(port)"
    }
}

/// What a client needs to know of a server that has begun to listen.
package struct MockReady: Sendable, Hashable {
    /// Such as `https://localhost:8443`, without a slash at the end.
    package let url: String
    package let port: UInt16
    package let pid: Int32
    /// The PEM file a client must trust.
    package let caFile: String
    /// What repeats this server's tokens, names and faults, where its store is in memory.
    package let seed: UInt64
    /// What requests to the administration carry.
    package let adminToken: AdminToken
    /// The server's own API token, 64 hexadecimal digits: good for every container unless the option
    /// `unboundTokens` is false.
    package let apiToken: String
    /// Those of the containers named from the start.
    package let apiTokens: [APIToken]
    /// A web token for each user there from the start, by user name.
    package let webTokens: [String: String]

    /// The API token of a container in one environment.
    package struct APIToken: Sendable, Hashable {
        package let place: ContainerPlace
        package let token: String
    }

    /// Where a browser opens the console. The token is in the fragment, which no browser sends.
    package var consoleURL: String { "\(url)/#token=\(adminToken.text)" }

    /// The one line printed when the server listens.
    package var line: String { "ready \(url) pid \(pid) ca \(caFile)" }
}
