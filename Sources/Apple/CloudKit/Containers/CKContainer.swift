public import Foundation

/// A container: what an app keeps its data in. Mirrors Apple's `CKContainer`.
///
/// Which server it is on and who is signed in says ``CloudKitConfiguration``.
public final class CKContainer: NSObject, Sendable {
    /// The data of the user alone.
    public let privateCloudDatabase: CKDatabase
    /// The data of everybody who uses the app.
    public let publicCloudDatabase: CKDatabase
    /// The data that others share with the user.
    public let sharedCloudDatabase: CKDatabase
    let place: ContainerPlace

    private static let standard = CKContainer(ContainerPlace(given: nil, connection: nil))

    /// The app's main container: the default one of the container list or the configuration.
    public class func `default`() -> CKContainer { standard }

    /// The container with an identifier, such as `iCloud.com.example.app`.
    ///
    /// A malformed identifier is told at the first request, as `badContainer`.
    public convenience init(identifier: String) {
        self.init(ContainerPlace(given: identifier, connection: nil))
    }

    /// A container over a connection of its own, for tests; nil: its default container.
    package convenience init(identifier: String?, connection: CloudConnection) {
        self.init(ContainerPlace(given: identifier, connection: connection))
    }

    init(_ place: ContainerPlace) {
        NativeArchives.areReadable()
        self.place = place
        privateCloudDatabase = CKDatabase(place, .private)
        publicCloudDatabase = CKDatabase(place, .public)
        sharedCloudDatabase = CKDatabase(place, .shared)
    }

    /// The container's identifier; nil for a default container that nothing names.
    public var containerIdentifier: String? { place.identifier }

    /// The database of a scope.
    public func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
        switch databaseScope {
        case .public: publicCloudDatabase
        case .private: privateCloudDatabase
        case .shared: sharedCloudDatabase
        }
    }

    /// Puts an operation on the container's queue, to work here unless its settings or its
    /// database say otherwise; these stay as the app has set them.
    public func add(_ operation: CKOperation) {
        operation.home = self
        CKOperation.queue.addOperation(operation)
    }

    /// The container's identifier.
    public override var description: String {
        "<CKContainer: \(containerIdentifier ?? "the default container")>"
    }
}
