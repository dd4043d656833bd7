package import Basics
import CloudWire

/// A push on its way to a device.
package struct Push: Sendable, Hashable {
    /// Grows with every push of the server.
    package let number: Int
    /// Of a notification, as the device sees it.
    package let identifier: String
    /// The device's push token.
    package let token: String
    package fileprivate(set) var time: Timestamp
    package fileprivate(set) var note: PushNote
    /// What the app's icon is to show; nil: as before.
    package let badge: Int?
    /// How many changes it stands for.
    package fileprivate(set) var changes = 1
    /// Whether it is held back.
    package fileprivate(set) var isHeld = false
    /// Whether it was handed out, which happens once.
    package fileprivate(set) var isDelivered = false
}

/// The pushes of all devices: what waits for them, and what went out lately. A value, in memory only: a
/// push is a hint, and may be lost.
struct PushQueues {
    private var devices: [String: [Push]] = [:]
    private var badges: [String: Int] = [:]
    /// Every push once, the oldest first; some are gone already.
    private var order: [(token: String, number: Int)] = []
    private var orderStart = 0
    private var count = 0
    private var lastNumber = 0
    /// Pushes that had to go before they were delivered.
    private(set) var lost = 0

    /// Queues a push, or has one that waits already stand for it too.
    ///
    /// - Parameter isHeld: Whether it is held back.
    mutating func add(
        _ note: PushNote, to token: String, at time: Timestamp, isHeld: Bool = false,
        identifier: () -> String
    ) {
        if let index = devices[token]?.lastIndex(where: {
            !$0.isDelivered && $0.isHeld == isHeld && note.replaces($0.note)
        }) {
            devices[token]?[index].note = note
            devices[token]?[index].time = time
            devices[token]?[index].changes += 1
            return
        }
        lastNumber += 1
        var badge: Int?
        if note.info?.shouldBadge == true {
            badge = badges[token, default: 0] + 1
            badges[token] = badge
        }
        devices[token, default: []].append(
            Push(
                number: lastNumber, identifier: identifier(), token: token, time: time,
                note: note, badge: badge, isHeld: isHeld))
        order.append((token, lastNumber))
        count += 1
        if devices[token]?.count ?? 0 > WireLimits.pushesOfDeviceMax { removeFirst(of: token) }
        while count > WireLimits.pushesMax, orderStart < order.count {
            let oldest = order[orderStart]
            orderStart += 1
            if devices[oldest.token]?.first?.number == oldest.number {
                removeFirst(of: oldest.token)
            }
        }
        if order.count > 2 * WireLimits.pushesMax {
            let kept = Set(devices.values.joined().map(\.number))
            order = order[orderStart...].filter { kept.contains($0.number) }
            orderStart = 0
        }
    }

    private mutating func removeFirst(of token: String) {
        guard let first = devices[token]?.removeFirst() else { return }
        if !first.isDelivered { lost += 1 }
        count -= 1
        if devices[token]?.isEmpty == true { devices[token] = nil }
    }

    /// The first push that waits for a device.
    func next(for token: String) -> Push? {
        devices[token]?.first { !$0.isDelivered && !$0.isHeld }
    }

    /// How many are held back.
    var held: Int { devices.values.joined().count(where: \.isHeld) }

    /// Delivers pushes that are held back, the oldest first.
    ///
    /// - Returns: The devices that they are for, in the same order.
    mutating func release(_ count: Int) -> [String] {
        let released = devices.values.joined().filter(\.isHeld).sorted { $0.number < $1.number }
            .prefix(count)
        for push in released {
            guard
                let index = devices[push.token]?.firstIndex(where: { $0.number == push.number })
            else { continue }
            devices[push.token]?[index].isHeld = false
        }
        return released.map(\.token)
    }

    /// Notes that a push was handed out.
    mutating func noteDelivery(of push: Push) {
        guard let index = devices[push.token]?.firstIndex(where: { $0.number == push.number })
        else { return }
        devices[push.token]?[index].isDelivered = true
    }

    /// A device's pushes that are kept, the oldest first.
    func all(for token: String) -> [Push] { devices[token] ?? [] }

    /// Forgets the pushes that `isOver` says so of, as if they had never been.
    mutating func forget(_ isOver: (PushNote) -> Bool) {
        for (token, pushes) in devices {
            let left = pushes.filter { !isOver($0.note) }
            count -= pushes.count - left.count
            devices[token] = left.isEmpty ? nil : left
        }
    }

    /// Forgets a device.
    mutating func forget(device token: String) {
        count -= devices.removeValue(forKey: token)?.count ?? 0
        badges[token] = nil
    }
}
