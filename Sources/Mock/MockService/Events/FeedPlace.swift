/// A place in a feed, as its events name theirs: `1768465800000-17`, the moment in milliseconds at which the
/// server began to keep the feed, and the number of an event. Without the moment, of this feed.
package struct FeedPlace: Hashable, CustomStringConvertible {
    /// nil: of whichever feed is asked.
    let epoch: Int64?
    /// 0: before the first event.
    package let number: Int

    init(epoch: Int64?, number: Int) {
        self.epoch = epoch
        self.number = number
    }

    /// nil: the text is malformed.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let last = parts.last, let number = Int(last), number >= 0, last.utf8.count <= 18,
            last.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        switch parts.count {
        case 1: self.init(epoch: nil, number: number)
        case 2:
            guard let epoch = Int64(parts[0]), epoch >= 0 else { return nil }
            self.init(epoch: epoch, number: number)
        default: return nil
        }
    }

    package var description: String { (epoch.map { "\($0)-" } ?? "") + "\(number)" }

    /// Whether it can be of this event stream, and not of another server or of this one before it was restarted.
    package func isOf(_ epoch: Int64, newest: Int) -> Bool {
        (self.epoch ?? epoch) == epoch && number <= newest
    }
}
