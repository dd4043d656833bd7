/// How an answer is false.
package struct Kind: Sendable {
    package let name: String
    /// Whether the client notices only by waiting.
    package var needsPatience = false
    let tell: @Sendable (Exchange) -> Saying

    init(
        _ name: String, needsPatience: Bool = false,
        _ tell: @escaping @Sendable (Exchange) -> Saying
    ) {
        self.name = name
        self.needsPatience = needsPatience
        self.tell = tell
    }

    /// One that changes the JSON of an honest answer, whatever it holds.
    static func json(
        _ name: String, _ change: @escaping @Sendable (inout Value, Exchange) -> Void
    ) -> Kind {
        Kind(name) { exchange in exchange.changing { change(&$0, exchange) } }
    }

    /// One that changes the items of an honest answer.
    static func items(
        _ name: String, _ change: @escaping @Sendable (inout [Value], Exchange) -> Void
    ) -> Kind {
        Kind(name) { exchange in exchange.changingItems { change(&$0, exchange) } }
    }

    /// One that changes each item of an honest answer.
    static func each(
        _ name: String, _ change: @escaping @Sendable (inout Value, Exchange) -> Void
    ) -> Kind {
        items(name) { items, exchange in
            for index in items.indices { change(&items[index], exchange) }
        }
    }
}
