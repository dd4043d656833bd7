internal import Donations
internal import Foundation
public import UserActivity

extension NSUserActivity {
    /// What Siri had asked for when the system opens the app; nil for activities of the app.
    public var interaction: INInteraction? {
        attachment(InteractionAttachment.self).map {
            $0.interaction.copy() as? INInteraction ?? $0.interaction
        }
    }

    /// An activity with which the system opens the app for an interaction. Not in Apple's
    /// interface: there the system makes it.
    public static func launch(for interaction: INInteraction) -> NSUserActivity {
        let answered = interaction.ownResponse?.userActivity
        let activity =
            answered ?? NSUserActivity(activityType: interaction.ownIntent.intentClassName)
        activity.attach(
            InteractionAttachment(
                interaction: interaction.copy() as? INInteraction ?? interaction),
            as: InteractionAttachment.self)
        return activity
    }

    /// What the person may want to say for it.
    public var suggestedInvocationPhrase: String? {
        get { attachment(ShortcutAttachment.self)?.phrase }
        set {
            var slot = attachment(ShortcutAttachment.self) ?? ShortcutAttachment()
            slot.phrase = newValue
            attach(slot, as: ShortcutAttachment.self)
        }
    }

    /// When its shortcut is of use.
    public var shortcutAvailability: INShortcutAvailabilityOptions {
        get { attachment(ShortcutAttachment.self)?.availability ?? [] }
        set {
            var slot = attachment(ShortcutAttachment.self) ?? ShortcutAttachment()
            slot.availability = newValue
            attach(slot, as: ShortcutAttachment.self)
        }
    }
}

extension NSUserActivity: AppEntityAnnotatable {
    /// The entity that the activity is about; a donation keeps its name.
    public var appEntityIdentifier: EntityIdentifier? {
        get { attachment(EntityAttachment.self)?.entity }
        set {
            attach(newValue.map { EntityAttachment(entity: $0) }, as: EntityAttachment.self)
        }
    }
}

/// The slot for the entity that an activity is about.
struct EntityAttachment: ActivityAttachment {
    let entity: EntityIdentifier

    var payloadEntries: [String: PayloadValue] {
        ["appEntityIdentifier": .dictionary([entity.type: .string(entity.identifier)])]
    }
}

/// The slot for what opened the app.
struct InteractionAttachment: ActivityAttachment {
    let interaction: INInteraction
}

/// The slot for what an activity's shortcut says.
struct ShortcutAttachment: ActivityAttachment {
    var phrase: String?
    var availability: INShortcutAvailabilityOptions = []

    func contribute(to donation: inout Donation) {
        donation.suggestedInvocationPhrase = phrase
        if !availability.isEmpty {
            donation.numbers["availability"] = Int64(availability.rawValue)
        }
    }
}
