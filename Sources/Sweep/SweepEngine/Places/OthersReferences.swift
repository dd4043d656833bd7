import CloudModel
import Journal

/// Finds the public records of other people that refer to others with `DELETE_SELF`: they go along
/// when what they refer to is deleted.
///
/// Every record of the known types is read, as far as types and indexes let them be listed. Where they
/// do not, the row says so, and the person's own data is deleted all the same. Any other failure to
/// read stops the sweep.
struct OthersReferences: Sendable {
    /// Pages read of one type: 200 records each.
    static let pagesMax = 500

    let look: PlaceLook
    let kind: CoverageRow.Kind

    func all() async throws(SweepFailure) -> Finding {
        var finding = Finding.complete
        var unlisted: [String] = []
        for type in look.types.types(of: look.container) {
            do throws(SweepFailure) {
                try await read(type)
            } catch {
                switch error {
                case .refused(let refusal)
                where [.badRequest, .notFound, .quotaExceeded].contains(refusal.code):
                    unlisted.append(type)
                default: finding.add(try look.unread(kind, "\(type), \(Self.subject)", error))
                }
            }
        }
        if !unlisted.isEmpty {
            finding.remarks.append(
                look.remark(
                    kind, .notInScope,
                    "other users' records of these types could not all be listed, so it is "
                        + "unknown whether they would be deleted as well: "
                        + "\(unlisted.joined(separator: ", "))",
                    subject: Self.subject))
        }
        return finding
    }

    /// What the row about records of others is called.
    static let subject = "records of other users that refer to them"

    private func read(_ type: String) async throws(SweepFailure) {
        var pages = 0
        let me = look.person.userRecordName
        try await look.eachRecordPage(ofType: type, [], desiredKeys: nil) {
            (records) async throws(SweepFailure) in
            pages += 1
            guard pages <= Self.pagesMax else {
                throw .refused(CloudError(.quotaExceeded, reason: "too many records"))
            }
            try await look.noteLinks(
                of: records.filter { $0.created.userRecordName != me },
                in: RecordZone.ID.default.zoneName, others: true)
        }
    }
}
