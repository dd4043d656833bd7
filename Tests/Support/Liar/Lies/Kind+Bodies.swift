extension Kind {
    /// Whole answers with 200 that say less than there is.
    static let hidingBodies: [Kind] = [
        body("an empty object") { _ in Array("{}".utf8) },
        body("no bytes at all") { _ in [] },
        .json("no list") { json, exchange in json[exchange.list] = nil },
        .json("null in place of the list") { json, exchange in json[exchange.list] = .null },
        .json("an object in place of the list") { json, exchange in json[exchange.list] = [:] },
        .json("the list twice, empty the second time") { json, exchange in
            json.append(exchange.list, [])
        },
        .json("the list twice, empty the first time") { json, exchange in
            json.prepend(exchange.list, [])
        },
        .json("the list and an error of the whole request") { json, _ in
            json["serverErrorCode"] = "NOT_FOUND"
        },
        .json("an empty list and an unknown code") { json, exchange in
            json[exchange.list] = []
            json["serverErrorCode"] = "GONE_FOR_GOOD"
        },
    ]

    /// Whole answers with 200 that are not what was asked for.
    static let strangeBodies: [Kind] = [
        body("an array") { _ in Array("[]".utf8) },
        body("null") { _ in Array("null".utf8) },
        body("a page of a hotel's network") { _ in Answer(200, page: "Welcome").body },
        body("half of the JSON") { Array($0.prefix($0.count / 2)) },
        body("the JSON twice") { $0 + $0 },
        body("the JSON and a zero byte") { $0 + [0] },
        body("a byte that is no UTF-8") { body in
            body.map { $0 == UInt8(ascii: "e") ? 0xFF : $0 }
        },
        body("a byte order mark") { [0xEF, 0xBB, 0xBF] + $0 },
        body("arrays 100,000 deep") { _ in
            [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        },
        Kind("the response of another operation") { exchange in
            var other = exchange.request
            other.target = other.target.replacing(
                exchange.request.operation?.rawValue ?? "",
                with: exchange.request.operation == .caller ? "zones/list" : "users/caller")
            other.method = "GET"
            other.body = []
            return exchange.population.upstream.answer(other).map(Saying.answer) ?? .close
        },
        .each("names that are numbers") { item, _ in item.setName(7) },
        .json("a list of 210 items") { json, exchange in
            guard let item = json[exchange.list]?.elements.first else { return }
            json[exchange.list] = .array(
                (0..<210).map { number in
                    var item = item
                    item.rename { "\($0)-\(number)" }
                    return item
                })
        },
    ]

    /// Answers that were true once.
    static let staleBodies: [Kind] = [
        Kind("the answer before this one") { exchange in
            let now = exchange.truth().answer ?? Answer(500)
            let before = exchange.memory.withLock { memory in
                let before = memory["answer"]
                memory["answer"] = now.json
                return before
            }
            return .answer(before.map { Answer(200, $0) } ?? now)
        }
    ]

    private static func body(
        _ name: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Kind {
        Kind(name) { exchange in
            let saying = exchange.truth()
            guard var answer = saying.answer else { return saying }
            answer.body = change(answer.body)
            return .answer(answer)
        }
    }
}

extension Exchange {
    /// The member of the answer that holds its items.
    var list: String { request.operation?.list ?? "" }
}
