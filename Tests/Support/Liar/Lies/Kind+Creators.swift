/// What an operator's key is told of whose records are whose.
extension Kind {
    /// A query for one person's records that is answered with more than those.
    static let wrongCreators: [Kind] = [
        Kind("the creator not looked at") { $0.asking { $0.without(["filterBy"]) } },
        Kind("the creator not looked at, and not told") { exchange in
            exchange.creators(of: exchange.asking { $0.without(["filterBy"]) }) { _ in nil }
        },
        Kind("the creator not looked at, and told as nobody") { exchange in
            exchange.creators(of: exchange.asking { $0.without(["filterBy"]) }) { created in
                var created = created
                created["userRecordName"] = ""
                return created
            }
        },
        Kind("the creator not looked at, and told as whoever asks") { exchange in
            exchange.creators(of: exchange.asking { $0.without(["filterBy"]) }) { created in
                var created = created
                created["userRecordName"] = "_defaultOwner"
                return created
            }
        },
        Kind("the records of another person") { exchange in
            exchange.asking { body in
                body.changing("recordName") { _ in exchange.otherPerson }
            }
        },
        Kind("the records of another person, all told as the person's") { exchange in
            let saying = exchange.asking { body in
                body.changing("recordName") { _ in exchange.otherPerson }
            }
            return exchange.creators(of: saying) { created in
                var created = created
                created["userRecordName"] = .string(exchange.person)
                return created
            }
        },
        Kind("the records of another person, told as the person's first") { exchange in
            let saying = exchange.asking { body in
                body.changing("recordName") { _ in exchange.otherPerson }
            }
            guard var answer = saying.answer, var json = answer.json,
                var records = json["records"]?.elements, !records.isEmpty
            else { return saying }
            records[0]["created"]?["userRecordName"] = .string(exchange.person)
            json["records"] = .array(records)
            answer.body = json.bytes
            return .answer(answer)
        },
    ]

    /// A record that the person deletes and somebody else creates again, before the request is answered.
    static let handedOver = Kind("a record that is another person's by now") { exchange in
        exchange.handOver()
        return exchange.truth()
    }
}

extension Exchange {
    /// The name of the person whom the run is about.
    fileprivate var person: String {
        population.names[Population.person]?[request.container] ?? "_nobody"
    }

    /// The answer to another request in place of this one.
    fileprivate func asking(_ change: (Value) -> Value) -> Saying {
        guard let json = request.json else { return truth() }
        // The signature is over the body: whoever lies needs none.
        var other = request
        other.body = change(json).bytes
        other.target =
            request.target.prefix { $0 != "?" } + "?"
            + Upstream.query(population.upstream.tokens(of: Population.other))
        other.headers.removeAll { $0.name.hasPrefix("x-apple-cloudkit-request") }
        return population.upstream.answer(other).map(Saying.answer) ?? .close
    }

    /// An answer whose records tell other creators.
    fileprivate func creators(of saying: Saying, _ change: (Value) -> Value?) -> Saying {
        guard var answer = saying.answer, let json = answer.json else { return saying }
        answer.body = json.changing("created", change).bytes
        return .answer(answer)
    }

    fileprivate func handOver() {
        let name = "\(Population.person)-note-1"
        onAnotherDevice(
            .modifyRecords, .public,
            [
                "operations": [
                    ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
                ]
            ])
        onAnotherDevice(
            .modifyRecords, .public, ["operations": [Wish.record(name, "Note")]],
            by: Population.other)
    }
}
