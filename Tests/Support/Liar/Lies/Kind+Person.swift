extension Kind {
    /// Answers about who is signed in that are not true.
    static let wrongPerson: [Kind] = [
        .json("another person") { json, exchange in
            json["userRecordName"] = exchange.otherPerson
            json["users"] = [["userRecordName": exchange.otherPerson]]
        },
        .json("a person nobody knows") { json, _ in
            json["userRecordName"] = "_0123456789abcdef"
            json["users"] = [["userRecordName": "_0123456789abcdef"]]
        },
        .json("another person in the list only") { json, exchange in
            json["users"] = [["userRecordName": exchange.otherPerson]]
        },
        .json("a person's name twice") { json, exchange in
            json.append("userRecordName", exchange.otherPerson)
        },
        .json("two persons") { json, exchange in
            json["userRecordName"] = nil
            let users = json["users"]?.elements ?? []
            json["users"] = .array([["userRecordName": exchange.otherPerson]] + users)
        },
        .json("a person without a name") { json, _ in json = ["users": [[:]]] },
        .json("a person with an empty name") { json, _ in
            json["userRecordName"] = ""
            json["users"] = [["userRecordName": ""]]
        },
        .json("the default owner as the person") { json, _ in
            json["userRecordName"] = "_defaultOwner"
            json["users"] = [["userRecordName": "_defaultOwner"]]
        },
    ]

    /// Requests that are carried out for somebody else, or for nobody.
    static let wrongToken: [Kind] = [
        Kind("as another person") { exchange in
            exchange.asking(
                with: Upstream.query(exchange.population.upstream.tokens(of: Population.other)))
        },
        Kind("without a token") { exchange in
            let api = exchange.population.upstream.tokens(of: Population.other).api
            return exchange.asking(with: "ckAPIToken=\(api)")
        },
        Kind("restricted") { _ in
            .answer(Answer(403, ["serverErrorCode": "ACCESS_DENIED", "reason": "restricted"]))
        },
        Kind("signed out") { _ in
            .answer(
                Answer(421, ["serverErrorCode": "AUTHENTICATION_REQUIRED", "reason": "made up"]))
        },
        header("a new token each time") { exchange in
            [exchange.population.upstream.anotherToken(of: Population.person)]
        },
        header("two new tokens each time") { exchange in
            [
                exchange.population.upstream.anotherToken(of: Population.person),
                exchange.population.upstream.anotherToken(of: Population.person),
            ]
        },
        header("another person's token as the next") { exchange in
            [exchange.population.upstream.anotherToken(of: Population.other)]
        },
        header("a token that is none") { _ in ["not-a-token"] },
        header("an empty token") { _ in [""] },
        header("a token of 60,000 letters") { _ in [String(repeating: "t", count: 60_000)] },
    ]

    private static func header(
        _ name: String, _ values: @escaping @Sendable (Exchange) -> [String]
    ) -> Kind {
        Kind(name) { exchange in
            let saying = exchange.truth()
            guard var answer = saying.answer else { return saying }
            answer.headers += values(exchange).map {
                .init(name: "X-Apple-CloudKit-Web-Auth-Token", value: $0)
            }
            return .answer(answer)
        }
    }
}

extension Exchange {
    /// The same request under another credential.
    fileprivate func asking(with query: String) -> Saying {
        var other = request
        other.target = request.target.prefix { $0 != "?" } + "?" + query
        return population.upstream.answer(other).map(Saying.answer) ?? .close
    }
}
