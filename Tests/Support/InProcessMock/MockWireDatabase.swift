private import AsyncOperations
import Basics
package import CloudModel
private import CloudWire
package import MockStore

extension MockCloud {
    /// A database as `caller` sees it, with every request and answer spelled as on the wire and
    /// read back.
    package func wireDatabase(
        at address: Database.Address, by caller: Caller
    ) -> MockWireDatabase {
        MockWireDatabase(cloud: self, address: address, caller: caller)
    }

    /// A database as a signed-in user sees it, through the wire's form.
    package func wireDatabase(
        at address: Database.Address, user: String, device: String? = nil
    ) -> MockWireDatabase {
        wireDatabase(at: address, by: .user(user, device: device))
    }
}

/// One database of the mock service in process, behind the wire's encoder and decoder in both
/// directions: what a client and a server would exchange, without the connection.
package struct MockWireDatabase: CloudDatabase {
    private let cloud: MockCloud
    package let address: Database.Address
    package let caller: Caller
    private let identifiers = Locked(SeededGenerator(seed: 1))

    init(cloud: MockCloud, address: Database.Address, caller: Caller) {
        self.cloud = cloud
        self.address = address
        self.caller = caller
    }

    /// Carries out a command.
    package func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        try exchange(command)
    }

    /// Carries out a command, without waiting for anything.
    package func exchange(_ command: CloudCommand) throws(CloudError) -> CloudReply {
        let response = answer(WireRequest(command, at: address))
        return try ReplyReader.read(
            response.body, status: response.status,
            retryAfterHeader: response.retryAfterSeconds.map { "\($0)" }, to: command,
            in: address.scope)
    }

    /// The server's half: from the bytes of a request to the bytes of its answer.
    private func answer(_ request: WireRequest) -> WireResponse {
        var writer = ReplyWriter { identifiers.withLock { $0.uuid() } }
        let route: WireRoute
        do throws(WireRouteError) {
            route = try WireRoute.parse(method: request.method, path: request.path, query: "")
        } catch {
            return writer.write(error.cloudError)
        }
        do throws(CloudError) {
            let (command, options) = try CommandDecoder().decode(route, body: request.body)
            let reply = try cloud.perform(command, at: route.address, by: caller)
            return writer.write(
                reply, to: route.operation, caller: callerName(route.address), options: options)
        } catch {
            return writer.write(error)
        }
    }

    private func callerName(_ address: Database.Address) -> String {
        let found = try? cloud.withStore {
            $0.recordName(of: caller, in: address.container, address.environment)
        }
        return found ?? ""
    }
}
