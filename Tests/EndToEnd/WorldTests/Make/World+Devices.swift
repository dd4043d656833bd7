/// What the person's other devices do, and those of others.
extension World {
    func makeDeviceAct(_ luck: inout Luck) -> DeviceAct {
        let container = luck.pick(containers)
        let own = "\(container)/development/private"
        let open = "\(container)/development/public"
        let type = luck.pick(Self.types + [Self.hiddenType])
        let late = "late\(luck.number(1...99))"
        func save(_ name: String, _ zone: String, _ place: String) -> DeviceWrite {
            Wire.save(
                [Wire.Draft(name: name, type: type)], verb: "forceReplace", zone: zone, user: "ada",
                at: place)
        }
        let zone = luck.pick(Self.zones)
        let writes: [DeviceWrite]
        switch luck.number(0...9) {
        case 0:
            writes = [
                Wire.createZone("Late", user: "ada", at: own), save(late, "Late", own),
            ]
        case 1: writes = [save(late, zone, own)]
        case 2: writes = [save(late, "_defaultZone", own)]
        case 3: writes = [save("ada-" + late, "_defaultZone", open)]
        case 4:
            writes = [
                Wire.createZone(zone, user: "ada", at: own), save("n1", zone, own),
                save("n2", zone, own),
            ]
        case 5: writes = [save("n\(luck.number(1...4))", "_defaultZone", own)]
        case 6: writes = [Wire.deleteZone(zone, user: "ada", at: own)]
        case 7:
            writes = [
                Wire.delete("n1", zone: luck.pick([zone, "_defaultZone"]), user: "ada", at: own)
            ]
        case 8:
            writes = [
                Wire.subscribe("watch-\(type)", to: type, user: "ada", at: luck.pick([own, open])),
                save(late, "_defaultZone", own),
            ]
        default:
            writes = [
                Wire.save(
                    [Wire.Draft(name: "ben-" + late, type: type)], zone: "_defaultZone",
                    user: "ben", at: open),
                Wire.unsubscribe("watch-Note", user: "ada", at: own),
            ]
        }
        return DeviceAct(writes: writes)
    }
}
