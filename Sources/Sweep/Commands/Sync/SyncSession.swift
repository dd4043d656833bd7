import Basics
import CloudCommandLine
import CloudCourier
import CloudModel
import CommandLine
import Configuration
import DonationStore
import DonationSync
import SyncEngine

/// Everything the verbs of the family need, made ready from arguments, list and environment.
struct SyncSession: Sendable {
    let console: Console
    let list: ContainerList
    let server: ServerChoice
    let donations: DonationStore
    let stateFolder: String
    let request: SyncRequest
    let display: SyncDisplay
    let stop = StopSignal()

    /// The pause between two rounds, unless something else is said.
    static let interval: Duration = .seconds(60)

    /// Reads the list and opens the store; contacts nobody.
    ///
    /// - Throws: Also when there is no store.
    static func open(
        _ arguments: Arguments, in environment: Environment
    ) throws(CommandFailure) -> SyncSession {
        let place = try SyncPlace(arguments, in: environment)
        guard let session = try SyncSession(at: place, arguments, in: environment) else {
            throw place.nothing
        }
        return session
    }

    /// Opens the store; nil: there is none.
    ///
    /// - Parameter makes: Whether a store that is not there is made.
    init?(
        at place: SyncPlace, _ arguments: Arguments, in environment: Environment,
        makes: Bool = false
    ) throws(CommandFailure) {
        let store = try DonationSource.open(
            for: place.list, at: place.server, stateFolder: place.stateFolder, in: environment,
            makes: makes)
        guard let store else { return nil }
        console = place.console
        list = place.list
        server = place.server
        stateFolder = place.stateFolder
        donations = store
        request = Self.request(arguments, place)
        display = SyncDisplay(console)
    }

    private static func request(_ arguments: Arguments, _ place: SyncPlace) -> SyncRequest {
        let list = place.list
        var request = SyncRequest(
            application: place.application, environment: list.environment,
            containers: list.containers.map(\.id), defaultContainer: place.defaultContainer,
            scopes: list.databases)
        request.keepsDonationsOnReset = list.sync.keepsDonationsOnReset
        if arguments.has(SyncOptions.watch) {
            request.mode = .watch(
                every: arguments.duration(SyncOptions.interval) ?? list.sync.interval
                    ?? interval)
        }
        if let most = arguments.duration(SyncOptions.maxWait) { request.limits.waitMax = most }
        request.limits.maxDuration = arguments.duration(SyncOptions.maxDuration)
        return request
    }

    /// What syncs, or does something about a sync.
    var syncer: DonationSyncer {
        let environment = console.environment
        let display = display
        return DonationSyncer(
            request,
            in: SyncWorld(
                donations: donations, stateFolder: stateFolder, clock: environment.clock,
                wallClock: environment.wallClock, stop: stop, tell: { display.tell($0) }))
    }

    /// Syncs under progress display and signals.
    func sync() async throws(CommandFailure) -> SyncOutcome {
        let environment = console.environment
        let connection: CloudConnection
        do throws(ConfigurationError) {
            connection = try CloudConnection(
                list, at: server, in: console, stateFolder: stateFolder)
        } catch {
            await donations.flushAndClose()
            throw CommandFailure(error)
        }
        environment.signals.onStop { signal in
            display.erase()
            environment.errors.write(
                "Stopping: waiting for requests in flight. Interrupt again to stop at once.\n")
            stop.request(signal == 2 ? .interrupt : .terminate)
        }
        let syncer = syncer
        let timer = request.limits.maxDuration.map {
            stop.requestOutOfTime(after: $0, on: environment.clock)
        }
        let outcome = await display.whileRunning {
            await syncer.run(
                content: { ReadOnlyDatabase(connection.database(at: $0)) },
                exchange: { ExchangeWriter(connection.database(at: $0)) })
        }
        timer?.cancel()
        environment.signals.endProcess()
        connection.close()
        await donations.flushAndClose()
        return outcome
    }

    /// Runs `body` and closes the store, whatever happens.
    func use<Value: Sendable>(
        _ body: (DonationSyncer) async throws(SyncActFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        let result: Result<Value, SyncActFailure>
        do throws(SyncActFailure) {
            result = .success(try await body(syncer))
        } catch {
            result = .failure(error)
        }
        await donations.flushAndClose()
        switch result {
        case .success(let value): return value
        case .failure(.donations(let error)): throw CommandFailure(error)
        case .failure(.journal(let error)):
            throw CommandFailure(.internalError, error.reason)
        }
    }

    /// The container that was named.
    func container(_ name: String) throws(CommandFailure) -> Container.ID {
        guard let id = Container.ID(name), request.containers.contains(id) else {
            let names = request.containers.map(\.rawValue)
            throw CommandFailure(
                .usage,
                "no container \"\(name)\" is listed in \(list.file)"
                    + NearestName.hint(for: name, among: names))
        }
        return id
    }
}

/// Calls the store, and says of a failure that it was the store's.
func inStore<Value: Sendable>(
    _ body: () async throws(DonationError) -> Value
) async throws(SyncActFailure) -> Value {
    do throws(DonationError) {
        return try await body()
    } catch {
        throw .donations(error)
    }
}
