import Basics
import CloudCommandLine
import CommandLine
import Configuration
import Evidence
import FileSystem
import HTTPClient

/// A hook of the list with everything that it needs: read before the run begins, so that nothing is missing
/// once it is over.
struct ReadyHook: Sendable {
    enum Action: Sendable {
        case command([String])
        case webhook(
            url: String, trust: HTTPClientConfiguration.Trust, signature: WebhookSignature)
    }

    /// Counts from 1, in the order of the list.
    let position: Int
    let after: ContainerList.Hook.Moment
    let action: Action

    var kind: HookFacts.Kind {
        switch action {
        case .command: .command
        case .webhook: .webhook
        }
    }

    /// Whether it is meant after such an end.
    func isMeant(verified: Bool) -> Bool {
        switch after {
        case .verified: verified
        case .failed: !verified
        case .any: true
        }
    }

    /// The hooks of a list.
    ///
    /// - Throws: exit 2 when a variable or a file is missing.
    static func all(
        of list: ContainerList, in environment: Environment
    ) throws(CommandFailure) -> [ReadyHook] {
        var hooks: [ReadyHook] = []
        do throws(ConfigurationError) {
            for (index, hook) in list.hooks.enumerated() {
                hooks.append(
                    ReadyHook(
                        position: index + 1, after: hook.after,
                        action: try action(hook.action, list, environment)))
            }
        } catch {
            throw CommandFailure(error)
        }
        return hooks
    }

    private static func action(
        _ action: ContainerList.Hook.Action, _ list: ContainerList, _ environment: Environment
    ) throws(ConfigurationError) -> Action {
        switch action {
        case .command(let words): return .command(words)
        case .webhook(let address, let authority, let secret):
            let url = try list.resolve(address, "webhook", in: environment.source)
            guard url.hasPrefix("https://") else {
                throw list.error("\"webhook\" must begin with https://", at: address.place)
            }
            var trust = HTTPClientConfiguration.Trust.system
            if let authority {
                let path = try list.resolve(authority, "ca", in: environment.source)
                trust = .file(environment.files.absolute(path))
            }
            let text = try SecretReader(list, in: environment.source).secret(ofHook: secret)
            guard let signature = WebhookSignature(secret: text) else {
                throw list.error(
                    "\"secret\" begins with whsec_, but is not followed by a Base64 key",
                    at: secret.place)
            }
            return .webhook(url: url, trust: trust, signature: signature)
        }
    }
}
