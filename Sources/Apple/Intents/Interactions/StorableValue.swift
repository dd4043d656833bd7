internal import Donations
internal import Foundation

/// A class of parameter values that is stored by its parts.
protocol StorableValue: SendableMetatype {
    /// What it is made of; parts without a value are left out.
    var storedParts: [String: Any?] { get }
    /// The value with these parts; nil when one is missing that must be there.
    static func restore(_ parts: [String: Any]) -> Self?
}

/// Turns what parameters hold into what the store keeps, and back.
enum StoredValue {
    /// Why a value cannot be stored.
    enum Failure: Error, Hashable {
        /// Its type is none that is known; the type's name.
        case unsupported(String)
        /// Lists and dictionaries are nested too deeply.
        case tooDeep
    }

    private static let depthMax = 16
    /// The classes that have parts, by the name they are stored under.
    private static let classes: [String: any StorableValue.Type] = Dictionary(
        uniqueKeysWithValues: [
            INObject.self,
            INPerson.self,
            INPersonHandle.self,
            INSpeakableString.self,
            INMediaItem.self,
            INMediaSearch.self,
            INDateComponentsRange.self,
            INCurrencyAmount.self,
            INReservationAction.self,
            INReservation.self,
            INRestaurantReservation.self,
            INLodgingReservation.self,
            INSendMessageAttachment.self,
            INFile.self,
            CLPlacemark.self,
            CLLocation.self,
            INRideOption.self,
            INMessageLinkMetadata.self,
            INMessageReaction.self,
            INCallRecordFilter.self,
            INCallGroup.self,
            INRideStatus.self,
            INRideVehicle.self,
            INRideFareLineItem.self,
            INRidePartySizeOption.self,
            INFlightReservation.self,
            INRentalCarReservation.self,
            INTicketedEventReservation.self,
            INTrainReservation.self,
            INBusReservation.self,
            INBoatReservation.self,
            INFlight.self,
            INAirline.self,
            INAirport.self,
            INAirportGate.self,
            INSeat.self,
            INRentalCar.self,
            INTicketedEvent.self,
            INTrainTrip.self,
            INBusTrip.self,
            INBoatTrip.self,
            INNote.self,
            INTask.self,
            INTaskList.self,
            INSpatialEventTrigger.self,
            INTemporalEventTrigger.self,
            INBillDetails.self,
            INBillPayee.self,
            INPaymentAccount.self,
            INPaymentAmount.self,
            INBalanceAmount.self,
            INPaymentRecord.self,
            INRestaurant.self,
            INRestaurantGuestDisplayPreferences.self,
            INTermsAndConditions.self,
            INRecurrenceRule.self,
            INMessage.self,
            INSticker.self,
            INCallRecord.self,
            INRestaurantOffer.self,
            INRestaurantReservationBooking.self,
            INRestaurantReservationUserBooking.self,
            INRideDriver.self,
            INRestaurantGuest.self,
            INMediaDestination.self,
            INTextNoteContent.self,
            INImageNoteContent.self,
            INRideCompletionStatus.self,
            INPriceRange.self,
            INPaymentMethod.self,
            INCar.self,
            INCarHeadUnit.self,
            INFocusStatus.self,
        ].map { (type: any StorableValue.Type) in (String(describing: type), type) })

    /// What the store keeps of a value. A class's name is a key, so that it is no mention.
    static func encode(_ value: Any, depth: Int = 0) throws(Failure) -> PayloadValue {
        guard depth <= depthMax else { throw .tooDeep }
        if let plain = plain(value) { return plain }
        if let value = value as? any StorableValue {
            var parts: [String: PayloadValue] = [:]
            for case (let name, let part?) in value.storedParts {
                parts[name] = try encode(part, depth: depth + 1)
            }
            return .dictionary([String(describing: type(of: value)): .dictionary(parts)])
        }
        if let list = value as? [Any] {
            return .array(try encode(list, depth: depth))
        }
        if let set = value as? Set<AnyHashable> {
            return .set(try encode(set.map(\.base), depth: depth))
        }
        if let dictionary = value as? [AnyHashable: Any] {
            var pairs: [(key: PayloadValue, value: PayloadValue)] = []
            for (key, value) in dictionary {
                pairs.append(
                    (
                        key: try encode(key.base, depth: depth + 1),
                        value: try encode(value, depth: depth + 1)
                    ))
            }
            return .dictionary(pairs)
        }
        if let number = (value as? any RawRepresentable)?.rawValue {
            return try encode(number, depth: depth + 1)
        }
        throw .unsupported(String(describing: type(of: value)))
    }

    private static func encode(_ list: [Any], depth: Int) throws(Failure) -> [PayloadValue] {
        var values: [PayloadValue] = []
        for element in list { values.append(try encode(element, depth: depth + 1)) }
        return values
    }

    private static func plain(_ value: Any) -> PayloadValue? {
        switch value {
        case let value as Decimal: .dictionary(["Decimal": .string(value.description)])
        case let value as NSDecimalNumber:
            .dictionary(["Decimal": .string(value.decimalValue.description)])
        case let value as DateComponents: .dictionary(["DateComponents": components(value)])
        case let value as DateInterval:
            .dictionary([
                "DateInterval": .array([
                    .double(value.start.timeIntervalSinceReferenceDate), .double(value.duration),
                ])
            ])
        case let value as PersonNameComponents:
            .dictionary([
                "PersonNameComponents": .dictionary(
                    names.reduce(into: [:]) { parts, name in
                        parts[name.name] = value[keyPath: name.path].map { .string($0) }
                    })
            ])
        case is [Any], is [AnyHashable: Any], is Set<AnyHashable>: nil
        default: try? PayloadValue(object: value)
        }
    }

    private static var units: [(name: String, path: WritableKeyPath<DateComponents, Int?>)] {
        [
            ("year", \.year), ("month", \.month), ("day", \.day), ("hour", \.hour),
            ("minute", \.minute), ("second", \.second), ("weekday", \.weekday),
        ]
    }

    private static var names: [(name: String, path: WritableKeyPath<PersonNameComponents, String?>)]
    {
        [
            ("prefix", \.namePrefix), ("given", \.givenName), ("middle", \.middleName),
            ("family", \.familyName), ("suffix", \.nameSuffix), ("nick", \.nickname),
        ]
    }

    private static func components(_ value: DateComponents) -> PayloadValue {
        var parts: [String: PayloadValue] = [:]
        for unit in units {
            parts[unit.name] = value[keyPath: unit.path].map { .integer(Int64($0)) }
        }
        parts["timeZone"] = value.timeZone.map { .string($0.identifier) }
        parts["calendar"] = value.calendar.map { .string("\($0.identifier)") }
        return .dictionary(parts)
    }

    // MARK: Back

    /// The value that the store kept; nil when it is of a class that is not known.
    static func decode(_ value: PayloadValue) -> Any? {
        switch value {
        case .null: nil
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .double(let value): value
        case .array(let values): list(values.compactMap(decode))
        case .set(let values): values.compactMap(decode)
        case .dictionary(let pairs): dictionary(pairs)
        case .string, .data, .date, .url, .uuid: value.object
        }
    }

    /// A number that may have a fraction; the store keeps a whole one as an integer.
    static func double(_ value: Any?) -> Double? {
        value as? Double ?? (value as? Int).map(Double.init)
    }

    /// A list of objects of one class as a list of that class, so that a cast finds it.
    private static func list(_ values: [Any]) -> Any {
        if let values = values as? [INPerson] { return values }
        if let values = values as? [String] { return values }
        return values
    }

    private static func dictionary(
        _ pairs: [(key: PayloadValue, value: PayloadValue)]
    ) -> Any? {
        if pairs.count == 1, case .string(let name) = pairs[0].key {
            if let type = classes[name], let parts = pairs[0].value.namedValues {
                return type.restore(parts.compactMapValues(decode))
            }
            if let value = wrapped(name, pairs[0].value) { return value }
        }
        var dictionary: [AnyHashable: Any] = [:]
        for pair in pairs {
            guard let key = decode(pair.key) as? AnyHashable else { continue }
            dictionary[key] = decode(pair.value)
        }
        return dictionary
    }

    private static func wrapped(_ name: String, _ value: PayloadValue) -> Any? {
        switch (name, value) {
        case ("Decimal", .string(let text)): return NSDecimalNumber(string: text)
        case ("PersonNameComponents", _):
            guard let parts = value.namedValues else { return nil }
            var components = PersonNameComponents()
            for name in names {
                if case .string(let text)? = parts[name.name] {
                    components[keyPath: name.path] = text
                }
            }
            return components
        case ("DateInterval", .array(let parts)):
            guard parts.count == 2, case .double(let start) = parts[0],
                case .double(let duration) = parts[1], duration >= 0
            else { return nil }
            return DateInterval(
                start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
        case ("DateComponents", _):
            guard let parts = value.namedValues else { return nil }
            var components = DateComponents()
            for unit in units {
                if case .integer(let number)? = parts[unit.name] {
                    components[keyPath: unit.path] = Int(number)
                }
            }
            if case .string(let zone)? = parts["timeZone"] {
                components.timeZone = TimeZone(identifier: zone)
            }
            return components
        default: return nil
        }
    }
}
