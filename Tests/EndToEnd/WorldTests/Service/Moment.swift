/// Something that happens during a command, before one of our client's requests is answered.
struct Moment: Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1 since the command began.
    let request: Int
    let event: Event

    var description: String { "@\(request) \(event)" }
}

enum Event: Sendable, Hashable, CustomStringConvertible {
    /// Other devices write.
    case device(DeviceAct)
    /// The session of our client's device ends.
    case signOut
    /// Every answer from now on brings the token of another person.
    case swap
    /// The server is killed before the request, or after it was carried out and before it is on
    /// disk, and started again.
    case restart(afterwards: Bool)
    case stop(Stop)

    var description: String {
        switch self {
        case .device(let act): "[\(act)]"
        case .signOut: "sign-out"
        case .swap: "another person's token"
        case .restart(let afterwards): "server killed \(afterwards ? "after" : "before")"
        case .stop(let stop): stop.rawValue
        }
    }
}

/// How our client is told to end.
enum Stop: String, Sendable { case interrupt, terminate }

/// Requests of other devices.
struct DeviceAct: Sendable, Hashable, CustomStringConvertible {
    var writes: [DeviceWrite]

    var description: String { writes.map(\.description).joined(separator: ", ") }
}

/// One of them, in the words of the wire.
struct DeviceWrite: Sendable, Hashable, CustomStringConvertible {
    let user: String
    /// `CONTAINER/ENVIRONMENT/SCOPE/OPERATION`
    let path: String
    /// JSON; empty for GET.
    let body: String

    /// Who and where, and the names and types in it.
    var description: String {
        let names: Set = [
            "operationType", "zoneName", "recordName", "recordType", "subscriptionID",
        ]
        let texts = body.split(separator: "\"")
        let told = texts.indices.dropLast(2).filter { names.contains(String(texts[$0])) }
            .map { String(texts[$0 + 2]) }
        return ([user, path.replacing("/development", with: "")] + told).joined(separator: " ")
    }
}
