import AsyncOperations
import CloudCourier
import CloudModel
import CommandLine

/// Has the person sign in again while a run waits, at the terminal, one container at a time.
struct SignInAgain: Sendable {
    private let console: Console
    private let display: ProgressDisplay
    private let stop: StopSignal
    /// Questions wait for each other.
    private let turns: AsyncOperationQueue<Int>
    /// Whether somebody was asked in vain; nobody is asked twice then.
    private let isDeclined = Locked(false)

    /// nil where there is no terminal to ask at.
    init?(_ console: Console, _ display: ProgressDisplay, _ stop: StopSignal) {
        let terminal = console.environment.terminal
        guard terminal.inputIsTerminal, terminal.errorsIsTerminal else { return nil }
        self.console = console
        self.display = display
        self.stop = stop
        turns = AsyncOperationQueue(
            limits: QueueLimits(total: 1, perKey: 1), clock: console.environment.clock)
    }

    /// Asks for a sign-in.
    ///
    /// - Parameter person: Whom the run is about in that container; nil: that is not known yet.
    /// - Returns: The new token; nil: nobody signed in.
    /// - Throws: `cancelled`, and the run is asked to stop, when somebody else signed in.
    func ask(_ signIn: SignIn, for person: String?) async throws(CloudError) -> String? {
        do {
            return try await turns.run(key: 0) {
                try await self.askInTurn(signIn, for: person)
            }
        } catch let error as CloudError {
            throw error
        } catch {
            throw CloudError(.cancelled, reason: "cancelled before it was sent")
        }
    }

    private func askInTurn(
        _ signIn: SignIn, for person: String?
    ) async throws(CloudError) -> String? {
        guard !isDeclined.withLock({ $0 }), stop.reason == nil else { return nil }
        let answer = await display.paused {
            await stop.unlessAsked { await signIn.again() }
        }
        console.environment.input.showTyping()
        guard let answer else {
            isDeclined.withLock { $0 = true }
            return nil
        }
        guard person == nil || person == answer.user.userRecordName else {
            stop.request(.otherPerson)
            throw CloudError(.cancelled, reason: "another user has signed in")
        }
        return answer.token
    }
}
