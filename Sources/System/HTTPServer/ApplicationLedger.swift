/// Whose code runs on the loop, who has something to commit in this turn, and who may work in the background.
struct ApplicationLedger {
    /// The one that was given to the server.
    let first: any HTTPApplication
    /// Whose code runs.
    var current: any HTTPApplication
    private var working: [any HTTPApplication] = []
    private var workingIDs: Set<ObjectIdentifier> = []
    /// Those that may have background work, the next one first.
    private var idle: [any HTTPApplication] = []
    private var idleIDs: Set<ObjectIdentifier> = []

    init(_ first: any HTTPApplication) {
        self.first = first
        current = first
        mayIdle(first)
    }

    /// Whether something of this turn has to be committed.
    var hasWork: Bool { !working.isEmpty }

    /// Has an application's work committed at the end of the turn.
    mutating func work(_ application: any HTTPApplication) {
        if workingIDs.insert(ObjectIdentifier(application)).inserted { working.append(application) }
    }

    /// Hands out those whose work is to be committed. They may have left some for the background.
    mutating func takeWorking() -> [any HTTPApplication] {
        defer {
            working.removeAll(keepingCapacity: true)
            workingIDs.removeAll(keepingCapacity: true)
        }
        for application in working { mayIdle(application) }
        return working
    }

    /// Whether anybody may have background work.
    var mayIdle: Bool { !idle.isEmpty }

    /// Has an application asked for background work, after those that wait already.
    mutating func mayIdle(_ application: any HTTPApplication) {
        if idleIDs.insert(ObjectIdentifier(application)).inserted { idle.append(application) }
    }

    /// The next one to be asked for background work.
    mutating func nextIdle() -> (any HTTPApplication)? {
        guard !idle.isEmpty else { return nil }
        let next = idle.removeFirst()
        idleIDs.remove(ObjectIdentifier(next))
        return next
    }

    /// Forgets an application that is no more.
    mutating func remove(_ application: any HTTPApplication) {
        working.removeAll { $0 === application }
        workingIDs.remove(ObjectIdentifier(application))
        idle.removeAll { $0 === application }
        idleIDs.remove(ObjectIdentifier(application))
    }
}
