import HTTPServer
import MockStore

/// How jobs, work that takes more than one turn of the loop, continue from turn to turn.
extension ResponseScheduler {
    func begin(
        _ job: any StoreJob, _ response: @escaping () -> HTTPResponse, _ exchange: ExchangeID,
        _ loop: HTTPLoop
    ) {
        guard job.isReadOnly else { return runSlices(of: job, response, exchange, loop) }
        if readings.isEmpty { loop.schedule(after: .zero) { [self] in readOn($0) } }
        readings.add(ReadQueue.Reading(exchange, job, response))
    }

    // MARK: - Jobs that change something

    private func runSlices(
        of job: any StoreJob, _ response: @escaping () -> HTTPResponse, _ exchange: ExchangeID,
        _ loop: HTTPLoop
    ) {
        let batch = batches.batch
        loop.schedule(after: .zero) { [self] loop in
            if let response = runSlice(of: job, response, after: batch) {
                loop.respond(to: exchange, response)
            } else {
                loop.commitTurn()
                runSlices(of: job, response, exchange, loop)
            }
        }
    }

    /// Runs one slice of a job in the open batch.
    ///
    /// - Parameter batch: The batch of the slice before.
    /// - Returns: The response, after the last slice.
    private func runSlice(
        of job: any StoreJob, _ response: () -> HTTPResponse, after batch: CommitBatch
    ) -> HTTPResponse? {
        do throws(MockStoreError) {
            guard batch.outcome == .committed else {
                throw batches.failure
                    ?? MockStoreError(.failed, "a part of it could not be stored: try again")
            }
            return try job.runSlice(batches.store) ? nil : response()
        } catch {
            return HTTPResponse(MockError(error))
        }
    }

    // MARK: - Jobs that read

    private func readOn(_ loop: HTTPLoop) {
        guard let reading = readings.next(where: loop.isListening) else { return }
        do throws(MockStoreError) {
            if try reading.job.runSlice(batches.store) {
                readings.add(reading)
            } else {
                loop.respond(to: reading.exchange, reading.answer())
            }
        } catch {
            loop.respond(to: reading.exchange, HTTPResponse(MockError(error)))
        }
        if !readings.isEmpty { loop.schedule(after: .zero) { [self] in readOn($0) } }
    }
}
