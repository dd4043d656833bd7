import DonationSync

/// Ways to be wrong that are no switch of the rules: put around the code under test, to see that
/// the simulation catches them.
enum Defect: String, CaseIterable {
    /// A position in a feed is stored before what came with it.
    case tokenBeforeData
    /// An empty page is taken for the end.
    case emptyPageEnds
    /// Every deletion covers everything for ever, whatever its maker had seen.
    case tombstoneForever
    /// A deletion beyond a gap counts as if everything before it were seen.
    case contextOverGaps
    /// What conflicts is saved over what is there.
    case conflictOverwritten
    /// What ended here by itself stays in the zone.
    case expiryStaysHere
    /// Another app's zone is written to.
    case otherBundle
    /// Record deletes ask for no version.
    case deletesAnyVersion
}
