import AsyncOperations
import Basics
import CloudClient
import CloudModel
import Foundation
import HTTPClient

/// The shape of Apple's article on deleting data, over the web service: for each container fetch
/// all zones of the private database, delete them in one operation, print errors.
///
/// Two things are added so that it can run here: operations are split at the service's 200, and
/// no more than a given number of requests are in flight.
///
///     AppleSample URL CA-FILE API-TOKEN WEB-TOKEN IN-FLIGHT CONTAINER…
@main
enum AppleSample {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count > 6, let inFlight = Int(arguments[5]),
            let endpoint = CloudEndpoint(arguments[1], trust: .file(arguments[2]))
        else {
            print("usage: AppleSample URL CA-FILE API-TOKEN WEB-TOKEN IN-FLIGHT CONTAINER…")
            exit(2)
        }
        let client = endpoint.makeClient()
        let credential = Credential.apiToken(
            arguments[3], web: WebAuthTokenStore(token: arguments[4]))
        let databases = arguments[6...].compactMap { Container.ID($0) }.map { container in
            HTTPCloudDatabase(
                address: Database.Address(
                    container: container, environment: .development, scope: .private),
                endpoint: endpoint, credential: credential, client: client,
                clock: WallClock {
                    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
                })
        }
        let slots = Slots(inFlight)
        let began = ContinuousClock.now
        await withTaskGroup { group in
            for database in databases {
                group.addTask { await erase(database, slots) }
            }
        }
        let took = ContinuousClock.now - began
        client.shutdown()
        print(
            "took_ms \(Double(took.components.attoseconds) / 1e15 + Double(took.components.seconds) * 1000)"
        )
    }

    private static func erase(_ database: HTTPCloudDatabase, _ slots: Slots) async {
        var names: [RecordZone.ID] = []
        var token: ChangeToken?
        do {
            while true {
                let after = token
                let page = try await slots.run { try await database.zones(after: after) }
                names += page.zones.map(\.id)
                guard page.moreComing else { break }
                token = page.token
            }
        } catch {
            print("Error fetching zones.")
            return
        }
        let batches = stride(from: 0, to: names.count, by: 200).map {
            Array(names[$0..<min($0 + 200, names.count)])
        }
        await withTaskGroup { group in
            for batch in batches {
                group.addTask {
                    do {
                        let items = try await slots.run {
                            try await database.modifyZones(batch.map { .delete($0) })
                        }
                        for case .failure(let zone, let error) in items where !zone.isDefault {
                            print("Error deleting records.", error)
                        }
                    } catch {
                        print("Error deleting records.", error)
                    }
                }
            }
        }
    }
}

/// Lets a number of operations run at once.
private final class Slots: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Locked<State>
    init(_ count: Int) { state = Locked(State(free: count)) }

    func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.waiting.isEmpty {
                    state.free += 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
        return try await work()
    }
}
