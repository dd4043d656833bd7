import CommandLine
import FileSystem
import JSON

/// What `cloudkit-mock serve` leaves word of itself in its state folder while it runs.
struct ReadyFile: Sendable {
    let url: String
    let pid: Int32?
    let authorityFile: String?
    /// What requests to the administration carry; nil for a namespace, which has the server's.
    let adminToken: String?
    let apiToken: String?
    /// By user.
    let webTokens: [String: String]

    /// Where it stands.
    static func path(_ stateFolder: String) -> String { "\(stateFolder)/ready.json" }

    /// Reads the one of a state folder; nil where no server has left one.
    static func read(
        of stateFolder: String, _ files: Files
    ) throws(CommandFailure) -> ReadyFile? {
        let path = path(stateFolder)
        guard files.facts(files.absolute(path)) != nil else { return nil }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path)
        } catch {
            throw CommandFailure(error)
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument.parse(bytes).root
        } catch {
            throw CommandFailure(.usage, "\(path): \(error)", remedy: "remove it")
        }
        guard let ready = ReadyFile(root) else {
            throw CommandFailure(
                .usage, "\(path) does not name a server's \"url\"", remedy: "remove it")
        }
        return ready
    }

    /// Whether the process that has left it is gone; nil where nobody can tell.
    func isStale(_ files: Files) -> Bool? {
        pid.map { files.facts("/proc/\($0)") == nil }
    }

    /// Reads what a server says when it is ready, or a namespace when it is made; nil when there is no
    /// address.
    init?(_ root: JSONValue) {
        guard let url = root["url"]?.string else { return nil }
        self.url = url
        pid = root["pid"]?.int64.flatMap { Int32(exactly: $0) }
        authorityFile = root["ca"]?.string
        adminToken = root["adminToken"]?.string
        apiToken = root["apiToken"]?.string
        var tokens: [String: String] = [:]
        for member in root["webTokens"].map({ Array($0.members) }) ?? [] {
            tokens[member.key] = member.value.string
        }
        webTokens = tokens
    }
}
