extension ContainerList {
    /// The most hooks of a list.
    package static let hooksMax = 16

    /// What is told how a run ended.
    package struct Hook: Sendable, Hashable {
        /// After which end.
        package enum Moment: String, Sendable, CaseIterable {
            /// Everything in scope is verified empty.
            case verified
            /// Something was deleted, or was to be, and it did not end like that.
            case failed
            case any
        }

        package enum Action: Sendable, Hashable {
            /// A program by its absolute path, and its arguments. No shell reads them.
            case command([String])
            /// An address that is sent a signed request.
            ///
            /// - Parameters:
            ///   - authority: The PEM file of its certificate authority; nil: the system's.
            ///   - secret: What the body is signed with.
            case webhook(url: Setting, authority: Setting?, secret: Secret)
        }

        package var after: Moment
        package var action: Action
    }
}
