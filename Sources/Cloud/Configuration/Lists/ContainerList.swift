package import CloudModel

/// A configuration: an app's containers, and how to reach and sweep them.
package struct ContainerList: Sendable {
    /// The file it was read from.
    package var file: String
    package var application: String?
    package var environment: Container.Environment
    /// nil: Apple's own.
    package var server: Server?
    package var containers: [Entry]
    package var databases: [Database.Scope]
    package var protect: [ProtectRule]
    package var notInScope: [Exclusion]
    package var caps: Caps
    /// Who has to sign a plan.
    package var approvals = ApprovalRule()
    /// For containers that say nothing else.
    package var othersByCascade = Policy.OthersByCascade.refuse
    /// For containers that say nothing else.
    package var leaveShared = Policy.LeaveShared.keepMine
    /// For containers without their own.
    package var credentials: Credentials?
    /// The app's donation store; nil: the usual one, if it is there.
    package var donations: Donations?
    /// How the app's donations are synced.
    package var sync = Sync()
    /// What is told how a run ended, in this order.
    package var hooks: [Hook] = []

    /// How donations are kept in step.
    package struct Sync: Sendable, Hashable {
        /// The pause between two rounds; nil: the usual one.
        package var interval: Duration?
        /// Whether donations stay when the user resets encrypted data.
        package var keepsDonationsOnReset = false
    }

    /// Where the donations of the app are kept.
    package struct Donations: Sendable, Hashable {
        /// The folder; a relative one lies beside the list.
        package var store: Setting
        /// The bundle identifier; nil: the list's `application`.
        package var application: String?
    }

    /// A server other than Apple's.
    package struct Server: Sendable, Hashable {
        package var url: Setting
        /// The PEM file with its certificate authority; nil: the system's.
        package var authority: Setting?
    }

    /// A text that stands in the file, or in a variable that the file names.
    package struct Setting: Sendable, Hashable, CustomStringConvertible {
        package var value: Value
        package var place: Place

        package enum Value: Sendable, Hashable {
            case literal(String)
            case variable(String)
        }

        /// For people: the text, or where it comes from.
        package var description: String {
            switch value {
            case .literal(let text): text
            case .variable(let name): "env:\(name)"
            }
        }
    }

    /// Where in the file something stands, for later complaints.
    package struct Place: Sendable, Hashable {
        package let line: Int
        package let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// One container.
    package struct Entry: Sendable, Hashable {
        package var id: Container.ID
        /// Where its identifier stands.
        package var place: Place?
        package var isDefault: Bool
        /// Zones looked for even when no listing shows them.
        package var zones: [String]
        /// Record types, those of the schema included, for what can be listed by type only.
        package var recordTypes: [String]
        package var schema: String?
        package var credentials: Credentials?
        /// Whether a schema or `recordTypes` says which types there are; without either, nobody
        /// can say that the default zone is empty.
        package var knowsRecordTypes = true
        /// Record types that are gone from the environment on purpose.
        package var retiredTypes: [String] = []
        /// Whether the app keeps nothing in the private default zone.
        package var customZonesOnly = false
        /// Which fields hold assets, as the schema says; nil without a schema.
        package var assetFields: AssetFields?
        /// Whether other people's records may go along; nil: as the list says.
        package var othersByCascade: Policy.OthersByCascade?
        /// What becomes of the person's records in zones of others; nil: as the list says.
        package var leaveShared: Policy.LeaveShared?
    }

    /// A container the app declares and a sweep leaves alone.
    package struct Exclusion: Sendable, Hashable {
        package var id: Container.ID
        package var reason: String
    }

    /// How to be allowed in. No secret is in here, only where to find it.
    package struct Credentials: Sendable, Hashable {
        package var apiToken: Secret?
        package var webAuthToken: Secret?
        /// The ID of a server-to-server key.
        package var keyID: Secret?
        /// Its private half, a PEM file.
        package var privateKey: Secret?

        /// For people: which kinds there are, and where they come from.
        package var summary: String {
            let parts = [
                apiToken.map { "API token from \($0.source)" },
                webAuthToken.map { "web token from \($0.source)" },
                keyID.map { "key ID from \($0.source)" },
                privateKey.map { "private key from \($0.source)" },
            ]
            return parts.compactMap { $0 }.joined(separator: ", ")
        }
    }

    /// Where a secret is kept.
    package struct Secret: Sendable, Hashable {
        package var source: Source
        package var place: Place

        package enum Source: Sendable, Hashable, CustomStringConvertible {
            case variable(String)
            case file(String)
            /// A web sign-in: for a later version.
            case login

            package var description: String {
                switch self {
                case .variable(let name): "env:\(name)"
                case .file(let path): "file:\(path)"
                case .login: "login"
                }
            }
        }
    }

    /// The credentials of a container: its own, else the list's.
    package func credentials(for entry: Entry) -> Credentials? {
        entry.credentials ?? credentials
    }

    /// What must stay, and how much may go.
    package var policy: Policy {
        var policy = Policy(
            protect: protect, caps: caps, othersByCascade: othersByCascade,
            leaveShared: leaveShared)
        policy.approvals = approvals
        for entry in containers {
            policy.othersByCascadeIn[entry.id] = entry.othersByCascade
            policy.leaveSharedIn[entry.id] = entry.leaveShared
        }
        return policy
    }

    package func error(_ reason: String, at place: Place? = nil) -> ConfigurationError {
        ConfigurationError(reason, in: file, line: place?.line, column: place?.column)
    }
}
