/// A container's databases. Mirrors `CKDatabase`.
package enum Database {
    /// Which of the databases of a container. Mirrors `CKDatabase.Scope`.
    package enum Scope: String, Sendable, CaseIterable, Comparable {
        case `private`
        case shared
        case `public`

        package static func < (left: Scope, right: Scope) -> Bool {
            left.order < right.order
        }
        private var order: Int {
            switch self {
            case .private: 0
            case .shared: 1
            case .public: 2
            }
        }
    }

    /// Where a request goes: container, environment and scope.
    package struct Address: Sendable, Hashable, CustomStringConvertible {
        package let container: Container.ID
        package let environment: Container.Environment
        package let scope: Scope

        package init(
            container: Container.ID, environment: Container.Environment, scope: Scope
        ) {
            self.container = container
            self.environment = environment
            self.scope = scope
        }

        /// The database of another scope in the same container and environment.
        package func inScope(_ scope: Scope) -> Address {
            Address(container: container, environment: environment, scope: scope)
        }

        /// `iCloud.com.example.app/development/private`, as in the service's URLs.
        package var description: String {
            "\(container)/\(environment.rawValue)/\(scope.rawValue)"
        }
    }
}
