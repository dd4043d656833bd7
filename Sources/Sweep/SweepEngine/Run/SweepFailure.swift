import CloudModel
import DataExport
import DeletionPlanning
import DonationStore
import Journal

/// Why a piece of work came to nothing.
enum SweepFailure: Error, Sendable, Hashable {
    /// The database's last word, after all retries.
    case refused(CloudError)
    /// What has to be on disk could not be written or read.
    case journal(JournalError)
    /// The donation store cannot be read or changed.
    case donations(DonationError)
    /// An export cannot be written.
    case export(ExportError)
    /// A guard said no; nothing was deleted.
    case refusedByGuard(Refusal)
    /// The request or a plan file is not fit to work with.
    case unusable(String)
    /// The run was asked to stop before the work could be done.
    case stopped
}

extension Journal {
    /// Writes changes and waits until they are on disk.
    func keep(_ changes: [JournalChange], run: Int64) async throws(SweepFailure) {
        do throws(JournalError) {
            try await write(changes, run: run)
        } catch {
            throw .journal(error)
        }
    }

    /// Writes changes that outlive this process at once, and the machine with the next ``keep``: for
    /// all that nobody is told of, and that no request waits for.
    func remember(_ changes: [JournalChange], run: Int64) async throws(SweepFailure) {
        do throws(JournalError) {
            try await note(changes, run: run)
        } catch {
            throw .journal(error)
        }
    }
}

/// Runs `body` and keeps how it ended.
func attempt<Value: Sendable>(
    _ body: () async throws(SweepFailure) -> Value
) async -> Result<Value, SweepFailure> {
    do throws(SweepFailure) {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
