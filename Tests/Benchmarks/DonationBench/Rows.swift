import Basics
import Donations
import Foundation

/// Rows that a messenger, a notes app and a shop would store.
struct Rows {
    private var random: SeededGenerator
    private let vocabulary: [String]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var letters = SeededGenerator(seed: seed &+ 1)
        vocabulary = (0..<20_000).map { _ in
            let syllables = [
                "ba", "co", "di", "fu", "ge", "ha", "ki", "lo", "mu", "ne", "pi", "ro",
            ]
            return (0..<Int.random(in: 2...4, using: &letters)).map { _ in
                syllables[Int.random(in: 0..<syllables.count, using: &letters)]
            }.joined()
        }
    }

    /// A word; the first of the vocabulary are the most frequent (Zipf).
    mutating func word() -> String {
        let share = random.unit()
        let rank = Int(exp2(share * log2(Double(vocabulary.count))))
        return vocabulary[min(rank, vocabulary.count) - 1]
    }

    /// A moment of the last year, in waking hours.
    private mutating func moment() -> Timestamp {
        let day = Int64.random(in: 1...365, using: &random)
        let hour = Int64.random(in: 7...22, using: &random)
        let rest = Int64.random(in: 0..<3_600_000, using: &random)
        let midnight = Bench.now.milliseconds / 86_400_000 * 86_400_000
        return Timestamp(milliseconds: midnight - day * 86_400_000 + hour * 3_600_000 + rest)
    }

    /// A message to one of 300 people; both the person and person and text make a shortcut.
    mutating func message(_ number: Int) -> Donation {
        let person = "person-\(Int.random(in: 0..<300, using: &random))"
        var row = Donation(
            .interaction, identifier: "message-\(number)", type: "INSendMessageIntent",
            at: moment())
        row.group = person
        row.title = "Message to \(person)"
        row.mentions = [person]
        let parameters: [String: PayloadValue] = [
            "content": .string(word() + " " + word()), "recipients": .array([.string(person)]),
        ]
        row.predictionKey = Donation.predictionKey(
            parameters: parameters, combinations: [["recipients"], ["recipients", "content"]])
        row.payload = PayloadValue.dictionary(parameters).encoded
        return row
    }

    /// A view of one of 500 notes.
    mutating func view() -> Donation {
        let note = "note-\(Int.random(in: 0..<500, using: &random))"
        var row = Donation(.activity, type: "com.example.notes.view", at: moment())
        row.persistentIdentifier = note
        row.eligibility = [.search, .prediction]
        let info = PayloadValue.dictionary(["note": .string(note)])
        row.title = note
        row.predictionKey = info.equalityKey(requiredKeys: nil)
        row.payload = PayloadValue.dictionary(["userInfo": info]).encoded
        return row
    }

    /// An item with seven words.
    mutating func item(_ number: Int, domain: String? = nil) -> Donation {
        var row = Donation(
            .searchableItem, identifier: "item-\(number)", type: "public.item", at: Bench.now)
        row.domain = domain ?? "account-\(number % 10).box-\(number % 100)"
        row.title = (0..<4).map { _ in word() }.joined(separator: " ")
        row.keywords = (0..<3).map { _ in word() }
        return row
    }

    /// What somebody types: one to three words, the last one often not to its end.
    mutating func query() -> String {
        var words = (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }
        if Bool.random(using: &random), let last = words.popLast() {
            words.append(String(last.prefix(Int.random(in: 3...6, using: &random))))
        }
        return words.joined(separator: " ")
    }
}
