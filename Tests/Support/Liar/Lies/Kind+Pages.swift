extension Kind {
    /// Listings in pages that end too early.
    package static let hidingPages: [Kind] = [
        page("no more after the first page") { page, _ in page.endHere() },
        page("a page with an empty token") { page, _ in page.goOn(at: "") },
        page("more is coming, without a token") { page, _ in page.goOn(at: nil) },
        page("more is coming, and not a word where, without items") { page, _ in
            page.clear()
            page.goOn(at: nil)
        },
        page("moreComing twice") { page, _ in
            page.prepend("moreComing", true)
            page.append("moreComing", false)
        },
        page("moreComing as text") { page, _ in page["moreComing"] = "yes" },
    ]

    /// The same for queries, where nothing but the marker says whether more is coming.
    static let hidingQueryPages = hidingPages.filter { !$0.name.hasPrefix("more is coming") }

    /// Listings in pages that never end or go astray.
    static let strangePages: [Kind] = [
        page("the first page again and again") { page, exchange in
            exchange.memory.withLock { memory in
                if let first = memory["page"] { page = first } else { memory["page"] = page }
            }
            page.goOn(at: "again")
        },
        page("the first page again and again, with a new token each time") { page, exchange in
            let count = exchange.count()
            exchange.memory.withLock { memory in
                if let first = memory["page"] { page = first } else { memory["page"] = page }
            }
            page.goOn(at: "again-\(count)")
        },
        page("empty pages for ever") { page, exchange in
            page.clear()
            page.goOn(at: "on-\(exchange.count())")
        },
        page("new items for ever") { page, exchange in
            let count = exchange.count()
            page.renameAll { "\($0)-\(count)" }
            page.goOn(at: "on-\(count)")
        },
        page("two tokens in turn for ever") { page, exchange in
            page.goOn(at: exchange.count() % 2 == 0 ? "tick" : "tock")
        },
        page("a token of 20,000 letters") { page, _ in
            page.goOn(at: String(repeating: "t", count: 20_000))
        },
        Kind("an empty page before the first") { exchange in
            if exchange.request.isFirstPage {
                return exchange.changingPages { page in
                    page.clear()
                    page.goOn(at: "begin")
                }
            }
            guard var request = exchange.request.fromTheBeginning(after: "begin") else {
                return exchange.truth()
            }
            request.connection = exchange.request.connection
            return exchange.population.upstream.answer(request).map(Saying.answer) ?? .close
        },
    ]

    /// The same, where there are several pages.
    static let backwardPages: [Kind] = [
        page("a token that leads back to the beginning") { page, exchange in
            let first = exchange.memory.withLock { memory in
                if memory["token"] == nil { memory["token"] = page.position }
                return memory["token"]
            }
            if let first = first?.text { page.goOn(at: first) }
        },
        Kind("an empty page before each other") { exchange in
            let spelled = String(decoding: exchange.request.body, as: UTF8.self)
            let isNew = exchange.memory.withLock { memory in
                defer { memory[spelled] = true }
                return memory[spelled] == nil
            }
            guard isNew, !exchange.request.isFirstPage else { return exchange.truth() }
            let token = exchange.request.token
            return exchange.changingPages { page in
                page.clear()
                page.goOn(at: token)
            }
        },
        page("tokens that go backwards") { page, exchange in
            let earlier = exchange.memory.withLock { memory in
                defer { memory["token"] = page.position ?? memory["token"] }
                return memory["token"]
            }
            if let earlier = earlier?.text { page.goOn(at: earlier) }
        },
    ]

    private static func page(
        _ name: String, _ change: @escaping @Sendable (inout Value, Exchange) -> Void
    ) -> Kind {
        Kind(name) { exchange in exchange.changingPages { change(&$0, exchange) } }
    }
}

extension Exchange {
    /// How often this lie was told, this time included.
    func count() -> Int {
        memory.withLock { memory in
            let count = (memory["count"]?.elements.count ?? 0) + 1
            memory["count"] = .array([Value](repeating: .null, count: count))
            return count
        }
    }
}

extension Value {
    /// A query's answer is paged by its marker, all others by a token and a flag.
    private var isQuery: Bool { self["records"] != nil && self["zoneID"] == nil }

    /// Where the next page begins.
    var position: Value? { isQuery ? self["continuationMarker"] : self["syncToken"] }

    mutating func endHere() {
        if isQuery { self["continuationMarker"] = nil } else { self["moreComing"] = false }
    }

    mutating func goOn(at position: String?) {
        if isQuery {
            self["continuationMarker"] = position.map(Value.string)
        } else {
            self["moreComing"] = true
            self["syncToken"] = position.map(Value.string)
        }
    }

    mutating func clear() {
        for list in ["zones", "records"] where self[list] != nil { self[list] = [] }
    }

    mutating func renameAll(_ name: (String) -> String) {
        for list in ["zones", "records"] {
            guard var items = self[list]?.elements else { continue }
            for index in items.indices { items[index].rename(name) }
            self[list] = .array(items)
        }
    }
}
