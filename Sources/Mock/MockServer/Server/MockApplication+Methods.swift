import CloudWire
import HTTPServer

extension MockApplication {
    /// What a path is answered by, as the `Allow` header names it.
    static func allow(at path: String) -> String {
        (methods(at: path) + ["OPTIONS"]).joined(separator: ", ")
    }

    /// None where it leads nowhere.
    private static func methods(at path: String) -> [String] {
        if ConsoleFile.find(path) != nil { return ["GET", "HEAD"] }
        switch path {
        case SignInService.path, PushService.path: return ["GET", "POST"]
        case _ where path.hasPrefix(adminPrefix):
            return AdminOperation.table.filter { adminPrefix + $0.path == path }
                .map(\.method).sorted()
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

    /// The answer to OPTIONS below our own prefix, which no page of another site may ask anything.
    func ownOptions(_ path: String) -> RequestOutcome {
        .respond(
            HTTPResponse(status: 200, headers: ["allow": Self.allow(at: path)]), after: .zero)
    }
}
