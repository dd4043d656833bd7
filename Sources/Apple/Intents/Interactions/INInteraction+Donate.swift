internal import DonationStore
internal import Foundation

extension INInteraction {
    /// Tells the system that the person did this, once for each time it was done.
    ///
    /// What is stored is the interaction as it is at this call. A refusal, such as that of an
    /// action which Siri itself had asked for, is no error: it is kept in the store's outcomes.
    ///
    /// - Parameter completion: Runs on the store's thread when the donation is on disk, with an
    ///   ``INIntentError`` when it failed. It must not wait.
    public func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        StoreCall.run(.donatingInteraction, completion: completion) { store, answer in
            if SiriRequest.isBeingHandled(ownIntent) {
                store.note(
                    .refusedFromSiri, kind: .interaction, type: ownIntent.intentClassName)
                return store.donate([], completion: answer)
            }
            do {
                store.donate([try InteractionRow.donation(of: self, in: store)], completion: answer)
            } catch {
                store.note(.refusedValue, kind: .interaction, type: ownIntent.intentClassName)
                throw error
            }
        }
    }

    /// Tells the system that the person did this, and waits until it is on disk.
    ///
    /// - Throws: ``INIntentError``.
    public func donate() async throws {
        try await StoreCall.wait { donate(completion: $0) }
    }
}
