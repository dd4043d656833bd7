extension CKSyncEngine {
    /// What an engine is made with.
    public struct Configuration: Sendable, CustomStringConvertible {
        /// The private or the shared database; the public one has no changes to fetch.
        public var database: CKDatabase
        /// What the last state update had; nil at the app's first launch, or to start over.
        public var stateSerialization: CKSyncEngine.State.Serialization?
        /// Who handles the events. The engine does not keep it alive.
        public var delegate: any CKSyncEngineDelegate
        /// Whether the engine fetches and sends by itself; otherwise only when told.
        public var automaticallySync = true
        /// The database subscription to use, which is made where it is missing; nil: any that is there,
        /// else one of the engine's own. Engines that do not work by themselves use none.
        public var subscriptionID: CKSubscription.ID?

        /// An engine's configuration, with automatic work.
        public init(
            database: CKDatabase, stateSerialization: CKSyncEngine.State.Serialization?,
            delegate: any CKSyncEngineDelegate
        ) {
            self.database = database
            self.stateSerialization = stateSerialization
            self.delegate = delegate
        }

        /// The database and whether the engine works by itself.
        public var description: String {
            "<CKSyncEngine.Configuration: \(database), automaticallySync=\(automaticallySync)>"
        }
    }
}
