import CloudModel
import CloudWire
import JSON
import Testing

struct RoundTripTests {
    static let address = Database.Address(
        container: Container.ID("iCloud.com.example.notes")!, environment: .development,
        scope: .private)

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `every command arrives as it was sent`(seed: UInt64) throws {
        var make = RandomWire(seed: seed)
        for round in 0..<50 {
            let command = make.command()
            let request = WireRequest(command, at: Self.address)
            let route = try WireRoute.parse(
                method: request.method, path: request.path, query: "getCurrentSyncToken=True")
            // Paths of the device service name no database.
            let scope: Database.Scope = route.operation.isOfDevices ? .public : .private
            #expect(
                route.address
                    == Database.Address(
                        container: Self.address.container, environment: .development, scope: scope))
            #expect(route.operation == WireOperation(command))
            let decoded = try CommandDecoder().decode(route, body: request.body)
            #expect(decoded.command == command, "seed \(seed), round \(round)")
            #expect(decoded.options == WireOptions(currentSyncTokenAsked: true))
            #expect(
                WireRequest(decoded.command, at: Self.address) == request,
                "same calls, same bytes: seed \(seed), round \(round)")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `every reply arrives as it was sent`(seed: UInt64) throws {
        var make = RandomWire(seed: seed)
        var writer = ReplyWriter { "00000000-0000-4000-8000-000000000000" }
        for round in 0..<50 {
            let command = make.command(owned: true)
            let reply = make.reply(to: command)
            let options = WireOptions(
                numbersAsStrings: make.chance(50), currentSyncTokenAsked: true)
            let response = writer.write(
                reply, to: WireOperation(command), caller: "_caller", options: options)
            let read = try ReplyReader.read(
                response.body, status: response.status, to: command)
            #expect(read == reply, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `damaged requests and answers are refused or read, never a trap`(seed: UInt64) {
        var make = RandomWire(seed: seed)
        var writer = ReplyWriter { "u" }
        for _ in 0..<100 {
            let command = make.command(owned: true)
            let request = damaged(WireRequest(command, at: Self.address).body, &make)
            let route = WireRoute(address: Self.address, operation: WireOperation(command))
            do throws(CloudError) {
                _ = try CommandDecoder().decode(route, body: request)
            } catch {
                #expect(error.code == .badRequest && !error.reason.isEmpty, "seed \(seed)")
            }
            let response = writer.write(
                make.reply(to: command), to: WireOperation(command), caller: "_c")
            _ = try? ReplyReader.read(
                damaged(response.body, &make), status: response.status, to: command)
        }
    }

    /// `body` with some of its values replaced by others, or its bytes damaged.
    private func damaged(_ body: [UInt8], _ make: inout RandomWire) -> [UInt8] {
        guard make.chance(70), let root = try? JSONDocument.parse(body).root else {
            var body = body
            if !body.isEmpty { body.remove(at: make.below(body.count)) }
            return body
        }
        var json = JSONWriter()
        copy(root, to: &json, &make)
        return json.bytes
    }

    private func copy(_ value: JSONValue, to json: inout JSONWriter, _ make: inout RandomWire) {
        guard !make.chance(4) else {
            let others = [
                "null", "{}", "[]", "\"\"", "\"x\"", "1", "-1", "1.5", "true", "[{}]", "[1]",
                "1e300", "9223372036854775807", "{\"zoneName\":\"z\"}", "\"7\"",
            ]
            return json.raw(Array(make.pick(others).utf8))
        }
        switch value.kind {
        case .object:
            json.beginObject()
            for member in value.members where !make.chance(3) {
                json.key(member.key)
                copy(member.value, to: &json, &make)
            }
            json.endObject()
        case .array:
            json.beginArray()
            for element in value.elements where !make.chance(3) {
                copy(element, to: &json, &make)
            }
            json.endArray()
        case .string, .integer, .double, .bool, .null: json.value(value)
        }
    }
}
