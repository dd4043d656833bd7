import CloudModel
import CloudWire

/// Which web token: one that the server made, by its number, or one of somebody's choice.
package enum WebTokenID: Sendable, Hashable {
    case made(Int64)
    case chosen(String)
}

/// The web tokens that were used, where each is good for one request only. A token is used with the turn
/// that carries out its request, and stays so when the store is opened again.
///
/// Numbers of tokens grow, so what was used is a few runs of numbers, between which are the tokens that wait
/// to be used. Where there are ``WireLimits/spentRunsMax`` runs, those that have waited longest count as used.
final class SpentTokens: StorePart {
    private let context: StoreContext
    /// In order; between two is at least one number.
    private var runs: [ClosedRange<Int64>] = []
    private var chosen: Set<String> = []
    private var table: SpentTokenTable { context.tables.spentTokens }

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) {
        runs = try table.runs()
        chosen = try table.chosen()
    }

    func contains(_ token: WebTokenID) -> Bool {
        switch token {
        case .made(let number):
            let place = place(of: number)
            return place < runs.count && runs[place].contains(number)
        case .chosen(let text): return chosen.contains(text)
        }
    }

    /// Uses a token.
    func insert(_ token: WebTokenID) throws(CloudError) {
        try context.tables.beginIfNeeded()
        switch token {
        case .made(let number): try insert(number)
        case .chosen(let text):
            try table.put(text)
            chosen.insert(text)
        }
    }

    /// Makes tokens of somebody's choice good again.
    func remove(_ isOver: (String) -> Bool) throws(CloudError) {
        for text in chosen.filter(isOver).sorted() {
            try context.tables.beginIfNeeded()
            try table.delete(text)
            chosen.remove(text)
        }
    }

    private func insert(_ number: Int64) throws(CloudError) {
        let place = place(of: number)
        guard place == runs.count || !runs[place].contains(number) else { return }
        runs.insert(number...number, at: place)
        try table.put(runs[place])
        if place + 1 < runs.count, runs[place + 1].lowerBound == number + 1 { try join(place) }
        if place > 0, runs[place - 1].upperBound == number - 1 { try join(place - 1) }
        guard runs.count > WireLimits.spentRunsMax else { return }
        try join(0)
        guard runs[0].lowerBound > 0 else { return }
        // Those before the first run have waited longer than those behind it.
        try table.delete(runs[0])
        runs[0] = 0...runs[0].upperBound
        try table.put(runs[0])
    }

    /// Makes one run of two, and of what is between them.
    private func join(_ place: Int) throws(CloudError) {
        let next = runs.remove(at: place + 1)
        try table.delete(next)
        runs[place] = runs[place].lowerBound...next.upperBound
        try table.put(runs[place])
    }

    /// The first run that does not end before a number.
    private func place(of number: Int64) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
