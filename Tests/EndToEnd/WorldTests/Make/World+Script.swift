extension World {
    /// What our client does, and what goes wrong meanwhile.
    func makeScript(_ luck: inout Luck) -> [Act] {
        let anyOrder = (0..<luck.number(1...5)).map { _ in luck.pick(Act.Verb.allCases) }
        let verbs = luck.pick([
            anyOrder, anyOrder, anyOrder, anyOrder, [Act.Verb.sweep], [.sweep], [.plan, .apply],
            [.plan, .apply], [.verify, .sweep],
            [.sweep, .resume], [.sweep, .resume, .verify], [.plan, .apply, .resume],
            [.plan, .sweep, .apply], [.sweep, .verify, .sweep], [.sweep, .resume, .resume],
            [.plan, .apply, .apply], [.verify], [.resume, .sweep],
        ])
        switch luck.number(0...99) {
        case 0..<15: return verbs.map { Act(verb: $0) }
        case 15..<35: return verbs.map { killed($0, &luck) }
        default: return verbs.map { wild($0, &luck) }
        }
    }

    private func killed(_ verb: Act.Verb, _ luck: inout Luck) -> Act {
        var act = Act(verb: verb)
        kill(&act, &luck)
        return act
    }

    private func kill(_ act: inout Act, _ luck: inout Luck) {
        let request = luck.number(1...(30 * wish.targets.count))
        switch luck.number(setup.folder == nil ? 1...3 : 0...3) {
        case 1, 2: act.cut = (luck.number(1...40), luck.chance(50))
        case 3:
            act.moments.append(
                Moment(request: request, event: .stop(luck.pick([.interrupt, .terminate]))))
        default:
            act.moments.append(
                Moment(request: request, event: .restart(afterwards: luck.chance(50))))
        }
    }

    private func wild(_ verb: Act.Verb, _ luck: inout Luck) -> Act {
        var act = Act(verb: verb)
        let last = 40 * wish.targets.count
        if luck.chance(30) { kill(&act, &luck) }
        let devices = luck.chance(45)
        if devices {
            for _ in 0..<luck.number(1...4) {
                act.moments.append(
                    Moment(
                        request: luck.number(1...last), event: .device(makeDeviceAct(&luck))))
            }
        }
        if luck.chance(15) { act.before.append(makeDeviceAct(&luck)) }
        if luck.chance(6) {
            act.moments.append(Moment(request: luck.number(1...last), event: .signOut))
        }
        if luck.chance(11) {
            act.moments.append(Moment(request: luck.number(1...last), event: .swap))
        }
        for _ in 0..<luck.pick([0, 1, 1, 2, 3]) {
            act.faults.append(makeFault(&luck))
        }
        // From a copy, so that a seed makes the same world as before there were denials.
        var other = luck
        if other.chance(12) { act.faults.append(makeDenial(&other)) }
        // A service that leaves things out, and a device that has just written them, agree.
        if !devices, !hasConflicts, luck.chance(10) { act.faults.append(makeOmission(&luck)) }
        return act
    }
}
