package import CloudModel
internal import JSON

/// Reads the body of a request.
///
/// Tolerant where clients in use differ: `null` is absent, unknown keys are ignored, an empty body
/// is `{}`. What is missing or of a wrong type is a `BAD_REQUEST` that names the key.
package struct CommandDecoder: Sendable {
    /// Whether numbers may come in quotation marks, as clients that read them so may send them.
    private let acceptsQuotedNumbers: Bool

    /// A decoder; lenient about numbers unless told otherwise.
    package init(acceptsQuotedNumbers: Bool = true) {
        self.acceptsQuotedNumbers = acceptsQuotedNumbers
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
            // One page of the reference spells it without the "s".
            let asked = (try root.flag("numbersAsStrings"), try root.flag("numberAsStrings"))
            options.numbersAsStrings = asked.0 == true || asked.1 == true
            return (try command(route.operation, root), options)
        } catch {
            throw CloudError(.badRequest, reason: error.reason)
        }
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
                reason: "the request is larger than \(WireLimits.requestBytesMax) bytes")
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

    private func command(
        _ operation: WireOperation, _ root: JSONValue
    ) throws(ShapeError) -> CloudCommand {
        switch operation {
        case .listZones: .read(.listZones(token: try token("syncToken", in: root)))
        case .lookUpZones: .read(.lookUpZones(try zoneLookups(root)))
        case .modifyZones: .write(.modifyZones(try zoneOperations(root)))
        case .zoneListChanges:
            .read(
                .zoneListChanges(
                    token: try token("metaSyncToken", in: root),
                    limit: try root.positive("resultsLimit")))
        case .databaseChanges:
            .read(
                .databaseChanges(
                    token: try token("syncToken", in: root),
                    limit: try root.positive("resultsLimit")))
        case .zoneChanges: .read(.zoneChanges(try zoneChanges(root)))
        case .recordChanges: .read(.zoneChanges([try zoneChange(root, defaults: root)]))
        case .queryRecords: .read(.queryRecords(try recordQuery(root)))
        case .lookUpRecords: .read(.lookUpRecords(try recordLookup(root)))
        case .modifyRecords: .write(.modifyRecords(try recordModify(root)))
        case .listSubscriptions: .read(.listSubscriptions)
        case .lookUpSubscriptions: .read(.lookUpSubscriptions(try subscriptionLookups(root)))
        case .modifySubscriptions: .write(.modifySubscriptions(try subscriptionOperations(root)))
        case .currentUser: .read(.currentUser)
        case .caller: .read(.caller)
        case .restrict: .write(.restrict)
        case .unrestrict: .write(.unrestrict)
        }
    }

    /// A change token; the empty one, "caught up", is kept apart from none.
    func token(_ key: String, in object: JSONValue) throws(ShapeError) -> ChangeToken? {
        try object.text(key).map(ChangeToken.init)
    }

    /// The items under `key`, which must be there and not be too many.
    func items(
        _ key: String, in root: JSONValue, max: Int = WireLimits.operationsMax
    ) throws(ShapeError) -> JSONElements {
        guard let items = try root.list(key) else { throw .missing(key, in: root) }
        guard items.count <= max else {
            throw ShapeError(reason: "'\(key)' holds \(items.count) items, more than \(max)")
        }
        return items
    }
}
