import Basics
internal import CloudModel
internal import DonationStore
internal import Donations
public import Foundation

/// When or where a shortcut is relevant.
public class INRelevanceProvider: NSObject, NSCopying {
    override init() { super.init() }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// What the store keeps.
    var stored: [String: PayloadValue] { [:] }
    /// What the ranker asks; nil: a condition that nothing here can notice, so it never holds.
    var provider: SuggestionRelevance.Provider? { nil }
}

/// Relevant at a time.
public final class INDateRelevanceProvider: INRelevanceProvider {
    /// When it begins to be relevant.
    public let startDate: Date
    /// When it ends; nil: it is a moment.
    public let endDate: Date?

    /// Relevant at a time.
    public init(start startDate: Date, end endDate: Date?) {
        self.startDate = startDate
        self.endDate = endDate
        super.init()
    }

    override var stored: [String: PayloadValue] {
        var parts: [String: PayloadValue] = [
            "start": .date(startDate.timeIntervalSinceReferenceDate)
        ]
        parts["end"] = endDate.map { .date($0.timeIntervalSinceReferenceDate) }
        return parts
    }

    override var provider: SuggestionRelevance.Provider? {
        .date(start: Timestamp(startDate), end: endDate.map { Timestamp($0) })
    }
}

/// Relevant at a place.
public final class INLocationRelevanceProvider: INRelevanceProvider {
    /// Where.
    public let region: CLRegion

    /// Relevant at a place.
    public init(region: CLRegion) {
        self.region = region
        super.init()
    }

    override var stored: [String: PayloadValue] { ["region": .string(region.identifier)] }
    override var provider: SuggestionRelevance.Provider? { .place(region.identifier) }
}

/// Relevant in a part of the person's day.
public final class INDailyRoutineRelevanceProvider: INRelevanceProvider {
    /// Which part.
    public let situation: INDailyRoutineSituation

    /// Relevant in a part of the person's day.
    public init(situation: INDailyRoutineSituation) {
        self.situation = situation
        super.init()
    }

    override var stored: [String: PayloadValue] {
        ["situation": .integer(Int64(situation.rawValue))]
    }

    override var provider: SuggestionRelevance.Provider? { situation.routine.map { .routine($0) } }
}
