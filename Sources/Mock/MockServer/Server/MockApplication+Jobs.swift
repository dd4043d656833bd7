package import HTTPServer

/// How work that takes more than a turn goes on from turn to turn.
extension MockApplication {
    func begin(
        _ job: any StoreJob, _ answer: @escaping () -> HTTPResponse,
        _ exchange: ExchangeID, _ loop: HTTPLoop
    ) {
        guard job.isReadOnly else { return runSlices(of: job, answer, exchange, loop) }
        if readings.isEmpty { loop.schedule(after: .zero) { [self] in readOn($0) } }
        readings.add(ReadQueue.Reading(exchange, job, answer))
    }

    // MARK: - Jobs that change something

    private func runSlices(
        of job: any StoreJob, _ answer: @escaping () -> HTTPResponse,
        _ exchange: ExchangeID, _ loop: HTTPLoop
    ) {
        loop.schedule(after: .zero) { [self, batch] loop in
            if let response = step(job, answer, after: batch) {
                loop.respond(to: exchange, response)
            } else {
                loop.commitTurn()
                runSlices(of: job, answer, exchange, loop)
            }
        }
    }

    /// Runs one slice of a job in the open batch.
    ///
    /// - Parameter batch: The batch of the slice before.
    /// - Returns: The response, after the last slice.
    private func step(
        _ job: any StoreJob, _ answer: () -> HTTPResponse, after batch: CommitBatch
    ) -> HTTPResponse? {
        do throws(MockStoreError) {
            guard batch.outcome == .committed else {
                try job.abandon(store)
                throw commitFailures.latest
                    ?? MockStoreError(.failed, "a part of it could not be stored: try again")
            }
            return try job.runSlice(store) ? nil : answer()
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
                loop.respond(to: reading.exchange, reading.answer())
            }
        } catch {
            loop.respond(to: reading.exchange, refusal(error))
        }
        if !readings.isEmpty { loop.schedule(after: .zero) { [self] in readOn($0) } }
    }
}
