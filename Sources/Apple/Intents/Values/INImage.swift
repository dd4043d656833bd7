internal import CoreLocation
public import Foundation

/// A picture for a parameter: its bytes, a name in the app's bundle, or an address.
public final class INImage: NSObject, NSCopying, NSSecureCoding, Sendable {
    private enum Source: Hashable, Sendable {
        case named(String)
        case data(Data)
        case url(URL, width: Double?, height: Double?)
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    /// A picture of the app's bundle.
    public convenience init(named name: String) { self.init(.named(name)) }

    /// A picture of the system's symbols; here a name like any other.
    public convenience init(systemImageNamed name: String) { self.init(.named(name)) }

    /// A picture in a known format.
    public convenience init(imageData: Data) { self.init(.data(imageData)) }

    /// A picture to load from an address; nil when it is not absolute.
    public convenience init?(url: URL) {
        guard url.scheme != nil else { return nil }
        self.init(.url(url, width: nil, height: nil))
    }

    /// A picture of a size to load from an address; nil when it is not absolute.
    public convenience init?(url: URL, width: Double, height: Double) {
        guard url.scheme != nil else { return nil }
        self.init(.url(url, width: width, height: height))
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The picture that an archive holds; nil when it holds none.
    public convenience init?(coder: NSCoder) {
        if let name = Archive.text("name", in: coder) {
            self.init(.named(name))
        } else if let data = coder.decodeIfThere(NSData.self, "data") {
            self.init(.data(Data(referencing: data)))
        } else if let url = Archive.text("url", in: coder).flatMap({ URL(string: $0) }) {
            func side(_ key: String) -> Double? {
                coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : nil
            }
            self.init(.url(url, width: side("width"), height: side("height")))
        } else {
            return nil
        }
    }

    public func encode(with coder: NSCoder) {
        switch source {
        case .named(let name): Archive.encode(text: name, "name", in: coder)
        case .data(let data): coder.encode(NSData(data: data), forKey: "data")
        case .url(let url, let width, let height):
            Archive.encode(text: url.absoluteString, "url", in: coder)
            if let width { coder.encode(width, forKey: "width") }
            if let height { coder.encode(height, forKey: "height") }
        }
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? INImage)?.source == source
    }

    public override var hash: Int { source.hashValue }

    /// The bytes that need a file; nil when there are none.
    var storedBytes: [UInt8]? {
        if case .data(let data) = source { [UInt8](data) } else { nil }
    }

    /// What is stored of a picture without bytes.
    var reference: [String: Any] {
        switch source {
        case .named(let name): ["name": name]
        case .data: [:]
        case .url(let url, let width?, let height?):
            ["url": url, "width": width, "height": height]
        case .url(let url, _, _): ["url": url]
        }
    }
}
