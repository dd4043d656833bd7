import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// Errors by Apple's names and numbers.
struct ErrorTests {
    @Test func `the codes have Apple's numbers`() {
        #expect(INIntentErrorDomain == "IntentsErrorDomain")
        let numbers = INIntentError.Code.allCases.map(\.rawValue)
        let expected =
            Array(1900...1904) + Array(2001...2005) + [3001, 3002, 4000, 5000, 5001]
            + Array(6000...6010) + Array(7000...7002) + [8000, 8001, 9000, 10000, 10001]
        #expect(numbers == expected)
        #expect(INIntentError.requestTimedOut.rawValue == 3001)
        #expect(INIntentError.noHandlerProvidedForIntent.rawValue == 2003)
    }

    @Test func `an error is an NSError of the domain with its cause`() {
        let error = INIntentError(
            .donatingInteraction,
            userInfo: [NSUnderlyingErrorKey: DonationError(.diskFull, "full")])
        #expect((error as NSError).domain == "IntentsErrorDomain")
        #expect((error as NSError).code == 1901)
        #expect(error.code == .donatingInteraction)
        let cause = error.userInfo[NSUnderlyingErrorKey] as? DonationError
        #expect(cause?.code == .diskFull)
    }

    /// Each call, and the code it fails with.
    static let calls: [(code: INIntentError.Code, call: @Sendable () async throws -> Void)] = [
        (.donatingInteraction, { try await message("a").donate() }),
        (.deletingAllInteractions, { try await INInteraction.deleteAll() }),
        (.deletingInteractionWithIdentifiers, { try await INInteraction.delete(with: ["a"]) }),
        (.deletingInteractionWithGroupIdentifier, { try await INInteraction.delete(with: "a") }),
    ]

    @Test(arguments: 0..<4) func `a closed store fails each call with its code`(
        index: Int
    ) async throws {
        let app = try ShopApp()
        await app.store.flushAndClose()
        let (code, call) = Self.calls[index]
        try await app.run {
            do {
                try await call()
                Issue.record("it did not fail")
            } catch let error as INIntentError {
                #expect(error.code == code)
                let cause = error.userInfo[NSUnderlyingErrorKey] as? DonationError
                #expect(cause?.code == .closed)
            }
        }
    }

    @Test func `errors are caught by name`() async throws {
        let app = try ShopApp()
        await app.store.flushAndClose()
        try await app.run {
            do {
                try await INInteraction.deleteAll()
                Issue.record("it did not fail")
            } catch INIntentError.deletingAllInteractions {
            }
        }
    }

    @Test func `without a store nothing can be donated or deleted`() async throws {
        // No test of this process names a store for all of it.
        try #require(DonationStore.current == nil)
        for (_, call) in Self.calls {
            do {
                try await call()
                Issue.record("it did not fail")
            } catch INIntentError.interactionOperationNotSupported {
            }
        }
    }

    @Test func `a strict store says when identifiers match nothing`() async throws {
        let app = try ShopApp { $0.isStrict = true }
        try await app.run {
            do {
                try await INInteraction.delete(with: ["nobody"])
                Issue.record("it did not fail")
            } catch INIntentError.deletingInteractionWithIdentifiers {
            }
        }
    }

    @Test func `a value that cannot be stored fails the donation whole`() async throws {
        let app = try ShopApp()
        try await app.run {
            let intent = CustomIntent(
                className: "OddIntent", parameters: ["fine": "text", "odd": NSObject()])
            do {
                try await INInteraction(intent: intent, response: nil).donate()
                Issue.record("it did not fail")
            } catch INIntentError.donatingInteraction {
            }
        }
        #expect(try await app.identifiers() == [])
    }
}
