import Donations

/// Numbers of deletions, as bits: a run makes at most 64.
typealias ErasureSet = UInt64

/// The whole truth of a run: every donation ever made and every deletion ever made, with what
/// their makers had seen. Kept by the simulator from what it does and what goes over the wire;
/// nothing of it comes from the decisions of the code under test.
struct Truth {
    /// A donation that was made.
    struct Made {
        let row: Donation
        let device: Int
        /// Whose it is; nil: made where nobody took part, and so of whoever does first.
        let user: String?
        /// The step, for traces.
        let step: Int
        /// The nonce of the donation zone its maker knew; nil: none yet.
        let nonce: String?
        /// The step at which its record first came to the donation zone; nil: never.
        var stored: Int?
        /// The donations that it took the place of on its maker's device, and those that they did.
        var replaced: Set<Int> = []
        /// Deletions that mean it and that its maker had not seen: where one of them is known,
        /// it must not be.
        var covering: ErasureSet = 0
        /// The same, and those that its maker had seen only beyond a gap, or that may mean it
        /// through a related item: where one of them is known, it need not be.
        var perhaps: ErasureSet = 0
        /// Whether something happened that may rightly have lost it, such as a roll-back.
        var isUnsure = false
        /// The latest moment at which it may still be seen; nil: no end.
        var expiration: Int64? { row.expiration?.milliseconds }
    }

    /// A deletion that was made, to act on all devices.
    struct Erasure {
        let selector: DonationSelector
        let device: Int
        let at: Int64
        let step: Int
        /// The nonce of the donation zone its maker knew; nil: none yet.
        let nonce: String?
        /// The nonces of the zones its record came to.
        var reached: Set<String> = []
        /// The same, with zones whose service forgot it again.
        var everReached: Set<String> = []
    }

    /// What a device was told of deletions.
    struct Knowledge {
        /// Own ones, and those whose records were delivered.
        var told: ErasureSet = 0
        /// Those it knows to be collected.
        var collected: ErasureSet = 0
        /// Own ones that were not pushed when it was rolled back are not its own any more.
        var seen: ErasureSet { told | collected }
    }

    static let erasuresMax = 64

    private(set) var made: [Made] = []
    private(set) var erasures: [Erasure] = []
    var knowledge: [Knowledge]
    /// The deletion that a record stands for: device name, number.
    private(set) var numbered: [String: [Int64: Int]] = [:]
    /// Deletions whose maker made others, pushed before: not yet numbered ones have no gap.
    private var indexByMoment: [Int64: Int] = [:]
    /// Deletions that came to the zone under a second name: their maker came back from a backup
    /// in which they were unsent, and cannot know that they are not (R9). To all others they are
    /// new ones.
    private var sentAgain: ErasureSet = 0

    init(devices: Int) { knowledge = Array(repeating: Knowledge(), count: devices) }

    // MARK: What devices do

    /// The tag that the next donation is to carry in its title.
    var nextTag: String { "#\(made.count)" }

    static func tag(of row: Donation) -> Int? {
        guard let title = row.title, title.hasPrefix("#") else { return nil }
        return Int(title.dropFirst())
    }

    mutating func donate(
        _ row: Donation, by device: Int, of user: String?, nonce: String?, step: Int,
        over rows: [SimRow]
    ) {
        var new = Made(row: row, device: device, user: user, step: step, nonce: nonce)
        let things = Set(SimThing.all(of: row, made.count))
        for old in rows where made.indices.contains(old.tag) {
            let same = SimThing.all(of: made[old.tag].row, old.tag).filter {
                $0.kind == old.kind && things.contains($0)
            }
            if !same.isEmpty { new.replaced.formUnion(made[old.tag].replaced.union([old.tag])) }
        }
        let seen = knowledge[device].seen
        let gapless = gapless(device)
        for (index, erasure) in erasures.enumerated() {
            let bit: ErasureSet = 1 << ErasureSet(index)
            switch PlainModel.match(erasure.selector, row) {
            case .no: continue
            case .perhaps: if gapless & ~sentAgain & bit == 0 { new.perhaps |= bit }
            case .yes:
                if seen & bit == 0 { new.covering |= bit }
                if gapless & ~sentAgain & bit == 0 { new.perhaps |= bit }
            }
        }
        made.append(new)
    }

    /// - Returns: Whether there was room for it.
    var hasRoomForErasure: Bool { erasures.count < Self.erasuresMax }

    mutating func erase(
        _ selector: DonationSelector, by device: Int, nonce: String?, at moment: Int64, step: Int
    ) {
        precondition(hasRoomForErasure, "too many deletions in one run")
        precondition(indexByMoment[moment] == nil, "two deletions at one moment")
        let bit: ErasureSet = 1 << ErasureSet(erasures.count)
        indexByMoment[moment] = erasures.count
        erasures.append(
            Erasure(selector: selector, device: device, at: moment, step: step, nonce: nonce))
        knowledge[device].told |= bit
        for index in made.indices {
            switch PlainModel.match(selector, made[index].row) {
            case .no: continue
            case .perhaps: made[index].perhaps |= bit
            case .yes:
                made[index].covering |= bit
                made[index].perhaps |= bit
            }
        }
    }

    /// What a device knows without a gap in anybody's numbers.
    private func gapless(_ device: Int) -> ErasureSet {
        let seen = knowledge[device].seen
        var result = seen
        for numbers in numbered.values {
            var isWhole = true
            for number in numbers.keys.sorted() {
                guard let index = numbers[number] else { continue }
                let bit: ErasureSet = 1 << ErasureSet(index)
                if seen & bit == 0 { isWhole = false }
                if !isWhole { result &= ~bit }
            }
        }
        return result
    }

    mutating func doubt(_ isDoubtful: (Made) -> Bool) {
        for index in made.indices where !made[index].isUnsure && isDoubtful(made[index]) {
            made[index].isUnsure = true
        }
    }

    /// Whether a deletion of this moment was made for the first user's devices.
    func isErasure(at moment: Int64) -> Bool { indexByMoment[moment] != nil }

    // MARK: What goes over the wire

    /// The record of a donation was stored in the zone.
    mutating func stored(_ tag: Int, step: Int) {
        made[tag].stored = made[tag].stored ?? step
    }

    /// A deletion record was stored in the zone; with the zone's nonce, when it was made for it:
    /// nobody can tell what a deletion of another zone means.
    mutating func stored(
        _ name: RecordName, at moment: Int64, nonce: String?
    ) {
        guard let index = indexByMoment[moment] else { return }
        if let nonce {
            erasures[index].reached.insert(nonce)
            erasures[index].everReached.insert(nonce)
        }
        numbered[name.device, default: [:]][name.number] = index
        if numbered.contains(where: { $0.key != name.device && $0.value.values.contains(index) }) {
            takeAgain(index)
        }
    }

    private mutating func takeAgain(_ index: Int) {
        let bit: ErasureSet = 1 << ErasureSet(index)
        sentAgain |= bit
        for made in made.indices
        where PlainModel.match(erasures[index].selector, self.made[made].row) != .no {
            self.made[made].perhaps |= bit
        }
    }

    /// A deletion record was delivered to a device that takes part in a zone, and what came of it
    /// is stored there.
    mutating func delivered(_ name: RecordName, to device: Int, nonce: String?) {
        guard let index = numbered[name.device]?[name.number], let nonce,
            erasures[index].everReached.contains(nonce)
        else { return }
        knowledge[device].told |= 1 << ErasureSet(index)
    }

    /// The deletions up to these numbers.
    func erasures(upTo base: [String: Int64]) -> ErasureSet {
        var set: ErasureSet = 0
        for (name, last) in base {
            for (number, index) in numbered[name] ?? [:] where number <= last {
                set |= 1 << ErasureSet(index)
            }
        }
        return set
    }

    /// Deletions whose records came to the zone of this nonce.
    func reached(_ nonce: String?) -> ErasureSet {
        guard let nonce else { return 0 }
        var result: ErasureSet = 0
        for (index, erasure) in erasures.enumerated() where erasure.reached.contains(nonce) {
            result |= 1 << ErasureSet(index)
        }
        return result
    }

    /// The service went back to a time when only what `copy` says had come to it.
    mutating func forgetReached(but copy: Truth) {
        for index in erasures.indices {
            erasures[index].reached =
                index < copy.erasures.count ? copy.erasures[index].reached : []
        }
    }

    /// The first of some deletions, in words.
    func describe(_ erasures: ErasureSet) -> String {
        guard erasures != 0 else { return "none" }
        let index = erasures.trailingZeroBitCount
        let erasure = self.erasures[index]
        return "deletion \(index) of device \(erasure.device): \(erasure.selector)"
    }
}

/// The name of a deletion's record: `x-<device>-<number>`.
struct RecordName {
    let device: String
    let number: Int64

    init?(_ text: String) {
        guard text.hasPrefix("x-"), let dash = text.lastIndex(of: "-"),
            let number = Int64(text[text.index(after: dash)...]), dash > text.startIndex
        else { return nil }
        let start = text.index(text.startIndex, offsetBy: 2)
        guard start < dash else { return nil }
        device = String(text[start..<dash])
        self.number = number
    }
}
