/// One line of a plan: something to send, something that stays, or something nobody can prove.
package enum PlanItem: Sendable, Hashable {
    case step(DeletionStep)
    case kept(KeptItem)
    case unproven(UnprovenPlace)
}
