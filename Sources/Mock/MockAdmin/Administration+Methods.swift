import CloudWire
import MockService

extension Administration {
    /// The methods of a path of the server, for the `Allow` field: of the service, of the administration or of the
    /// console.
    package static func methods(at path: String) -> String {
        (allowed(at: path) + ["OPTIONS"]).joined(separator: ", ")
    }

    /// None if the path leads nowhere.
    private static func allowed(at path: String) -> [String] {
        if ConsoleFile.find(path) != nil { return ["GET", "HEAD"] }
        switch path {
        case SignInService.path, PushService.path: return ["GET", "POST"]
        case _ where path.hasPrefix(prefix):
            return AdminEndpoint.all.filter { prefix + $0.path == path }.map(\.method).sorted()
        default: break
        }
        if let transfer = WireTransfer(path: path) { return transfer.methods }
        do throws(WireRouteError) {
            return try WireRoute.parse(method: "POST", path: path, query: "")
                .operation.facts.methods
        } catch {
            return []
        }
    }
}
