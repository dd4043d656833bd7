extension Row {
    /// The row with its excuse, if it has one.
    var excused: Row {
        var row = self
        row.excuse = reason
        return row
    }

    private var reason: Excuse? {
        for lie in lies {
            if lie.isLasting, lie.spot.isOnlySource, lie.kind.shortens {
                return .undetectable("the only source says so each time")
            }
            if lie.kind.actsForAnother, lie.moment == .during(.delete) {
                return .unpreventable("who holds another's token can do this without us")
            }
        }
        return nil
    }
}

extension Lie {
    /// Whether it is told in every look and every pass.
    var isLasting: Bool {
        switch moment {
        case .always, .from: true
        case .once, .during, .onceDuring, .fromDuring, .afterwards: false
        }
    }
}

extension Spot {
    /// Whether what is listed there can be seen nowhere else: the coverage map has no other source
    /// for records outside zones and for subscriptions.
    var isOnlySource: Bool {
        [.queryRecords, .listSubscriptions].contains(operation)
    }
}

extension Kind {
    /// Whether the answer is a well-formed one that merely holds less; what comes after its end is no
    /// part of it.
    var shortens: Bool {
        [
            "an empty list", "the first item missing", "the last item missing",
            "an answer of nothing before the real one",
        ].contains(name)
    }

    /// Whether what is asked is done in another person's name.
    var actsForAnother: Bool {
        name == "as another person" || name == "another person's token as the next"
    }
}
