import Basics
internal import CloudModel
internal import DonationStore
internal import Donations
public import Foundation

/// Whether a relevant shortcut does something or tells something.
public enum INRelevantShortcutRole: Int, Sendable {
    /// It does something.
    case action
    /// It tells something.
    case information
}

/// A shortcut, and when it is relevant.
public final class INRelevantShortcut: NSObject, NSCopying {
    /// What it does.
    public let shortcut: INShortcut
    /// What the card on the watch face says; nil: the shortcut's own lines.
    public var watchTemplate: INDefaultCardTemplate? {
        // On Linux `@NSCopying` compiles and copies nothing.
        get { card }
        set { card = newValue.map { $0.copy() as? INDefaultCardTemplate ?? $0 } }
    }
    private var card: INDefaultCardTemplate?
    /// When it is relevant: only while **all** of them say so; for one or the other make two
    /// relevant shortcuts.
    public var relevanceProviders: [INRelevanceProvider] = []
    /// Whether it does something or tells something.
    public var shortcutRole = INRelevantShortcutRole.action
    /// The widget that shows it.
    public var widgetKind: String?

    /// A shortcut that is always a little relevant.
    public init(shortcut: INShortcut) { self.shortcut = shortcut }

    /// A shortcut with the same conditions.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = INRelevantShortcut(shortcut: shortcut)
        copy.watchTemplate = watchTemplate
        copy.relevanceProviders = relevanceProviders
        copy.shortcutRole = shortcutRole
        copy.widgetKind = widgetKind
        return copy
    }

    /// How relevant it is, from 0 to 1000. Not in Apple's interface, where the watch decides.
    ///
    /// - Parameters:
    ///   - regions: The identifiers of the regions the person is in.
    ///   - situations: What is noticed of the person's day beside the time.
    public func relevance(
        at date: Date, secondsFromGMT: Int = 0, regions: Set<String> = [],
        situations: Set<INDailyRoutineSituation> = []
    ) -> Int {
        let providers = relevanceProviders.compactMap(\.provider)
        guard providers.count == relevanceProviders.count else { return 0 }
        return SuggestionRelevance(providers).value(
            in: .init(
                now: Timestamp(date), secondsFromGMT: secondsFromGMT, places: regions,
                routines: Set(situations.compactMap(\.routine))))
    }

    /// What the store keeps.
    func entry(_ index: Int) throws(StoredValue.Failure) -> ListEntry {
        var also: [String: PayloadValue] = [
            "providers": .array(relevanceProviders.map { .dictionary($0.stored) }),
            "role": .integer(Int64(shortcutRole.rawValue)),
        ]
        if let watchTemplate { also["card"] = try watchTemplate.stored() }
        also["widgetKind"] = widgetKind.map { .string($0) }
        return try ListCall.entry(shortcut, identifier: "\(index)", also: also)
    }
}
