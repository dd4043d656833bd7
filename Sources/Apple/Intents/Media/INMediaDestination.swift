internal import Foundation

/// Where media are added to.
public enum INMediaDestination: Hashable, Sendable, CustomDebugStringConvertible {
    /// The person's library.
    case library
    /// A playlist, by its name.
    case playlist(String)

    /// The playlist's name; nil for the library.
    public var playlistName: String? { if case .playlist(let name) = self { name } else { nil } }

    public var debugDescription: String { playlistName.map { "playlist \($0)" } ?? "library" }
}

extension INMediaDestination: StorableValue {
    var storedParts: [String: Any?] { ["playlist": playlistName] }

    static func restore(_ parts: [String: Any]) -> Self? {
        (parts["playlist"] as? String).map { .playlist($0) } ?? .library
    }
}
