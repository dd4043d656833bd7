extension Kind {
    /// Deletions that are said to be done and are not.
    static let deletionsNotDone: [Kind] = [
        Kind("acknowledged, not carried out") { .answer($0.acknowledgement { _, _ in true }) },
        Kind("acknowledged, only the first carried out") { exchange in
            exchange.carryingOut { Array($0.prefix(1)) }
        },
        Kind("acknowledged, all but the last carried out") { exchange in
            exchange.carryingOut { Array($0.dropLast()) }
        },
        failed("NOT_FOUND", carriedOut: false), failed("ZONE_NOT_FOUND", carriedOut: false),
        whole(404, "NOT_FOUND", carriedOut: false), whole(404, "ZONE_NOT_FOUND", carriedOut: false),
        Kind("acknowledged under other names, not carried out") { exchange in
            var answer = exchange.acknowledgement { _, _ in true }
            answer.changeItems(exchange.list) { $0.rename { "other-" + $0 } }
            return .answer(answer)
        },
        Kind("the first acknowledged for all, not carried out") { exchange in
            var answer = exchange.acknowledgement { _, _ in true }
            guard var json = answer.json, let items = json[exchange.list]?.elements,
                let first = items.first
            else { return .answer(answer) }
            json[exchange.list] = .array(items.map { _ in first })
            answer.body = json.bytes
            return .answer(answer)
        },
        Kind("an empty list, not carried out") { exchange in
            .answer(Answer(200, .object([.init(name: exchange.list, value: [])])))
        },
        Kind("204, not carried out") { _ in .answer(Answer(204)) },
        Kind("an empty object, not carried out") { _ in .answer(Answer(200, [:])) },
        Kind("acknowledged twice in one item, not carried out") { exchange in
            var answer = exchange.acknowledgement { _, _ in true }
            answer.changeItems(exchange.list) { item in
                item.prepend("deleted", false)
                item.append("serverErrorCode", "INTERNAL_ERROR")
                item.append("serverErrorCode", .null)
            }
            return .answer(answer)
        },
    ]

    /// Deletions that are done and said not to be, or half said.
    static let deletionsDenied: [Kind] = [
        failed("INTERNAL_ERROR", carriedOut: true), failed("ACCESS_DENIED", carriedOut: true),
        failed("NOT_FOUND", carriedOut: true), failed("BAD_REQUEST", carriedOut: true),
        failed("CONFLICT", carriedOut: true), failed("SOMETHING_NEW", carriedOut: true),
        failed("THROTTLED", carriedOut: true),
        failed("VALIDATING_REFERENCE_ERROR", carriedOut: true),
        failed("INTERNAL_ERROR", carriedOut: false), failed("ACCESS_DENIED", carriedOut: false),
        whole(500, "INTERNAL_ERROR", carriedOut: true),
        whole(503, "TRY_AGAIN_LATER", carriedOut: true),
        whole(400, "BAD_REQUEST", carriedOut: false),
        .each("said to be there still") { item, _ in item["deleted"] = false },
        .each("not said to be deleted") { item, _ in item["deleted"] = nil },
        .items("the last item not mentioned") { items, _ in items = Array(items.dropLast()) },
        .items("one item more than asked") { items, _ in
            guard var more = items.first else { return }
            more.rename { $0 + "-made-up" }
            items.append(more)
        },
        .each("about another owner's") { item, exchange in
            var zone = item["zoneID"] ?? ["zoneName": "_defaultZone"]
            zone["ownerRecordName"] = exchange.otherPerson
            item["zoneID"] = zone
        },
        Kind("carried out twice") { exchange in
            _ = exchange.population.upstream.answer(exchange.request)
            exchange.meddling.withLock { $0 = true }
            return exchange.truth()
        },
    ]

    /// The same, where several are deleted at once.
    static let deletionsMixedUp: [Kind] = [
        .items("in the opposite order") { items, _ in items.reverse() }
    ]

    private static func failed(_ code: String, carriedOut: Bool) -> Kind {
        Kind("each \(code), \(carriedOut ? "" : "not ")carried out") { exchange in
            if carriedOut { _ = exchange.truth() }
            var answer = exchange.acknowledgement { _, _ in true }
            answer.changeItems(exchange.list) { $0.fail(code) }
            return .answer(answer)
        }
    }

    private static func whole(_ status: Int, _ code: String, carriedOut: Bool) -> Kind {
        Kind("\(status) \(code), \(carriedOut ? "" : "not ")carried out") { exchange in
            if carriedOut { _ = exchange.truth() }
            return .answer(
                Answer(status, ["serverErrorCode": .string(code), "reason": "made up"]))
        }
    }
}

extension Exchange {
    /// What was asked to be done.
    private var operations: [Value] { request.json?["operations"]?.elements ?? [] }

    /// What the service would answer if it had deleted everything that is asked for.
    func acknowledgement(_ includes: (Int, Value) -> Bool) -> Answer {
        let items = operations.enumerated().filter { includes($0.offset, $0.element) }
            .map { operation in
                var item =
                    operation.element["record"] ?? operation.element["zone"]
                    ?? operation.element["subscription"] ?? [:]
                if operation.element["operationType"]?.text?.lowercased().contains("delete")
                    == true
                {
                    item["deleted"] = true
                }
                return item
            }
        return Answer(200, .object([.init(name: list, value: .array(items))]))
    }

    /// Carries some of it out and acknowledges all.
    func carryingOut(_ some: ([Value]) -> [Value]) -> Saying {
        var request = request
        if var json = request.json {
            json["operations"] = .array(some(operations))
            request.body = json.bytes
        }
        if !some(operations).isEmpty { _ = population.upstream.answer(request) }
        return .answer(acknowledgement { _, _ in true })
    }
}

extension Answer {
    /// Changes each item of a list.
    mutating func changeItems(_ list: String, _ change: (inout Value) -> Void) {
        guard var json, var items = json[list]?.elements else { return }
        for index in items.indices { change(&items[index]) }
        json[list] = .array(items)
        body = json.bytes
    }
}
