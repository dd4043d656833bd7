internal import CloudModel
internal import JSON

extension JSONValue {
    fileprivate func apnsEnvironment() throws(ShapeError) -> PushToken.Environment {
        let value = try required("apnsEnvironment")
        guard let known = PushToken.Environment(rawValue: try value.text().lowercased()) else {
            throw .wrong(value, expected: "development or production")
        }
        return known
    }

    fileprivate func apnsToken() throws(ShapeError) -> String {
        let value = try required("apnsToken")
        let text = try value.text()
        guard (1...WireLimits.pushTokenMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .wrong(value, expected: "1 to \(WireLimits.pushTokenMax) ASCII characters") }
        return text
    }
}

extension CommandDecoder {
    func tokenCreation(_ root: JSONValue) throws(ShapeError) -> CloudWrite {
        .createToken(try root.apnsEnvironment(), clientID: try root.filledText("clientId"))
    }

    func pushToken(_ root: JSONValue) throws(ShapeError) -> PushToken {
        PushToken(try root.apnsToken(), try root.apnsEnvironment())
    }
}

extension AnswerReader {
    func pushToken() throws(ShapeError) -> PushToken {
        PushToken(
            try root.apnsToken(), try root.apnsEnvironment(),
            courierURL: try root.filledText("webcourierURL"))
    }
}

extension JSONWriter {
    mutating func pushToken(_ token: PushToken) {
        member("apnsEnvironment", token.environment.rawValue)
        member("apnsToken", token.token)
        member("webcourierURL", token.courierURL)
    }
}
