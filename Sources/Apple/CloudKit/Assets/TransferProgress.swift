import AsyncOperations
import CloudWire

/// How much of the files of each item has passed.
final class TransferProgress: Sendable {
    private struct Count {
        var passed: Int64 = 0
        var total: Int64
    }
    private let counts = Locked<[Int: Count]>([:])
    private let tell: @Sendable (Int, Double) -> Void

    /// Words that may wait to be told: of more, the oldest are left out.
    private static let wordsMax = 64

    private init(_ tell: @escaping @Sendable (Int, Double) -> Void) { self.tell = tell }

    /// Says how many bytes an item has; a service's word is taken as far as an asset can go.
    func expect(_ bytes: Int64, for item: Int) {
        let bytes = min(max(bytes, 0), Int64(WireLimits.assetBytesMax))
        counts.withLock { $0[item, default: Count(total: 0)].total += bytes }
    }

    /// Some bytes of an item have passed.
    func note(_ bytes: Int, of item: Int) {
        counts.withLock { counts in
            guard var count = counts[item] else { return }
            count.passed += Int64(bytes)
            counts[item] = count
            // It is not there before all is well.
            tell(item, Double(count.passed) / (Double(max(count.total, count.passed)) + 1))
        }
    }

    /// Does work, and tells meanwhile how far each item is: ascending, always below 1, one word after the other,
    /// the last before this returns.
    ///
    /// - Parameter isWanted: Whether anybody listens.
    static func following<Value: Sendable>(
        _ isWanted: Bool, _ tell: @escaping @Sendable (Int, Double) -> Void,
        _ work: (TransferProgress?) async throws(CKError) -> Value
    ) async throws(CKError) -> Value {
        guard isWanted else { return try await work(nil) }
        let (words, say) = AsyncStream.makeStream(
            of: (item: Int, fraction: Double).self, bufferingPolicy: .bufferingNewest(wordsMax))
        async let told: Void = {
            for await word in words { tell(word.item, word.fraction) }
        }()
        let progress = TransferProgress { say.yield(($0, $1)) }
        let result: Result<Value, CKError>
        do throws(CKError) {
            result = .success(try await work(progress))
        } catch {
            result = .failure(error)
        }
        say.finish()
        await told
        return try result.get()
    }
}
