import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// Devices that get pushes, and their pushes.
struct PushesResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "pushes", query: ["user", .text("container"), "token", "after", "limit"],
            answers: ["devices", "pushes", "lost"],
            "lists the devices that get pushes, and the last pushes of each", list)
    ]

    /// Which devices and pushes to show; nil fits all.
    private struct Filter {
        var user: String?
        var container: String?
        var token: String?
        /// Only pushes with a greater number.
        var after = 0
        var limit = 1000

        func fits(_ device: PushRegistration) -> Bool {
            (user ?? device.account) == device.account
                && (container ?? device.container.rawValue) == device.container.rawValue
                && (token ?? device.token.token) == device.token.token
        }
    }

    private func list() throws(MockError) -> RequestOutcome {
        var filter = Filter()
        for item in query.items {
            switch item.name {
            case "user": filter.user = item.value
            case "container": filter.container = item.value
            case "token": filter.token = item.value
            default:
                guard let number = Int(item.value), (0...1_000_000_000).contains(number) else {
                    throw MockError("\(item.name) must be a whole number")
                }
                if item.name == "after" {
                    filter.after = number
                } else {
                    filter.limit = min(number, 1000)
                }
            }
        }
        return list(filter)
    }

    /// The devices that fit, and their pushes in the order in which they were made.
    private func list(_ filter: Filter) -> RequestOutcome {
        let devices = store.pushDevices.filter(filter.fits)
        // A device of several containers has one list.
        let tokens = Set(devices.map(\.token.token))
        let places = Dictionary(grouping: devices, by: \.container)
        let pushes = tokens.flatMap { token in
            store.pushes(for: token).filter { push in
                push.number > filter.after && places[push.note.address.container] != nil
            }
        }.sorted { $0.number < $1.number }
        return .object { writer in
            writer.objects("devices", devices.prefix(filter.limit)) { writer, device in
                writer.member("token", device.token.token)
                writer.member("apnsEnvironment", device.token.environment.rawValue)
                writer.member("container", device.container.rawValue)
                writer.member("environment", device.environment.rawValue)
                writer.member("user", device.account)
                writer.member("userRecordName", device.userRecordName)
                writer.member("device", device.device)
                writer.member("clientId", device.clientID)
                writer.member("polls", scheduler.pushes.count(of: device.token.token))
            }
            writer.objects("pushes", pushes.prefix(filter.limit)) { writer, push in
                writer.member("number", push.number)
                writer.member("time", push.time.milliseconds)
                writer.member("token", push.token)
                writer.member("delivered", push.isDelivered)
                writer.member("changes", push.changes)
                writer.key("payload")
                writer.raw(push.payload)
            }
            writer.member("lost", store.lostPushes)
        }
    }
}
