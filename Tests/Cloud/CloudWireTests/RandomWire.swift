import Basics
import CloudModel

/// Makes random commands and replies that the wire can carry without loss.
struct RandomWire {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
    mutating func maybe<Value>(_ make: (inout RandomWire) -> Value) -> Value? {
        chance(50) ? make(&self) : nil
    }
    mutating func some<Value>(
        _ range: ClosedRange<Int>, _ make: (inout RandomWire) -> Value
    ) -> [Value] {
        (0..<range.lowerBound + below(range.count)).map { _ in make(&self) }
    }

    mutating func text() -> String {
        let pieces = ["a", "Zone", "\"", "\\", "é", "😀", "-", " ", "0", "\n", "name", "/", "+"]
        return "x" + some(0...4) { $0.pick(pieces) }.joined()
    }
    mutating func name() -> String { "\(text())-\(random.hexadecimal(6))" }
    mutating func names() -> [String] { some(0...4) { $0.name() } }
    mutating func owner() -> String { "_" + random.hexadecimal(32) }
    /// A token as requests have it: the empty one means "caught up".
    mutating func token() -> ChangeToken { chance(10) ? ChangeToken("") : filledToken() }
    /// A token as answers have it.
    mutating func filledToken() -> ChangeToken {
        ChangeToken(Base64.encode(some(1...20) { UInt8($0.below(256)) }))
    }
    mutating func zoneID(owned: Bool = false) -> RecordZone.ID {
        let zoneName = chance(20) ? "_defaultZone" : name()
        return RecordZone.ID(zoneName, ownerRecordName: owned || chance(40) ? owner() : nil)
    }
    mutating func timestamp() -> Timestamp {
        Timestamp(milliseconds: Int64(bitPattern: random.next()) >> Int64(below(40)))
    }
    mutating func double() -> Double {
        let value = Double(bitPattern: random.next())
        return value.isFinite && chance(50) ? value : Double(below(2000) - 1000) / 8
    }
    mutating func location() -> Location {
        var location = Location(latitude: double(), longitude: double())
        location.horizontalAccuracy = maybe { $0.double() }
        location.verticalAccuracy = maybe { $0.double() }
        location.altitude = maybe { $0.double() }
        location.speed = maybe { $0.double() }
        location.course = maybe { $0.double() }
        location.timestamp = maybe { $0.timestamp() }
        return location
    }
    mutating func reference(owned: Bool = false) -> Record.Reference {
        Record.Reference(
            name(), zoneID: maybe { $0.zoneID(owned: owned) },
            action: pick(Record.Reference.Action.allCases))
    }
    mutating func asset() -> Asset {
        var asset = Asset(fileChecksum: name(), size: Int64(below(1 << 30)))
        asset.referenceChecksum = maybe { $0.text() }
        asset.wrappingKey = maybe { $0.text() }
        asset.receipt = maybe { $0.text() }
        asset.downloadURL = maybe { $0.text() }
        return asset
    }
    mutating func scalar(_ kind: FieldValue.Kind, owned: Bool) -> FieldValue {
        switch kind {
        case .string: .string(chance(10) ? "" : text())
        case .int64: .int64(Int64(bitPattern: random.next()) >> Int64(below(64)))
        case .double: .double(double())
        case .bytes: .bytes(some(0...20) { UInt8($0.below(256)) })
        case .timestamp: .timestamp(timestamp())
        case .location: .location(location())
        case .reference: .reference(reference(owned: owned))
        case .asset: .asset(asset())
        }
    }
    mutating func value(_ kind: FieldValue.Kind, owned: Bool, listMin: Int = 0) -> FieldValue {
        guard chance(30) else { return scalar(kind, owned: owned) }
        return .list(kind, some(listMin...4) { $0.scalar(kind, owned: owned) })
    }
    mutating func typedField(owned: Bool) -> Field {
        Field(
            value(pick(FieldValue.Kind.allCases), owned: owned), isEncrypted: chance(20))
    }
    /// Untyped values must be of a type that can be told from the JSON alone.
    mutating func untypedValue() -> FieldValue {
        value(
            pick([.string, .int64, .double, .location, .reference, .asset]), owned: false,
            listMin: 1)
    }
    mutating func requestField() -> Field? {
        if chance(15) { return nil }
        if chance(60) { return typedField(owned: false) }
        return Field(untypedValue(), isEncrypted: chance(20), isTyped: false)
    }

    mutating func queryKey() -> Query.Key {
        chance(50) ? .field(name()) : .system(pick(Query.SystemField.allCases))
    }
    mutating func query() -> Query {
        Query(
            recordType: name(), filters: some(0...3) { $0.filter() },
            sorts: some(0...3) { make in
                let place = make.maybe { $0.location() }
                return Query.Sort(
                    make.queryKey(), ascending: make.chance(50), relativeLocation: place)
            })
    }
    mutating func filter() -> Query.Filter {
        let comparator = pick(Query.Comparator.allCases)
        let isTyped = chance(60)
        let searches = comparator == .containsAllTokens || comparator == .containsAnyTokens
        return Query.Filter(
            comparator, searches && chance(50) ? .anyField : queryKey(),
            isTyped ? typedField(owned: false).value : untypedValue(), isTyped: isTyped,
            distance: comparator == .near ? maybe { Double($0.below(9999)) / 4 } : nil)
    }
    mutating func subscription(owned: Bool = false) -> Subscription {
        var made = Subscription(subscriptionID: name(), kind: pick(Subscription.Kind.allCases))
        if made.kind == .query { made.query = query() }
        if made.kind == .zone || chance(20) { made.zoneID = zoneID(owned: owned) }
        made.zoneWide = chance(50)
        made.firesOnce = chance(50)
        made.firesOn = Subscription.Event.allCases.filter { _ in chance(50) }
        made.notificationInfo = maybe { make in
            var info = Subscription.NotificationInfo()
            info.alertBody = make.maybe { $0.text() }
            info.alertLocalizationKey = make.maybe { $0.text() }
            info.alertLocalizationArgs = make.maybe { $0.names() }
            info.alertActionLocalizationKey = make.maybe { $0.text() }
            info.alertLaunchImage = make.maybe { $0.text() }
            info.soundName = make.maybe { $0.text() }
            info.shouldBadge = make.maybe { $0.chance(50) }
            info.shouldSendContentAvailable = make.maybe { $0.chance(50) }
            info.additionalFields = make.maybe { $0.names() }
            info.category = make.maybe { $0.text() }
            return info
        }
        return made
    }
}
