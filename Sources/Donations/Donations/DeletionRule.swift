/// One row of the decision table: which rows a kind of selector means, and why they go.
///
/// ``DonationSelector/matches(_:_:)`` asks these rules of a value, the donation store makes its SQL
/// from them, and devices ask them of digests: a rule is changed here and nowhere else.
package struct DeletionRule: Sendable {
    /// What is asked of a row.
    package enum Test: Sendable, Hashable {
        case anyRow
        /// The app donated it, and not Siri for the app.
        case isFromApp
        /// It has one of the selector's names, if those stand for one of these keys.
        case isNamed([DonationKey])
        /// It was done or donated in the selector's span of time.
        case happened
        /// It is linked into the selector's part of a container.
        case isLinked
        /// Its time is over; of an event, if its saved activity is not there.
        case isExpired
        /// The time of its saved activity is over.
        case savedActivityIsExpired
        /// It is strongly related to some item.
        case hasItem
        /// It is strongly related to an item that goes (D6).
        case itemGoes
    }

    /// What a rule makes of the name of an index.
    package enum IndexRule: Sendable {
        case ignored
        /// The row is in the index, if the selector names one.
        case isSame
        /// The rule holds only for a selector that names an index, or that names none.
        case isNamed, isUnnamed
    }

    package let kinds: [DonationKind]
    package let test: Test
    package let reason: DonationReceipt.Rule
    package let index: IndexRule

    fileprivate init(
        _ kinds: [DonationKind], _ test: Test, _ reason: DonationReceipt.Rule = .direct,
        _ index: IndexRule = .ignored
    ) {
        self.kinds = kinds
        self.test = test
        self.reason = reason
        self.index = index
    }

    private static let activities: [DonationKind] = [.activity, .savedActivity]
    private static let cascade = Self(activities, .itemGoes, .relatedItem)

    /// The decision table. Of the rules that hold for a row, the first one counts.
    fileprivate static func table(_ kind: DonationSelector.Kind) -> [Self] {
        switch kind {
        case .interactions: [Self([.interaction], .isNamed([.interaction]))]
        case .interactionGroup: [Self([.interaction], .isNamed([.group]))]
        case .allInteractions: [Self([.interaction], .isFromApp)]
        case .activities:
            [Self(activities, .isNamed([.persistentIdentifier]), .persistentIdentifier)]
        case .allActivities: [Self(activities, .anyRow)]
        case .searchableItems:
            [
                Self([.searchableItem], .isNamed([.item]), .direct, .isSame),
                Self(activities, .isNamed([.item]), .relatedItem, .isUnnamed),
                Self(activities, .itemGoes, .relatedItem, .isNamed),
            ]
        case .searchableDomains:
            [
                Self([.searchableItem], .isNamed([.domain]), .domain, .isSame),
                Self(activities, .isNamed([.domain]), .domain, .isUnnamed), cascade,
            ]
        case .allSearchableItems:
            [
                Self([.searchableItem], .anyRow, .direct, .isSame),
                Self([.interaction], .anyRow, .allItemsInteractions),
                Self(activities, .hasItem, .relatedItem, .isUnnamed),
                Self(activities, .itemGoes, .relatedItem, .isNamed),
            ]
        case .appIntents: [Self([.appIntent], .isNamed([.appIntent]))]
        case .appIntentsAbout: [Self([.appIntent], .isNamed([.entity]))]
        case .appIntentType: [Self([.appIntent], .isNamed([.intentType, .intentAbout]))]
        case .appEntities: [Self([.searchableItem], .isNamed([.entityType, .entity])), cascade]
        case .activityType: [Self(activities, .isNamed([.activityType]))]
        case .intentClass: [Self([.interaction, .appIntent], .isNamed([.intentClass]))]
        case .donated: [Self([.interaction, .appIntent] + activities, .happened)]
        case .donatedWithItems: [Self(DonationKind.donations, .happened), cascade]
        case .linked: [Self(DonationKind.donations, .isLinked, .content), cascade]
        case .expired:
            [
                Self([.activity], .savedActivityIsExpired, .savedActivity),
                Self(DonationKind.donations, .isExpired, .expiry), cascade,
            ]
        case .everything: [Self(DonationKind.donations, .anyRow)]
        case .list: []
        }
    }
}

extension DonationSelector.Kind {
    private static let tables = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, DeletionRule.table($0)) })

    /// The rules of this kind of selector, in the order in which they are asked.
    package var rules: [DeletionRule] { Self.tables[self] ?? [] }

    /// Which interactions stay, but lose the activity in their response (A14).
    package var scrubs: DeletionRule.Test? {
        switch self {
        case .activities: .isNamed([.persistentIdentifier])
        case .allActivities: .anyRow
        default: nil
        }
    }

    /// Whether such a selector lists names, or names a part of a container.
    package var namesSomething: Bool {
        rules.contains { rule in
            switch rule.test {
            case .isNamed, .isLinked: true
            default: false
            }
        }
    }

    /// Whether other devices are told of such a deletion. Lists belong to one device, and what
    /// expires does so by each device's own clock.
    package var travels: Bool { self != .list && self != .expired }
}
