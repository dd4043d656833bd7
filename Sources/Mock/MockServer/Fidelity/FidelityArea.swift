/// What a rule is about, in the order in which rules are shown.
package enum FidelityArea: String, CaseIterable, Sendable {
    case accounts, credentials, zones, records, batches, references, feeds, sharing, queries
    case subscriptions, assets, schemas, requests, errors
}
