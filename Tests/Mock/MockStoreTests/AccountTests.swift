import CloudModel
import MockStore
import Testing

@Suite struct AccountTests {
    @Test func `user record names differ by user, container, environment and seed only`() throws {
        let world = try World(seed: 7)
        let other = Container.ID("iCloud.com.example.other")!
        func names(_ world: World) throws -> [String] {
            try world.cloud.withStore { store in
                [
                    store.userRecordName(of: "ada", in: World.container, .development),
                    store.userRecordName(of: "bob", in: World.container, .development),
                    store.userRecordName(of: "ada", in: other, .development),
                    store.userRecordName(of: "ada", in: World.container, .production),
                ]
            }
        }
        let first = try names(world)
        #expect(Set(first).count == 4)
        for name in first {
            #expect(name.hasPrefix("_") && name.utf8.count == 33)
            #expect(
                name.utf8.dropFirst().allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
                })
        }
        #expect(try names(World(seed: 7)) == first)
        #expect(try names(World(seed: 8)) != first)
    }

    @Test func `unknown containers exist once asked for, or are refused`() throws {
        let world = try World()
        #expect(world.ada.code(.read(.listZones(token: nil))) == nil)
        try world.set { $0.autoCreateContainers = false }
        #expect(world.ada.code(.read(.listZones(token: nil))) == .authenticationFailed)
        try world.cloud.withStore { try $0.addContainer(World.container) }
        #expect(world.ada.code(.read(.listZones(token: nil))) == nil)
    }

    @Test func `a summary tells who is restricted`() throws {
        let world = try World()
        #expect(try world.ada.ask(.write(.restrict)) == .done)
        let summary = try world.cloud.withStore { try $0.summary() }
        #expect(summary.first { $0.user == "ada" }?.isRestricted == true)
    }
}
