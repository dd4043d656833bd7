extension Kind {
    /// Data that is written by another device while the run looks elsewhere: the answer itself is
    /// honest.
    static let comebacks: [Kind] = [
        comeback("a deleted zone is there again") { exchange in
            exchange.onAnotherDevice(
                .modifyZones, .private, ["operations": [Wish.zone("Album", "create")]])
        },
        comeback("a deleted zone is there again, with a record") { exchange in
            exchange.onAnotherDevice(
                .modifyZones, .private, ["operations": [Wish.zone("Album", "create")]])
            exchange.write(Wish.record("late", "Note", in: "Album"))
        },
        comeback("a zone of another person is shared again") { exchange in
            do throws(LiarError) {
                try exchange.population.lendAgain(exchange.request.container)
                exchange.meddling.withLock { $0 = true }
            } catch {
                // It is shared still.
            }
        },
        comeback("a new zone") { exchange in
            exchange.onAnotherDevice(
                .modifyZones, .private, ["operations": [Wish.zone("Late", "create")]])
        },
        comeback("a deleted record of the default zone is there again") { exchange in
            exchange.write(Wish.record("note-1", "Note"))
        },
        comeback("a new record in the default zone") { exchange in
            exchange.write(Wish.record("late", "Tag"))
        },
        comeback("a record of a type that only a deleted subscription told of") { exchange in
            exchange.write(Wish.record("draft", Population.watchedType))
        },
        comeback("a record of a new type, and a subscription to it") { exchange in
            exchange.write(Wish.record("late", "Novelty"))
            exchange.onAnotherDevice(
                .modifySubscriptions, .private,
                ["operations": [Wish.subscription("late", to: "Novelty")]])
        },
        comeback("a new record beside a kept one in its zone") { exchange in
            exchange.write(Wish.record("late", "Note", in: "Journal"))
        },
        comeback("a deleted public record is there again") { exchange in
            exchange.write(Wish.record("\(Population.person)-note-1", "Note"), .public)
        },
        comeback("a new public record") { exchange in
            exchange.write(Wish.record("\(Population.person)-late", "Tag"), .public)
        },
        comeback("a deleted subscription is there again") { exchange in
            exchange.onAnotherDevice(
                .modifySubscriptions, .private,
                [
                    "operations": [
                        Wish.subscription("\(Population.person)-private-Note", to: "Note")
                    ]
                ])
        },
        comeback("a new public subscription") { exchange in
            exchange.onAnotherDevice(
                .modifySubscriptions, .public,
                ["operations": [Wish.subscription("\(Population.person)-late", to: "Draft")]])
        },
    ]

    /// Zones that the person's other device deletes while the run looks at them.
    static let goings: [Kind] = [
        comeback("a zone goes meanwhile") { exchange in
            exchange.onAnotherDevice(
                .modifyZones, .private, ["operations": [Wish.zone("Photos", "delete")]])
        },
        comeback("the first zone goes meanwhile") { exchange in
            exchange.onAnotherDevice(
                .modifyZones, .private, ["operations": [Wish.zone("Album", "delete")]])
        },
    ]

    private static func comeback(
        _ name: String, _ write: @escaping @Sendable (Exchange) -> Void
    ) -> Kind {
        Kind(name) { exchange in
            write(exchange)
            return exchange.truth()
        }
    }
}

extension Exchange {
    /// Writes a record from the person's other device.
    fileprivate func write(_ wish: Value, _ scope: Scope = .private) {
        onAnotherDevice(.modifyRecords, scope, ["operations": [wish]])
    }
}
