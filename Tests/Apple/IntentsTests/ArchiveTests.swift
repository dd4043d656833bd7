import Foundation
import Intents
import Testing

/// What comes back from an archive.
struct ArchiveTests {
    private let ada = INPerson(
        personHandle: INPersonHandle(value: "+44 1", type: .phoneNumber, label: .mobile),
        nameComponents: nil, displayName: "Ada", image: nil, contactIdentifier: nil,
        customIdentifier: "ada", isMe: false, suggestionType: .socialProfile)

    private func archived<Value: NSObject & NSCoding>(_ value: Value) throws -> Value? {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
    }

    @Test func `a message comes back with all its values`() throws {
        let intent = INSendMessageIntent(
            recipients: [ada], outgoingMessageType: .outgoingMessageText, content: "Hello",
            speakableGroupName: INSpeakableString(spokenPhrase: "Club"),
            conversationIdentifier: "chat-1", serviceName: nil, sender: nil, attachments: nil)
        intent.suggestedInvocationPhrase = "Greet Ada"
        intent.setImage(INImage(imageData: Data([1, 2])), forParameterNamed: \.recipients)
        let back = try #require(try archived(intent))
        #expect(
            back.recipients == [ada] && back.recipients?.first?.suggestionType == .socialProfile)
        #expect((back.content, back.conversationIdentifier) == ("Hello", "chat-1"))
        #expect(back.outgoingMessageType == .outgoingMessageText)
        #expect(back.speakableGroupName?.spokenPhrase == "Club")
        #expect(back.suggestedInvocationPhrase == "Greet Ada")
        #expect(back.image(forParameterNamed: \.recipients) == INImage(imageData: Data([1, 2])))
    }

    @Test func `an interaction comes back with its identifiers and its response`() throws {
        let intent = OrderSoupIntent()
        intent.soup = INObject(identifier: "soup-1", display: "Chowder")
        intent.quantity = 2
        let response = OrderSoupIntentResponse(code: .failureOutOfStock, userActivity: nil)
        let interaction = INInteraction(intent: intent, response: response)
        interaction.groupIdentifier = "orders"
        interaction.direction = .outgoing
        interaction.dateInterval = DateInterval(
            start: Date(timeIntervalSince1970: 1_700_000_000), duration: 3)
        let back = try #require(try archived(interaction))
        #expect(back.identifier == interaction.identifier)
        #expect((back.groupIdentifier, back.direction) == ("orders", .outgoing))
        #expect(back.dateInterval == interaction.dateInterval)
        let order = try #require(back.intent as? OrderSoupIntent)
        #expect(order.soup == intent.soup && order.quantity == 2)
        #expect((back.intentResponse as? OrderSoupIntentResponse)?.code == .failureOutOfStock)
        #expect(back.intentHandlingStatus == .failure)
    }

    @Test func `a shortcut of either kind comes back`() throws {
        let intent = OrderSoupIntent()
        intent.soup = INObject(identifier: "soup-1", display: "Chowder")
        let shortcut = try #require(INShortcut(intent: intent))
        guard case .intent(let back)? = try archived(INShortcutReference(shortcut))?.shortcut
        else { return #expect(Bool(false), "no intent") }
        #expect((back as? OrderSoupIntent)?.soup == intent.soup)
        let activity = NSUserActivity(activityType: "com.example.view")
        activity.title = "Look"
        activity.userInfo = ["soup": "soup-1"]
        let kept = try archived(INShortcutReference(userActivity: activity))
        #expect(kept?.userActivity?.title == "Look")
        #expect(kept?.userActivity?.userInfo?["soup"] as? String == "soup-1")
    }

    @Test func `an intent that holds what cannot be kept does not come back in part`() throws {
        let odd = CustomIntent(
            className: "OddIntent", parameters: ["soup": "Chowder", "lock": NSLock()])
        #expect(throws: (any Error).self) { try archived(odd) }
        let plain = CustomIntent(className: "PlainIntent", parameters: ["soup": "Chowder"])
        let back = try #require(try archived(plain))
        #expect(back.intentClassName == "PlainIntent")
        #expect(back.parameter(named: "soup") as? String == "Chowder")
    }

    /// A sample of every kind of value: texts, numbers, dates, quantities, lists and people.
    static var samples: [any NSObject & NSCoding] {
        let name = INSpeakableString(spokenPhrase: "Groceries")
        let place = CLPlacemark(name: "Home", location: CLLocation(latitude: 1, longitude: 2))
        let due = INDateComponentsRange(
            start: DateComponents(year: 2026, month: 2), end: nil,
            recurrenceRule: INRecurrenceRule(interval: 2, frequency: .weekly))
        let task = INTask(
            title: name, status: .notCompleted, taskType: .completable,
            spatialEventTrigger: INSpatialEventTrigger(placemark: place, event: .arrive),
            temporalEventTrigger: INTemporalEventTrigger(dateComponentsRange: due),
            createdDateComponents: nil, modifiedDateComponents: nil, identifier: "task-1",
            priority: .flagged)
        let amount = INCurrencyAmount(amount: 12.5, currencyCode: "EUR")
        let seat = INSeat(seatSection: nil, seatRow: "7", seatNumber: "A", seatingType: nil)
        let gate = INAirportGate(
            airport: INAirport(name: nil, iataCode: "VIE", icaoCode: nil), terminal: "3", gate: nil)
        let car = INCar(
            carIdentifier: "car", displayName: nil, year: nil, make: nil, model: nil, color: nil,
            headUnit: INCar.HeadUnit(bluetoothIdentifier: "b", iAP2Identifier: nil),
            supportedChargingConnectors: [.ccs2])
        car.setMaximumPower(Measurement(value: 11, unit: .kilowatts), for: .ccs2)
        return [
            task, car, INCar.HeadUnit(bluetoothIdentifier: nil, iAP2Identifier: "i"), place,
            INTextNoteContent(text: "Milk"),
            INTaskList(
                title: name, tasks: [task], groupName: nil, createdDateComponents: nil,
                modifiedDateComponents: nil, identifier: "list-1"),
            INCallRecord(identifier: "call-1", callRecordType: .missed, unseen: true),
            INPriceRange(firstPrice: 9, secondPrice: 3, currencyCode: "EUR"),
            INRideCompletionStatus.completed(outstanding: amount),
            INPaymentMethod.applePay(),
            INFlight(
                airline: INAirline(name: "A", iataCode: nil, icaoCode: nil), flightNumber: "1",
                boardingTime: nil, flightDuration: due, departureAirportGate: gate,
                arrivalAirportGate: gate),
            seat, amount, due,
            INMessage(
                identifier: "m", conversationIdentifier: "c", content: "Hi", dateSent: nil,
                sender: nil, recipients: nil, groupName: nil, messageType: .text),
            INFocusStatus(isFocused: true),
            INRidePartySizeOption(
                partySizeRange: NSRange(location: 1, length: 3), sizeDescription: "few",
                priceRange: nil),
        ]
    }

    @Test func `each value comes back as it was`() throws {
        for sample in Self.samples {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: sample, requiringSecureCoding: true)
            let back = try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [type(of: sample)], from: data)
            #expect(back as? NSObject == sample)
        }
    }

    /// The store keeps a whole number as an integer.
    @Test func `a number that happens to be whole comes back`() throws {
        let record = INCallRecord(
            identifier: "1", callRecordType: .missed, callDuration: 60, numberOfCalls: 2)
        #expect(try archived(record)?.callDuration == 60)
        let radio = INSetRadioStationIntent(
            radioType: .fm, frequency: 99, stationName: nil, channel: nil, presetNumber: 3)
        let back = try #require(try archived(radio))
        #expect((back.radioType, back.frequency, back.presetNumber) == (.fm, 99, 3))
        let message = INMessage(
            identifier: "1", conversationIdentifier: nil, content: nil, dateSent: nil, sender: nil,
            recipients: nil, groupName: nil, serviceName: nil, messageType: .file,
            numberOfAttachments: 4)
        #expect(try archived(message)?.numberOfAttachments == 4)
        let photos = INSearchForPhotosIntent(
            dateCreated: nil, locationCreated: nil, albumName: nil, searchTerms: nil,
            includedAttributes: [.selfie, .livePhoto], excludedAttributes: [], peopleInPhoto: nil)
        #expect(try archived(photos)?.includedAttributes == [.selfie, .livePhoto])
        #expect(photos.excludedAttributes == [])
    }

    // MARK: Archives that lie

    /// What a class makes of an archive with these bytes for its values.
    private func read<Value: NSObject & NSCoding>(
        _ type: Value.Type, _ bytes: Data
    ) throws -> Value? {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(NSData(data: bytes), forKey: "values")
        archiver.finishEncoding()
        return Value(coder: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData))
    }

    /// The bytes of a value of ours, as an archive has them.
    private func bytes(of value: any NSObject & NSCoding) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        value.encode(with: archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let bytes = reader.decodeObject(of: NSData.self, forKey: "values")
        return Data(referencing: try #require(bytes))
    }

    @Test func `values of another class are not taken for one's own`() throws {
        let seat = INSeat(seatSection: nil, seatRow: "7", seatNumber: "A", seatingType: nil)
        let whole = try bytes(of: seat)
        #expect(try read(INSeat.self, whole) == seat)
        let note = try read(INNote.self, whole)
        #expect(note?.title.spokenPhrase ?? "" == "" && note?.contents ?? [] == [])
        let flight = try read(INFlight.self, whole)
        #expect(flight?.flightNumber ?? "" == "" && flight?.airline.name == nil)
        #expect(try read(INPerson.self, whole)?.customIdentifier == nil)
        #expect(try read(INSendMessageIntent.self, whole)?.recipients == nil)
    }

    @Test func `bytes that are cut or bent give nothing or less, and never end the program`()
        throws
    {
        let message = INMessage(
            identifier: "m", conversationIdentifier: "c", content: "Hi",
            dateSent: Date(timeIntervalSince1970: 0), sender: ada, recipients: [ada],
            groupName: nil, messageType: .text)
        let whole = try bytes(of: message)
        #expect(try read(INMessage.self, whole) == message)
        #expect(try read(INMessage.self, Data()) == nil)
        for end in 0..<whole.count {
            #expect(try read(INMessage.self, whole.prefix(end)) == nil)
        }
        for index in whole.indices {
            var bent = whole
            bent[index] ^= 0x41
            let back = try read(INMessage.self, bent)
            #expect(back?.recipients?.count ?? 0 <= 1)
        }
    }

    @Test func `what the app knows of a message comes back with it`() throws {
        let intent = INSendMessageIntent()
        let metadata = INSendMessageIntentDonationMetadata()
        metadata.recipientCount = 3
        metadata.notifyRecipientAnyway = true
        intent.donationMetadata = metadata
        let back = try archived(intent)?.donationMetadata as? INSendMessageIntentDonationMetadata
        #expect((back?.recipientCount, back?.notifyRecipientAnyway) == (3, true))
        #expect(back?.mentionsCurrentUser == false)
    }

    @Test func `quantities, ranges and powers come back in any unit`() throws {
        let car = try #require(Self.samples.compactMap { $0 as? INCar }.first)
        #expect(car.maximumPower(for: .ccs2) == Measurement(value: 11_000, unit: .watts))
        #expect(car.maximumPower(for: .tesla) == nil)
        let climate = INSetClimateSettingsInCarIntent(
            temperature: Measurement(value: 20, unit: .celsius), climateZone: .driver)
        let back = try #require(try archived(climate))
        let celsius = try #require(back.temperature?.converted(to: .celsius).value)
        #expect(abs(celsius - 20) < 1e-9)
        #expect((back.climateZone, back.fanSpeedIndex) == (.driver, nil))
        let power = INGetCarPowerLevelStatusIntentResponse(code: .success, userActivity: nil)
        power.fuelPercentRemaining = 1
        #expect(try archived(power)?.fuelPercentRemaining == 1, "a whole number")
        let price = try #require(Self.samples.compactMap { $0 as? INPriceRange }.first)
        #expect((price.minimumPrice, price.maximumPrice) == (3, 9))
    }
}
