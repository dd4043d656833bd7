internal import Donations
internal import Foundation

/// Turns shortcuts into what the store keeps, and back.
enum ShortcutCoding {
    /// The intents that come back as objects of their class; others come back as
    /// ``CustomIntent``.
    private static let systemIntents: [String: INIntent.Type] = Dictionary(
        uniqueKeysWithValues: [
            INSendMessageIntent.self,
            INStartCallIntent.self,
            INStartAudioCallIntent.self,
            INPlayMediaIntent.self,
            INGetReservationDetailsIntent.self,
            INListRideOptionsIntent.self,
            INRequestRideIntent.self,
            INStartWorkoutIntent.self,
            INEndWorkoutIntent.self,
            INAddMediaIntent.self,
            INSearchForMediaIntent.self,
            INUpdateMediaAffinityIntent.self,
            INSearchForMessagesIntent.self,
            INSetMessageAttributeIntent.self,
            INEditMessageIntent.self,
            INUnsendMessagesIntent.self,
            INStartVideoCallIntent.self,
            INSearchCallHistoryIntent.self,
            INAnswerCallIntent.self,
            INHangUpCallIntent.self,
            INGetRideStatusIntent.self,
            INCancelRideIntent.self,
            INSendRideFeedbackIntent.self,
            INPauseWorkoutIntent.self,
            INResumeWorkoutIntent.self,
            INCancelWorkoutIntent.self,
            INCreateNoteIntent.self,
            INAppendToNoteIntent.self,
            INAddTasksIntent.self,
            INCreateTaskListIntent.self,
            INDeleteTasksIntent.self,
            INSetTaskAttributeIntent.self,
            INSnoozeTasksIntent.self,
            INSearchForNotebookItemsIntent.self,
            INSendPaymentIntent.self,
            INRequestPaymentIntent.self,
            INPayBillIntent.self,
            INSearchForBillsIntent.self,
            INSearchForAccountsIntent.self,
            INTransferMoneyIntent.self,
            INGetAvailableRestaurantReservationBookingDefaultsIntent.self,
            INGetAvailableRestaurantReservationBookingsIntent.self,
            INGetUserCurrentRestaurantReservationBookingsIntent.self,
            INBookRestaurantReservationIntent.self,
            INGetRestaurantGuestIntent.self,
            INSearchForPhotosIntent.self,
            INStartPhotoPlaybackIntent.self,
            INGetVisualCodeIntent.self,
            INShareFocusStatusIntent.self,
            INActivateCarSignalIntent.self,
            INGetCarLockStatusIntent.self,
            INSetCarLockStatusIntent.self,
            INGetCarPowerLevelStatusIntent.self,
            INListCarsIntent.self,
            INSaveProfileInCarIntent.self,
            INSetProfileInCarIntent.self,
            INSetAudioSourceInCarIntent.self,
            INSetClimateSettingsInCarIntent.self,
            INSetDefrosterSettingsInCarIntent.self,
            INSetSeatSettingsInCarIntent.self,
            INSetRadioStationIntent.self,
        ].map { (type: INIntent.Type) in (String(describing: type), type) })

    /// What the store keeps of a shortcut.
    static func encode(_ shortcut: INShortcut) throws(StoredValue.Failure) -> PayloadValue {
        if let intent = shortcut.intent {
            return .dictionary(["intent": try encode(intent)])
        }
        var parts: [String: PayloadValue] = [:]
        if let activity = shortcut.userActivity {
            parts["type"] = .string(activity.activityType)
            parts["title"] = activity.title.map { .string($0) }
            parts["identifier"] = activity.persistentIdentifier.map { .string($0) }
            parts["phrase"] = activity.suggestedInvocationPhrase.map { .string($0) }
            if let userInfo = activity.userInfo {
                parts["userInfo"] = try StoredValue.encode(userInfo)
            }
        }
        return .dictionary(["activity": .dictionary(parts)])
    }

    /// What the store keeps of an intent, its class and texts with it.
    static func encode(_ intent: INIntent) throws(StoredValue.Failure) -> PayloadValue {
        let payload = try InteractionRow.payload(of: intent)
        var parts: [String: PayloadValue] = [
            "class": .string(intent.intentClassName),
            "parameters": .dictionary(payload.parameters),
            "combinations": .array(
                intent.combinations.map { combination in
                    .array(
                        [.string(combination.title)]
                            + combination.parameters.sorted().map { .string($0) })
                }),
        ]
        parts["phrase"] = intent.suggestedInvocationPhrase.map { .string($0) }
        return .dictionary(parts)
    }

    /// The shortcut that the store kept; nil when it is none.
    static func shortcut(_ value: PayloadValue) -> INShortcut? {
        if let kept = value["intent"] { return intent(kept).flatMap { INShortcut(intent: $0) } }
        guard let kept = value["activity"], let type = text(kept["type"]) else { return nil }
        let activity = NSUserActivity(activityType: type)
        activity.title = text(kept["title"])
        activity.persistentIdentifier = text(kept["identifier"])
        activity.suggestedInvocationPhrase = text(kept["phrase"])
        activity.userInfo = kept["userInfo"]?.dictionaryObject
        return INShortcut(userActivity: activity)
    }

    /// The intent that the store kept.
    static func intent(_ value: PayloadValue) -> INIntent? {
        guard let name = text(value["class"]),
            let parameters = value["parameters"]?.namedValues
        else { return nil }
        let values = parameters.compactMapValues { StoredValue.decode($0) }
        let intent: INIntent
        if let type = systemIntents[name] {
            intent = type.init()
            for entry in type.donationParameters { entry.write(intent, values[entry.name]) }
        } else {
            intent = CustomIntent(
                className: name, parameters: values, combinations: combinations(value))
        }
        intent.suggestedInvocationPhrase = text(value["phrase"])
        return intent
    }

    private static func combinations(_ value: PayloadValue) -> [INParameterTable.Combination] {
        guard case .array(let lists)? = value["combinations"] else { return [] }
        return lists.compactMap { list in
            guard case .array(let texts) = list, let title = text(texts.first) else { return nil }
            return INParameterTable.Combination(
                Set(texts.dropFirst().compactMap { text($0) }), title: title)
        }
    }

    private static func text(_ value: PayloadValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }
}
