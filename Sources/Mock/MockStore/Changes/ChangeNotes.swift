/// What has changed since somebody asked last, in the order in which it did.
///
/// It knows nothing of turns: who takes the notes is who knows whether they are stored.
final class ChangeNotes {
    /// Changes that wait to be taken; of more only the number is kept.
    private static let countMax = 10_000

    private var waiting: [StoreChange] = []
    private var lost = 0

    func note(_ change: StoreChange) {
        guard waiting.count < Self.countMax else {
            lost += 1
            return
        }
        waiting.append(change)
    }

    /// Hands out the notes, and how many were too many to be kept.
    func take() -> (changes: [StoreChange], lost: Int) {
        guard !waiting.isEmpty else { return ([], 0) }
        defer {
            waiting.removeAll(keepingCapacity: waiting.count <= 1000)
            lost = 0
        }
        return (waiting, lost)
    }
}
