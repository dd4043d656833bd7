import CloudWire

/// Addresses in answers that whoever has them may use: where they lead, and what stands for them.
///
/// A stand-in is a path of the proxy, so that what is fetched or sent there is recorded too.
package struct AddressBook: Sendable {
    /// What an address is for.
    package enum Use: String, Sendable, CaseIterable {
        case download = "/asset/"
        case upload = "/upload/"
        /// Pushes wait there.
        case courier = "/courier/"
        /// Where a person signs in; never recorded.
        case signIn = "/sign-in/"

        init(_ keys: [String]) {
            switch keys.last {
            case "downloadURL": self = .download
            case "webcourierURL": self = .courier
            case "redirectURL": self = .signIn
            default: self = .upload
            }
        }

        var methods: [String] {
            switch self {
            case .download: WireTransfer.download.methods
            case .upload: WireTransfer.upload.methods
            case .courier, .signIn: ["GET"]
            }
        }
    }

    /// Where a stand-in leads.
    package struct Address: Sendable, Hashable {
        let url: String
        let use: Use
        /// The route of the request that was answered with it.
        let route: WireRoute?
    }

    /// Stands for the proxy's own address in recordings: that changes with its port.
    package static let origin = "https://recording.invalid"
    /// Where clients put a file's name of their choice.
    private static let fileName = "${f}"

    private var addresses: [String: Address] = [:]

    package init() {}

    /// Whether an asset's bytes are sent to a path.
    static func isUpload(_ path: String) -> Bool { path.hasPrefix(Use.upload.rawValue) }

    /// Whether an asset's bytes are fetched from a path.
    static func isDownload(_ path: String) -> Bool { path.hasPrefix(Use.download.rawValue) }

    /// Whether a path stands for an address that was given out.
    static func isAddress(_ path: String) -> Bool {
        Use.allCases.contains { path.hasPrefix($0.rawValue) }
    }

    /// Notes an address under the digits that stand for it.
    ///
    /// - Returns: The stand-in, an address below ``origin``.
    mutating func add(_ address: Address, as digits: String) throws(RecordingError) -> String {
        guard addresses.count < RecordingLimits.standInsMax || addresses[digits] != nil else {
            throw RecordingError(
                .full, "a recording has at most \(RecordingLimits.standInsMax) addresses")
        }
        addresses[digits] = address
        let rest = address.url.contains(Self.fileName) ? "/\(Self.fileName)" : ""
        return Self.origin + address.use.rawValue + digits + rest
    }

    /// Where a path of the proxy leads; nil where it is none of these.
    ///
    /// - Returns: The URL has the name that the client chose for the file.
    func find(path: String) -> (address: Address, url: String)? {
        guard let use = Use.allCases.first(where: { path.hasPrefix($0.rawValue) }) else {
            return nil
        }
        let parts = path.dropFirst(use.rawValue.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = addresses[String(parts[0])], address.use == use else { return nil }
        let name = parts.count == 2 ? String(parts[1]) : ""
        return (address, address.url.replacing(Self.fileName, with: name))
    }
}
