package import HTTPServer

/// How work that takes more than a turn goes on from turn to turn.
extension MockApplication {
    func begin(
        _ job: any StoreJob, _ answer: @escaping (MockApplication) -> HTTPResponse,
        _ exchange: ExchangeID, _ loop: HTTPLoop
    ) {
        guard job.isReadOnly else { return runSlices(of: job, answer, exchange, loop) }
        if readings.isEmpty { loop.schedule(after: .zero) { [self] in readOn($0) } }
        readings.add(ReadQueue.Reading(exchange, job, answer))
    }

    // MARK: - Jobs that change something

    private func runSlices(
        of job: any StoreJob, _ answer: @escaping (MockApplication) -> HTTPResponse,
        _ exchange: ExchangeID, _ loop: HTTPLoop
    ) {
        loop.schedule(after: .zero) { [self, turn] loop in
            if let response = step(job, answer, after: turn) {
                loop.respond(to: exchange, response)
            } else {
                loop.commitTurn()
                runSlices(of: job, answer, exchange, loop)
            }
        }
    }

    /// Does some of a job, to be committed with the turn; the answer once it is done.
    ///
    /// - Parameter turn: What was done of it before was to be stored with this one.
    private func step(
        _ job: any StoreJob, _ answer: (MockApplication) -> HTTPResponse, after turn: Turn
    ) -> HTTPResponse? {
        do throws(MockStoreError) {
            guard turn.fate == .stored else {
                try job.abandon(store)
                throw commitFailures.latest
                    ?? MockStoreError(.failed, "a part of it could not be stored: try again")
            }
            return try job.runSlice(store) ? nil : answer(self)
        } catch {
            return refusal(error)
        }
    }

    /// What a job that failed is answered with.
    package func refusal(_ error: MockStoreError) -> HTTPResponse {
        adminResponse(AdminError(error))
    }

    // MARK: - Jobs that read

    private func readOn(_ loop: HTTPLoop) {
        guard let reading = readings.next(where: loop.isListening) else { return }
        do throws(MockStoreError) {
            if try reading.job.runSlice(store) {
                readings.add(reading)
            } else {
                loop.respond(to: reading.exchange, reading.answer(self))
            }
        } catch {
            loop.respond(to: reading.exchange, refusal(error))
        }
        if !readings.isEmpty { loop.schedule(after: .zero) { [self] in readOn($0) } }
    }
}
