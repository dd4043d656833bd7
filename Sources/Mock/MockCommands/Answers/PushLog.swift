import Basics
import CommandLine

/// The pushes that a mock server has for its devices.
struct PushLog {
    let pushes: [Push]
    let hasDevices: Bool
    /// Pushes that were dropped because too many were pending.
    let lost: Int

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        let devices = try answer.objects("devices")
        var names: [String: String] = [:]
        for device in devices {
            let token = try device.text("token")
            let parts = [
                device.optionalText("user"),
                device.optionalText("device") ?? device.optionalText("clientId"),
            ].compactMap { $0 }.filter { !$0.isEmpty }
            names[token] = parts.isEmpty ? String(token.prefix(8)) : parts.joined(separator: "/")
        }
        hasDevices = !devices.isEmpty
        pushes = try answer.objects("pushes").map { push throws(CommandFailure) in
            try Push(push, devices: names)
        }
        lost = try answer.number("lost")
    }

    struct Push {
        private let number: Int
        private let time: String
        private let device: String
        private let container: String
        private let subscription: String
        private let about: String
        private let isDelivered: Bool

        init(_ answer: AdminAnswer, devices: [String: String]) throws(CommandFailure) {
            number = try answer.number("number")
            time = Timestamp(milliseconds: Int64(try answer.number("time"))).iso8601
            device = devices[try answer.text("token")] ?? ""
            isDelivered = try answer.flag("delivered")
            let payload = answer.optionalObject("payload")?.optionalObject("ck")
            container = payload?.optionalText("cid") ?? ""
            let subject = ["qry", "fet", "met"].lazy.compactMap { payload?.optionalObject($0) }
                .first
            subscription = subject?.optionalText("sid") ?? ""
            let reasons = [1: "created", 2: "updated", 3: "deleted"]
            about = [
                subject?.optionalText("zid"), subject?.optionalText("rid"),
                subject?.optionalNumber("fo").flatMap { reasons[$0] },
            ].compactMap { $0 }.joined(separator: " ")
        }

        static let columns = [
            "number", "time", "device", "container", "subscription", "about", "delivered",
        ]

        var cells: [TextTable.Cell] {
            [
                .number(number), .init(time), .init(device), .init(container),
                .init(subscription), .init(about.isEmpty ? "database" : about),
                .init(isDelivered ? "yes" : "no"),
            ]
        }

        var event: Event {
            Event(
                "push",
                [
                    .init("number", number), .init("at", time), .init("device", device),
                    .init("container", container), .init("subscription", subscription),
                    .init("about", about), .init("delivered", isDelivered),
                ])
        }
    }
}
