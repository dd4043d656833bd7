/// Why a guard said no. Nothing was deleted.
package struct Refusal: Error, Sendable, Hashable {
    /// The kind of refusal.
    package enum Code: String, Sendable, CaseIterable {
        case notApproved = "not approved"
        case tooFewApprovals = "too few approvers have signed the plan"
        case planChanged = "plan was changed"
        case planUsed = "plan was used before"
        case planExpired = "plan has expired"
        case planNotYetValid = "plan is from the future"
        case tooEarly = "plan may not be executed yet"
        case otherContainers = "plan is for other containers"
        case otherDatabases = "plan is for other databases"
        case otherEnvironment = "plan is for another environment"
        case otherServer = "plan is for another server"
        case otherUser = "plan is for another user"
        case otherExport = "plan is bound to another export"
        case exportDamaged = "the required export is incomplete"
        case moreThanPlanned = "more exists now than was planned"
        case discoveryIncomplete = "something in scope could not be listed"
        case zonesCapExceeded = "more zones than the cap allows"
        case recordsCapExceeded = "more records than the cap allows"
        case percentCapExceeded = "a larger share of the records than the cap allows"
        case recordsUncounted = "there is a cap, and not all records could be counted"
        case keptByCascade = "kept records would be deleted along with others"
        case othersByCascade = "other users' records would be deleted along with others"
        case outOfBounds = "plan names something protected or out of scope"
    }

    package let code: Code
    /// Words for people. Never names of zones or records.
    package let reason: String

    package init(_ code: Code, _ reason: String = "") {
        self.code = code
        self.reason = reason.isEmpty ? code.rawValue : reason
    }
}
