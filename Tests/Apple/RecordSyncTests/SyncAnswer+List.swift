import CloudModel
import RecordSync

extension SyncAnswer {
    /// The whole list of zones that changed.
    static func list(of zones: RecordZone.ID...) -> SyncAnswer {
        .databasePage(
            .success(
                .init(changed: zones, deleted: [], token: ChangeToken("1"), moreComing: false)))
    }
}
