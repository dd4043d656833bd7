import AsyncOperations
import Basics
import CloudModel
import Foundation
import InProcessMock
import MockStore

/// A service at some depth, and a container of one test's own.
final class World: Sendable {
    /// When every world begins; near the present, because certificates are checked by the
    /// machine's clock.
    static let start = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1000)

    let depth: Depth
    let container: Container.ID
    let service: any Service
    private let time: Locked<Int64>

    /// - Parameters:
    ///   - options: Other than the defaults: at depth `tls` the world has a server of its own.
    ///   - isAlone: Whether the test moves the clock, sets switches, or acts on the whole service.
    init(_ depth: Depth, options: MockOptions? = nil, isAlone: Bool = false) throws {
        let time = Locked(Self.start.milliseconds)
        let clock = WallClock { Timestamp(milliseconds: time.withLock { $0 }) }
        self.depth = depth
        self.time = time
        container = Self.containers.next()
        switch depth {
        case .inProcess, .wire:
            service = LocalService(
                cloud: try MockCloud(
                    options: options ?? MockOptions(), clock: clock, seed: 7,
                    users: ["ada", "bob"]),
                speaksWire: depth == .wire)
        case .tls where options == nil && !isAlone:
            service = try ServerService.shared.get()
        case .tls:
            service = try ServerService(options: options ?? MockOptions(), clock: clock)
        }
    }

    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }

    /// Moves the clock; only of a world that is alone.
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }

    func address(
        _ scope: Database.Scope = .private, _ environment: Container.Environment = .development
    ) -> Database.Address {
        Database.Address(container: container, environment: environment, scope: scope)
    }

    func database(
        _ scope: Database.Scope = .private, _ caller: Caller = .user("ada"),
        _ environment: Container.Environment = .development
    ) -> Asker {
        Asker(service: service, address: address(scope, environment), caller: caller)
    }

    var ada: Asker { database() }
    var everybody: Asker { database(.public) }

    /// The user record name of an account in the world's container.
    func name(_ user: String) async throws -> String {
        try await database(.public, .user(user)).me().userRecordName
    }

    /// Hands out container identifiers, each once.
    private final class Containers: Sendable {
        private let count = Locked(0)
        func next() -> Container.ID {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard let id = Container.ID("iCloud.com.example.world\(number)") else {
                preconditionFailure("a malformed identifier")
            }
            return id
        }
    }
    private static let containers = Containers()
}
