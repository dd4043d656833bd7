import CloudWire
public import Foundation
import JSON

/// A request that the service has answered, as its journal keeps it.
public struct MockRequest: Sendable, Hashable {
    /// Counted from 1, through all requests of the world.
    public let number: Int
    /// When it came, by the service's clock.
    public let time: Date
    /// As in the web service's paths, such as `records/modify`.
    public let operation: String
    /// The container's identifier; nil where the request named none.
    public let container: String?
    /// The signed-in user; nil: none.
    public let account: String?
    /// What they asked on; nil: no named device.
    public let device: String?
    /// The zones it named, at most 20.
    public let zones: [String]
    /// The HTTP status; 0 where there was no answer.
    public let status: Int
    /// How many items of the answer had each code; `OK` for those that went well.
    public let codes: [String: Int]
    /// Why all of it failed, such as `THROTTLED`; nil when it did not.
    public let failure: String?
    /// The faults that happened to it.
    public let faults: [String]

    init(_ value: JSONValue) {
        number = Int(value["number"]?.int64 ?? 0)
        time = Date(timeIntervalSince1970: Double(value["time"]?.int64 ?? 0) / 1000)
        operation = value["operation"]?.string ?? ""
        container = value["container"]?.string
        account = value["user"]?.string
        device = value["device"]?.string
        zones = value["zones"]?.elements.compactMap { $0.string } ?? []
        status = Int(value["status"]?.int64 ?? 0)
        var codes: [String: Int] = [:]
        if let members = value["codes"]?.members {
            for member in members { codes[member.key] = Int(member.value.int64 ?? 0) }
        }
        self.codes = codes
        failure = value["code"]?.string
        faults = value["faults"]?.elements.compactMap { $0.string } ?? []
    }
}

extension MockCloud {
    /// The requests so far, the oldest first: the last 10,000 of them.
    ///
    /// - Parameters:
    ///   - operation: As in the web service's paths, such as `records/modify`; nil: any.
    ///   - account: Who asked; nil: anybody.
    ///   - zone: A zone they named; nil: any or none.
    public func requests(
        _ operation: String? = nil, account: String? = nil, zone: String? = nil
    ) async throws -> [MockRequest] {
        let filters = [("operation", operation), ("user", account), ("zone", zone)]
        let query = filters.compactMap { name, text in
            text.map { "&\(name)=\(WireQuery.encoded($0))" }
        }
        return try await world.list("entries", of: "journal?limit=10000" + query.joined())
            .map { MockRequest($0) }
    }

    /// Forgets the requests so far; their numbers go on.
    public func forgetRequests() async throws { _ = try await world.ask(.delete, "journal") }
}
