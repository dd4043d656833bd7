/// One line of a plan: something to send, or something that stays.
package enum PlanItem: Sendable, Hashable {
    case step(DeletionStep)
    case kept(KeptItem)
}
