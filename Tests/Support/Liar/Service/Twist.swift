extension Population {
    /// Something of which the rest of the data gives no warning.
    package enum Twist: String, Sendable, CaseIterable {
        /// A kept record goes with a record that is to be deleted.
        case keptRecordRefers = "a kept record that goes with another"
        /// The same, two references away.
        case keptRecordRefersFarther = "a kept record that goes with what goes with another"
        /// The same in a zone.
        case keptRecordRefersInZone = "a kept record that goes with another of its zone"
        /// Another person's public record goes with one of the person's.
        case otherRefers = "another person's record that goes with one of this person's"
        /// A type in the default zone that is otherwise seen in custom zones alone.
        case typeOfZones = "a type that only custom zones tell of"
        /// A public type that only a public subscription tells of.
        case typeOfPublicSubscription = "a type that only a public subscription tells of"
        /// Files beside records, of both people.
        case files = "files beside records"

        func add(to population: Population) throws(LiarError) {
            let (container, person) = (Population.first, Population.person)
            let kept = Population.protectedType
            switch self {
            case .files: for file in File.all { try file.add(to: population) }
            case .keptRecordRefers:
                try population.put(
                    [Wish.record("receipt", kept, referringTo: "note-1")], .private,
                    of: container, by: person)
            case .keptRecordRefersFarther:
                try population.put(
                    [Wish.record("receipt", kept, referringTo: "tag")], .private,
                    of: container, by: person)
            case .keptRecordRefersInZone:
                try population.put(
                    [Wish.record("receipt", kept, referringTo: "Journal-0", in: "Journal")],
                    .private, of: container, by: person)
            case .otherRefers:
                try population.put(
                    [
                        Wish.record(
                            "\(Population.other)-note-0", "Note",
                            referringTo: "\(person)-note-1")
                    ], .public, of: container, by: Population.other)
            case .typeOfZones:
                try population.put(
                    [
                        Wish.record("sketch", "Sketch", in: "Album"),
                        Wish.record("sketch", "Sketch"),
                    ], .private, of: container, by: person)
            case .typeOfPublicSubscription:
                try population.put(
                    [Wish.record("\(person)-poster", "Poster")], .public, of: container,
                    by: person)
                try population.upstream.ask(
                    .modifySubscriptions, .public, of: container, by: person,
                    ["operations": [Wish.subscription("\(person)-posters", to: "Poster")]])
            }
        }
    }
}
