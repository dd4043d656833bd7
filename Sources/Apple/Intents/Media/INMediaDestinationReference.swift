public import Foundation

/// Where media are added to, as an object: what an ``INMediaDestination`` is to Objective-C.
public final class INMediaDestinationReference: NSObject, NSCopying, NSSecureCoding {
    /// Where media are added to.
    public let destination: INMediaDestination

    private init(_ destination: INMediaDestination) { self.destination = destination }

    /// The person's library.
    public class func library() -> Self { Self(.library) }
    /// A playlist, by its name.
    public class func playlistDestination(withName playlistName: String) -> Self {
        Self(.playlist(playlistName))
    }

    /// Which kind of place it is.
    public var mediaDestinationType: INMediaDestinationType {
        destination == .library ? .library : .playlist
    }
    /// The playlist's name; nil for the library.
    public var playlistName: String? { destination.playlistName }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? INMediaDestinationReference)?.destination == destination
    }
    public override var hash: Int { destination.hashValue }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The place that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) {
        guard let destination = INMediaDestination(archivedIn: coder) else { return nil }
        self.init(destination)
    }

    public func encode(with coder: NSCoder) { destination.archive(in: coder) }
}
