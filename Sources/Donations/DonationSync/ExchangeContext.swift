import Donations

extension DeletionContext {
    /// Names of devices in one context that are read.
    static let devicesMax = 10_000

    /// The number up to which a device's deletions are included.
    package func number(of device: String) -> Int64 { self[device] ?? 0 }

    /// Whether everything in another context is included here.
    package func includes(_ other: DeletionContext) -> Bool {
        other.allSatisfy { $0.value <= number(of: $0.key) }
    }

    /// Both together.
    package func joined(with other: DeletionContext) -> DeletionContext {
        merging(other, uniquingKeysWith: Swift.max)
    }

    /// What is more here than in another context.
    package func beyond(_ other: DeletionContext) -> DeletionContext {
        filter { $0.value > other.number(of: $0.key) }
    }

    /// Counts deletions that follow on what is included, as far as there is no gap.
    mutating func close(with deletions: some Sequence<SyncDeletion>) {
        for deletion in deletions.sorted(by: { $0.sequence < $1.sequence })
        where deletion.sequence == number(of: deletion.device) + 1 {
            self[deletion.device] = deletion.sequence
        }
    }

    /// The canonical bytes.
    package var encoded: [UInt8] { payload.encoded }

    var payload: PayloadValue { .dictionary(mapValues { PayloadValue.integer($0) }) }

    /// Reads canonical bytes; nil for anything else.
    package init?(decoding bytes: [UInt8]) {
        guard let value = try? PayloadValue(decoding: bytes) else { return nil }
        self.init(value)
    }

    init?(_ value: PayloadValue?) {
        guard case .dictionary(let pairs)? = value, pairs.count <= Self.devicesMax else {
            return nil
        }
        self.init()
        for pair in pairs {
            guard let device = pair.key.text, let number = pair.value.number,
                ExchangeNames.isDevice(device), (0...ExchangeNames.sequenceMax).contains(number)
            else { return nil }
            self[device] = number
        }
    }
}
