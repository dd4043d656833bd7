package import CloudModel
internal import JSON

/// A command as it goes over HTTP: without host and credentials.
package struct WireRequest: Sendable, Hashable {
    /// `GET` or `POST`.
    package let method: String
    /// Begins with `/database/1/` or `/device/1/`; nothing in it needs escaping.
    package let path: String
    /// Empty with GET.
    package let body: [UInt8]

    /// Spells `command` for the database at `address`.
    ///
    /// Numbers that are not finite, which JSON lacks, are sent as `null`: the field is cleared.
    package init(_ command: CloudCommand, at address: Database.Address) {
        let operation = WireOperation(command)
        let place =
            operation.isOfDevices
            ? "/device/1/\(address.container)/\(address.environment.rawValue)"
            : "/database/1/\(address)"
        path = "\(place)/\(operation.rawValue)"
        let arguments = Self.body(of: command)
        let isGET = operation.facts.methods.contains("GET") && arguments.count == "{}".utf8.count
        method = isGET ? "GET" : "POST"
        body = isGET ? [] : arguments
    }

    /// A command's arguments as a JSON object; `{}` without any.
    package static func body(of command: CloudCommand) -> [UInt8] {
        var json = JSONWriter()
        json.object { $0.arguments(of: command) }
        return json.bytes
    }
}

/// Reads the body of a request.
///
/// Tolerant where clients in use differ: `null` is absent, unknown keys are ignored, an empty body
/// is `{}`. What is missing or of a wrong type is a `BAD_REQUEST` that names the key.
package struct CommandDecoder: Sendable {
    /// Whether numbers may come in quotation marks, as clients that read them so may send them.
    private let acceptsQuotedNumbers: Bool
    /// Operations, names or zones that a request may have.
    private let itemsMax: Int

    /// A decoder; lenient about numbers unless told otherwise.
    ///
    /// - Parameter itemsMax: Fewer than the service allows, to meet its limit with few.
    package init(acceptsQuotedNumbers: Bool = true, itemsMax: Int = WireLimits.operationsMax) {
        self.acceptsQuotedNumbers = acceptsQuotedNumbers
        self.itemsMax = itemsMax
    }

    var fields: FieldReader { FieldReader(acceptsQuotedNumbers: acceptsQuotedNumbers) }
    var queries: QueryReader { QueryReader(fields: fields) }

    /// The command that `body` spells.
    ///
    /// - Throws: `CloudError` with the code `badRequest`: malformed, over a limit, more than 200
    ///   operations, or two operations on one record, zone or subscription.
    package func decode(
        _ route: WireRoute, body: [UInt8]
    ) throws(CloudError) -> (command: CloudCommand, options: WireOptions) {
        do throws(ShapeError) {
            let root = try parsed(body)
            var options = WireOptions(currentSyncTokenAsked: route.query.wantsCurrentSyncToken)
            options.numbersAsStrings = try numbersAsStrings(root) ?? false
            let command = try command(route.operation, root)
            if route.operation == .zoneChanges {
                for (index, zone) in try items("zones", in: root).enumerated() {
                    options.zoneNumbersAsStrings[index] = try numbersAsStrings(zone)
                }
            }
            return (command, options)
        } catch {
            throw CloudError(.badRequest, reason: error.reason)
        }
    }

    /// One page of the reference spells it without the "s".
    private func numbersAsStrings(_ object: JSONValue) throws(ShapeError) -> Bool? {
        let asked = (try object.flag("numbersAsStrings"), try object.flag("numberAsStrings"))
        return asked.0 == nil && asked.1 == nil ? nil : asked.0 == true || asked.1 == true
    }

    /// The command of an operation that `body` spells, as ``WireRequest/body(of:)`` wrote it.
    ///
    /// - Throws: `CloudError` with the code `badRequest`.
    package func decode(
        _ operation: WireOperation, body: [UInt8]
    ) throws(CloudError) -> CloudCommand {
        do throws(ShapeError) {
            return try command(operation, try parsed(body))
        } catch {
            throw CloudError(.badRequest, reason: error.reason)
        }
    }

    private func parsed(_ body: [UInt8]) throws(ShapeError) -> JSONValue {
        guard body.count <= WireLimits.requestBytesMax else {
            throw ShapeError(
                reason: CloudError.tooLongARequest(WireLimits.requestBytesMax).reason)
        }
        let limits = JSONLimits(
            bytesMax: WireLimits.requestBytesMax, depthMax: WireLimits.requestDepthMax)
        do throws(JSONError) {
            let root = try JSONDocument.parse(
                body.isEmpty ? Self.emptyObject : body, limits: limits
            )
            .root
            guard root.kind == .object else {
                throw JSONError("the body must be an object", at: root.location)
            }
            return root
        } catch {
            throw ShapeError(reason: "the body is not JSON: \(error)")
        }
    }
    private static let emptyObject = Array("{}".utf8)

    /// The items under `key`, which must be there and not be too many.
    func items(
        _ key: String, in root: JSONValue, max: Int = WireLimits.operationsMax
    ) throws(ShapeError) -> JSONElements {
        guard let items = try root.list(key) else { throw .missing(key, in: root) }
        let max = min(max, itemsMax)
        guard items.count <= max else {
            throw ShapeError(reason: "'\(key)' holds \(items.count) items, more than \(max)")
        }
        return items
    }
}

extension CloudError {
    /// A request has more bytes than it may have.
    package static func tooLongARequest(_ bytesMax: Int) -> CloudError {
        CloudError(.badRequest, reason: "the request is larger than \(bytesMax) bytes")
    }
}

/// What a request says about the form of its answer.
package struct WireOptions: Sendable, Hashable {
    /// Whether numbers in fields are to be sent in quotation marks.
    package var numbersAsStrings: Bool
    /// The same for single zones of `changes/zone`, by their place in the request.
    package var zoneNumbersAsStrings: [Int: Bool] = [:]
    /// Whether queries and lookups answer with the zone's sync token.
    package var currentSyncTokenAsked: Bool

    /// The documented defaults, or others.
    package init(numbersAsStrings: Bool = false, currentSyncTokenAsked: Bool = false) {
        self.numbersAsStrings = numbersAsStrings
        self.currentSyncTokenAsked = currentSyncTokenAsked
    }
}
