/// The open connections, each in a slot that epoll hands back.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var free: [Int] = []
    private var numbers: UInt64 = 0
    private(set) var count = 0

    /// Makes a connection of a socket.
    mutating func add(_ transport: consuming Transport) -> Connection {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count { slots.append(nil) }
        numbers += 1
        let connection = Connection(slot: slot, number: numbers, transport: transport)
        slots[slot] = connection
        count += 1
        return connection
    }

    mutating func remove(_ connection: Connection) {
        slots[connection.slot] = nil
        free.append(connection.slot)
        count -= 1
    }

    /// All of them.
    var all: [Connection] { slots.compactMap(\.self) }

    func contains(_ connection: Connection) -> Bool { slots[connection.slot] === connection }

    /// The connection in a slot that has been used.
    subscript(slot slot: Int) -> Connection? { slots[slot] }

    /// The connection that an event is of, unless it has been removed since.
    subscript(pollerData data: UInt64) -> Connection? {
        let slot = Int(data & 0xFFFF_FFFF)
        guard slot < slots.count, slots[slot]?.pollerData == data else { return nil }
        return slots[slot]
    }

    /// The connection that an exchange is on, unless it has been removed.
    subscript(exchange: ExchangeID) -> Connection? {
        guard exchange.slot < slots.count, slots[exchange.slot]?.number == exchange.connection
        else { return nil }
        return slots[exchange.slot]
    }
}
