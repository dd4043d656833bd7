import CloudModel
import RecordSync

/// A device of a simulated world: an app, its engine's machine, and what it does next.
final class SimDevice {
    /// What the app has on disk beside a state: a pair that it could be restored from.
    struct Backup {
        var state: String
        var app: SimApp
        var session: Int
    }
    let number: Int
    var app = SimApp()
    var machine: RecordSyncMachine
    var effect: SyncEffect = .rest(until: nil) {
        didSet { if case .tell(.state) = effect { owedInState = app.owed } }
    }
    /// What was owed when the state that the app is about to be told was taken.
    var owedInState: Set<PendingRecordChange> = []
    /// Who is signed in to the device.
    var user: String? = "ann"
    /// How often the app was told of another account: data of two sessions are different.
    var session = 0
    /// Whose credential the run has; nil when it no longer works.
    var account: String? { user == machine.state.user ? user : nil }
    /// Each state the app was told, with its own at the time.
    var backups: [Backup] = []
    /// What the last page of a zone had.
    var page: (changed: [String: SimCloud.Stored], deleted: [String]) = ([:], [])
    var databasePage: SyncAnswer.DatabasePage?
    /// Whether anybody was signed in before the account was asked for last.
    var hadUser = false
    /// Zones that the user erased, of which the app is about to be told.
    var purging: Set<RecordZone.ID> = []
    /// The values of the batch, by position; nil for deletions.
    var batch: [Int?] = []
    /// What became of each change of the last part.
    var results: [(SyncResult, SimCloud.Stored?, SimCloud.ItemFailure?)] = []
    /// Not before this did the service want to be asked again, by the schedule.
    var fetchNotBefore = Duration.zero
    var sendNotBefore = Duration.zero
    /// Whether the run that goes on is the app's own wish.
    var isManual = false
    var isSending = false

    init(_ number: Int, _ machine: RecordSyncMachine) {
        (self.number, self.machine) = (number, machine)
    }

    /// Gives the engine what the app wishes, and remembers what it owes for that.
    func apply(_ wishes: [SimApp.Wish]) {
        guard !wishes.isEmpty else { return }
        var app = app
        machine.change { state in
            var isNew = false
            for wish in wishes {
                switch wish {
                case .add(.save(let id)):
                    app.owed.remove(.delete(id))
                    app.owed.insert(.save(id))
                    isNew = state.records.add(.save(id)) || isNew
                case .add(.delete(let id)):
                    app.owed.remove(.save(id))
                    app.owed.insert(.delete(id))
                    isNew = state.records.add(.delete(id)) || isNew
                case .remove(let change):
                    app.owed.remove(change)
                    isNew = state.records.remove(change) || isNew
                case .saveZone(let name):
                    isNew = state.zoneChanges.add(.save(RecordZone.ID(name))) || isNew
                }
            }
            return isNew
        }
        self.app = app
    }
}
