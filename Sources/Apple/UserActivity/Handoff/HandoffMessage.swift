internal import Donations

/// What the destination asks the origin.
enum HandoffRequest: Hashable, Sendable {
    /// What can be continued now?
    case offer
    /// The current activity, if it is of this type, for an app of this team.
    case content(activityType: String, team: String)
    /// The activity with this handle arrived and goes on here.
    case continued(handle: Int64)
    /// From here on this connection is the streams of that activity.
    case streams(handle: Int64)

    /// The request in canonical bytes; nil when they are none.
    init?(_ bytes: [UInt8]) {
        guard let value = try? PayloadValue(decoding: bytes) else { return nil }
        switch value["ask"]?.text {
        case "offer": self = .offer
        case "content":
            guard let type = value["type"]?.text, let team = value["team"]?.text else {
                return nil
            }
            self = .content(activityType: type, team: team)
        case "continued":
            guard let handle = value["handle"]?.integer else { return nil }
            self = .continued(handle: handle)
        case "streams":
            guard let handle = value["handle"]?.integer else { return nil }
            self = .streams(handle: handle)
        default: return nil
        }
    }

    var bytes: [UInt8] {
        let entries: [String: PayloadValue] =
            switch self {
            case .offer: ["ask": .string("offer")]
            case .content(let type, let team):
                ["ask": .string("content"), "type": .string(type), "team": .string(team)]
            case .continued(let handle):
                ["ask": .string("continued"), "handle": .integer(handle)]
            case .streams(let handle): ["ask": .string("streams"), "handle": .integer(handle)]
            }
        return PayloadValue.dictionary(entries).encoded
    }
}

/// What the origin answers.
enum HandoffReply: Hashable, Sendable {
    /// Nothing can be continued.
    case nothing
    /// An activity of this type, of an app of this team.
    case offer(activityType: String, team: String)
    /// The activity, and what it is called in later requests.
    case content(handle: Int64, bytes: [UInt8])
    /// It was done.
    case done
    /// It failed with this code of `NSCocoaErrorDomain`.
    case failure(code: Int)

    /// The reply in canonical bytes; nil when they are none.
    init?(_ bytes: [UInt8]) {
        guard let value = try? PayloadValue(decoding: bytes) else { return nil }
        switch value["reply"]?.text {
        case "nothing": self = .nothing
        case "done": self = .done
        case "offer":
            guard let type = value["type"]?.text, let team = value["team"]?.text else {
                return nil
            }
            self = .offer(activityType: type, team: team)
        case "content":
            guard let handle = value["handle"]?.integer,
                let content = value["content"]?.bytes
            else { return nil }
            self = .content(handle: handle, bytes: content)
        case "failure":
            guard let code = value["code"]?.integer else { return nil }
            self = .failure(code: Int(code))
        default: return nil
        }
    }

    var bytes: [UInt8] {
        let entries: [String: PayloadValue] =
            switch self {
            case .nothing: ["reply": .string("nothing")]
            case .done: ["reply": .string("done")]
            case .offer(let type, let team):
                ["reply": .string("offer"), "type": .string(type), "team": .string(team)]
            case .content(let handle, let bytes):
                [
                    "reply": .string("content"), "handle": .integer(handle),
                    "content": .data(bytes),
                ]
            case .failure(let code):
                ["reply": .string("failure"), "code": .integer(Int64(code))]
            }
        return PayloadValue.dictionary(entries).encoded
    }
}
