import CloudKit
import Foundation

/// What the program is started with.
struct Settings {
    private let variables = ProcessInfo.processInfo.environment

    /// A setting that has to be there.
    func required(_ name: String) throws -> String {
        guard let value = variables[name] else { throw MissingSetting(name: name) }
        return value
    }

    func optional(_ name: String) -> String? { variables[name] }
}

struct MissingSetting: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is not set" }
}

/// Acts as the app itself, in its public database.
func keyCredential(_ settings: Settings) throws -> CloudKitConfiguration.Credential {
    let pem = try String(contentsOfFile: settings.required("BACKEND_KEY_FILE"), encoding: .utf8)
    return .serverKey(id: try settings.required("BACKEND_KEY_ID"), pem: pem)
}

/// Acts as the user who signed in, in all three databases.
func userCredential(_ settings: Settings) throws -> CloudKitConfiguration.Credential {
    .webAuthTokenFile(
        api: try settings.required("BACKEND_API_TOKEN"),
        path: try settings.required("BACKEND_TOKEN_FILE"))
}

func connect(with credential: CloudKitConfiguration.Credential, _ settings: Settings) {
    var configuration = CloudKitConfiguration(
        environment: .development,
        defaultContainerIdentifier: "iCloud.com.example.myexampleapp",
        credential: credential)
    // In rehearsals: cloudkit-mock exec --any-container --server-key KEYID=backend.pub.pem -- backend
    if let url = settings.optional("CLOUDKIT_EMULATOR_URL") {
        configuration.server = .init(
            url: url, certificateAuthorityFile: settings.optional("CLOUDKIT_EMULATOR_CA"))
    }
    CloudKitConfiguration.bootstrap(configuration)
}
