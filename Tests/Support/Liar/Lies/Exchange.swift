import AsyncOperations

/// One request that is to be lied to, and what a lie may need for it.
struct Exchange: Sendable {
    let request: Request
    let spot: Spot
    let population: Population
    /// What this lie has kept in mind, by names of its own.
    let memory: Locked<[String: Value]>
    /// Whether something was done to the data besides what was asked.
    let meddling: Locked<Bool>
    /// The honest answer, or another lie's. To be asked once at most; each time it is carried out.
    let truth: @Sendable () -> Saying

    /// The honest answer with its JSON changed; anything else as it is.
    func changing(_ change: (inout Value) -> Void) -> Saying {
        let saying = truth()
        guard var answer = saying.answer, (200..<300).contains(answer.status),
            var json = answer.json
        else { return saying }
        change(&json)
        answer.body = json.bytes
        return .answer(answer)
    }

    /// The same for the list of items, where there is one.
    func changingItems(_ change: (inout [Value]) -> Void) -> Saying {
        changing { json in
            let list = request.operation?.list ?? ""
            guard var items = json[list]?.elements else { return }
            if spot.isInner {
                for index in items.indices {
                    guard var records = items[index]["records"]?.elements else { continue }
                    change(&records)
                    items[index]["records"] = .array(records)
                }
            } else {
                change(&items)
            }
            json[list] = .array(items)
        }
    }

    /// Where paging stands: the whole answer, or for a feed of a zone the zone's part.
    func changingPages(_ change: (inout Value) -> Void) -> Saying {
        changing { json in
            guard request.operation == .zoneChanges, var zones = json["zones"]?.elements else {
                return change(&json)
            }
            for index in zones.indices { change(&zones[index]) }
            json["zones"] = .array(zones)
        }
    }

    /// Carries out what the person's other device does; where that is refused, nothing happened.
    func onAnotherDevice(
        _ operation: Operation, _ scope: Scope, _ body: Value, by user: String = Population.person
    ) {
        do throws(LiarError) {
            try population.upstream.ask(
                operation, scope, of: request.container, by: user, body)
            meddling.withLock { $0 = true }
        } catch {
            return
        }
    }
}
