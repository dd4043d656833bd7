import CloudModel
internal import CoreLocation
public import Foundation

/// An opaque position in the changes of a zone or a database. Equal by value.
public final class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, Sendable {
    let model: ChangeToken

    init(_ token: ChangeToken) { model = token }

    /// Whether two tokens are the same position.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKServerChangeToken)?.model == model
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { model.hashValue }

    /// Itself: a token never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the token to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(model.rawValue as NSString, forKey: "token")
    }

    /// Reads a token from an archive.
    public convenience init?(coder: NSCoder) {
        guard let text = coder.decodeText("token") else { return nil }
        self.init(ChangeToken(text))
    }
}
