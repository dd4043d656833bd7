import Foundation

/// What this library needs of a container list. `cksweep containers check` is the strict reader.
struct ContainerListFile: Sendable {
    struct Content: Decodable, Sendable {
        struct Container: Decodable, Sendable {
            var identifier: String
            var `default`: Bool?
            var credentials: Credentials?
        }
        struct Server: Decodable, Sendable {
            var url: String
            var ca: String?
        }
        struct Credentials: Decodable, Sendable {
            var apiToken: String?
            var webAuthToken: String?
            var keyID: String?
            var privateKey: String?
        }
        var version: Int
        var environment: String?
        var server: Server?
        var containers: [Container]
        var credentials: Credentials?
    }

    let path: String
    let content: Content
    private static let bytesMax = 1 << 20

    init(path: String) throws(CloudKitConfigurationProblem) {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CloudKitConfigurationProblem("the container list \(path) cannot be read")
        }
        guard bytes.count <= Self.bytesMax,
            let content = try? JSONDecoder().decode(Content.self, from: bytes),
            content.version == 1, !content.containers.isEmpty
        else {
            throw CloudKitConfigurationProblem(
                "\(path) is no container list; \"cksweep containers check\" says why")
        }
        self.path = path
        self.content = content
    }

    func problem(_ reason: String) -> CloudKitConfigurationProblem {
        CloudKitConfigurationProblem("the container list \(path): \(reason)")
    }

    func environmentChoice() throws(CloudKitConfigurationProblem)
        -> CloudKitConfiguration.Environment
    {
        guard let text = content.environment else { return .development }
        guard let choice = CloudKitConfiguration.Environment(rawValue: text) else {
            throw problem("\"environment\" must be \"development\" or \"production\"")
        }
        return choice
    }

    /// A text that stands in the list, or in a variable that the list names.
    func setting(
        _ text: String, _ variables: [String: String]
    ) throws(CloudKitConfigurationProblem) -> String {
        guard text.hasPrefix("env:") else { return text }
        guard let value = variables[String(text.dropFirst(4))] else {
            throw problem("it wants the variable \(text.dropFirst(4)), which is not set")
        }
        return value
    }

    /// The credential that a list's settings lead to; nil without settings.
    func credential(
        _ settings: Content.Credentials?, _ variables: [String: String]
    ) throws(CloudKitConfigurationProblem) -> CloudKitConfiguration.Credential? {
        guard let settings else { return nil }
        if let id = settings.keyID, let key = settings.privateKey {
            return .serverKey(
                id: try secret(id, "keyID", variables),
                pem: try secret(key, "privateKey", variables))
        }
        guard let api = settings.apiToken else {
            throw problem("\"credentials\" needs an \"apiToken\", or a \"keyID\" with its key")
        }
        var web: String?
        if let text = settings.webAuthToken { web = try secret(text, "webAuthToken", variables) }
        return .tokens(api: try secret(api, "apiToken", variables), webAuth: web)
    }

    /// Never shows what stands there: it may be the secret itself.
    private func secret(
        _ text: String, _ key: String, _ variables: [String: String]
    ) throws(CloudKitConfigurationProblem) -> String {
        if text.hasPrefix("env:") { return try setting(text, variables) }
        guard text.hasPrefix("file:") else {
            throw problem("\"\(key)\" must be env:NAME or file:PATH")
        }
        let path = String(text.dropFirst(5))
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 65_536 else {
            throw problem("\"\(key)\" wants the file \(path), which cannot be read")
        }
        let value = String(decoding: bytes, as: UTF8.self)
        return value.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
