import CloudModel
import Testing

/// Each error of the service, all the way from the server to the client's caller.
@Suite struct ServerErrorTests {
    private func world() throws -> (World, ServerService) {
        let world = try World(.tls, isAlone: true)
        guard let service = world.service as? ServerService else { throw Odd() }
        return (world, service)
    }

    private static let serviceCodes = CloudError.Code.allCases.filter {
        // An atomic batch alone fails so, and with items.
        $0.isServiceCode && $0 != .atomicError
    }

    @Test func `each code of a whole request arrives as itself, with its status`() async throws {
        let (world, service) = try world()
        for code in Self.serviceCodes {
            try await service.setFaults("zones/list -> \(code.rawValue) reason because")
            let refusal = await world.ada.refusal(.read(.listZones(token: nil)))
            #expect(refusal?.code == code)
            #expect(refusal?.httpStatus == code.httpStatus, "\(code)")
            #expect(refusal?.reason == "because", "\(code)")
        }
    }

    @Test func `each code of one item arrives as itself, and its siblings are carried out`()
        async throws
    {
        let (world, service) = try world()
        try await world.ada.create("Notes")
        for code in Self.serviceCodes {
            try await service.setFaults("records/modify -> \(code.rawValue) on 1 items")
            let reply = try await world.ada.modify(
                [.make(.forceUpdate, "a"), .make(.forceUpdate, "b")], atomic: false)
            #expect(reply.records.compactMap(\.code) == [code])
            #expect(reply.records.compactMap(\.record).count == 1, "\(code)")
        }
    }

    @Test func `C-113 a wait the server asks for arrives`() async throws {
        let (world, service) = try world()
        for code in [CloudError.Code.throttled, .tryAgainLater] {
            try await service.setFaults("zones/list -> \(code.rawValue) retry 30s")
            let refusal = await world.ada.refusal(.read(.listZones(token: nil)))
            #expect(refusal?.code == code && refusal?.retryAfter == .seconds(30))
        }
    }

    @Test func `C-116 an answer lost before or after the commit may have been carried out`()
        async throws
    {
        let (world, service) = try world()
        try await world.ada.create("Notes")
        for (moment, isThere) in [("before", false), ("after", true)] {
            try await service.setFaults("records/modify -> cut \(moment) commit")
            let request = RecordModifyRequest(
                operations: [.make(.create, moment)], zoneID: RecordZone.ID("Notes"))
            #expect(await world.ada.code(.write(.modifyRecords(request))) == .responseLost)
            try await service.setFaults()
            #expect(try await world.ada.exists(moment) == isThere)
        }
    }
}
