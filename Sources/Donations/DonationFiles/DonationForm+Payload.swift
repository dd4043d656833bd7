import Basics
import Configuration
import Donations
import JSON

// What a donation holds
extension DonationForm {
    mutating func readPayload(_ object: ConfigurationObject) throws(ConfigurationError) {
        let reader = PayloadReader(file: file)
        if let value = object.value["payload"] { row.payload = try reader.read(value).encoded }
        if let value = object.value["prediction"] {
            let key = try reader.read(value)
            if case .data(let bytes) = key {
                row.predictionKey = bytes
            } else {
                row.predictionKey = key.encoded
            }
        }
        try readUserInfo(object, reader)
        try readParameters(object, reader)
        try readImages(object)
        guard let member = object.value["nestedActivity"] else { return }
        let nested = try ConfigurationObject(
            member, in: file, name: "\"nestedActivity\"",
            keys: ["type", "persistentIdentifier", "payload"])
        let type = try nested.text(nested.required("type"), "type")
        var payload: [UInt8] = []
        if let value = nested.value["payload"] { payload = try reader.read(value).encoded }
        row.nestedActivity = Donation.NestedActivity(
            activityType: type, persistentIdentifier: try nested.text("persistentIdentifier"),
            payload: payload)
    }

    private mutating func readUserInfo(
        _ object: ConfigurationObject, _ reader: PayloadReader
    ) throws(ConfigurationError) {
        guard let value = object.value["userInfo"] else {
            if object.value["requiredKeys"] != nil {
                throw object.error(
                    "\"requiredKeys\" needs \"userInfo\"", at: object.value["requiredKeys"])
            }
            return
        }
        try refuseBoth(object, "userInfo")
        let userInfo = PayloadValue.dictionary(try reader.dictionary(value, "userInfo"))
        let required =
            object.value["requiredKeys"] == nil
            ? nil : Set(try texts(object, "requiredKeys"))
        let kept = userInfo.pruned(to: required)
        row.predictionKey = userInfo.equalityKey(requiredKeys: required)
        row.mentions = Set(row.mentions + kept.strings).sorted()
        var entries = ["userInfo": kept]
        if let required { entries["requiredUserInfoKeys"] = .set(required.map { .string($0) }) }
        row.payload = PayloadValue.dictionary(entries).encoded
    }

    private mutating func readParameters(
        _ object: ConfigurationObject, _ reader: PayloadReader
    ) throws(ConfigurationError) {
        guard let value = object.value["parameters"] else { return }
        try refuseBoth(object, "parameters")
        let parameters = try reader.dictionary(value, "parameters")
        var combinations: [Set<String>] = []
        for element in try object.list("combinations") ?? [] {
            guard element.kind == .array else {
                throw object.error("\"combinations\" must contain arrays of names", at: element)
            }
            var names: Set<String> = []
            for name in element.elements { names.insert(try object.text(name, "combinations")) }
            combinations.append(names)
        }
        let held = PayloadValue.dictionary(parameters)
        row.predictionKey = Donation.predictionKey(
            parameters: parameters, combinations: combinations)
        row.mentions = Set(row.mentions + held.strings).sorted()
        row.payload = PayloadValue.dictionary(["parameters": held]).encoded
    }

    private mutating func readImages(_ object: ConfigurationObject) throws(ConfigurationError) {
        for element in try object.list("images") ?? [] {
            let image = try ConfigurationObject(
                element, in: file, name: "an image", keys: ["parameter", "bytes"])
            guard let value = image.value["bytes"] else { continue }
            guard let bytes = value.string.flatMap({ Base64.decode($0) }) else {
                throw image.error("\"bytes\" must be base64", at: value)
            }
            let parameter = try image.text(image.required("parameter"), "parameter")
            row.images.append(Donation.Image(parameter: parameter, bytes: bytes))
        }
    }

    /// Both would say what the payload is.
    private func refuseBoth(
        _ object: ConfigurationObject, _ key: String
    ) throws(ConfigurationError) {
        for other in ["payload", "prediction"] {
            guard let value = object.value[other] else { continue }
            throw object.error("\"\(key)\" and \"\(other)\" exclude each other", at: value)
        }
    }
}
