import HTTPServer
import JSON

extension MockApplication {
    /// The devices that fit, and their pushes in the order in which they were made.
    func listPushes(_ filter: AdminRequest.PushFilter) -> RequestOutcome {
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
