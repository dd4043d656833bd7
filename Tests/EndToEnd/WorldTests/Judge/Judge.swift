/// Holds one command of our client against the plain truth. Shares no code with the engine.
struct Judge {
    let world: World
    let act: World.Act
    let verdict: Verdict
    let before: Contents
    let after: Contents
    /// What our client asked, and was answered.
    let log: [Exchange]
    let ledger: Ledger
    /// When the command began, in the world's milliseconds.
    let began: Int64
    var memory: Memory
    private(set) var violations: [Violation] = []

    init(
        world: World, act: World.Act, verdict: Verdict, before: Contents, after: Contents,
        log: [Exchange], ledger: Ledger, began: Int64, memory: Memory
    ) {
        self.world = world
        self.act = act
        self.verdict = verdict
        self.before = before
        self.after = after
        self.log = log
        self.ledger = ledger
        self.began = began
        self.memory = memory
    }

    var wish: Wish { world.wish }
    var deletions: [Exchange] { log.filter(\.isModifying) }

    mutating func say(_ kind: String, _ text: String) {
        violations.append(Violation(kind: kind, text: text))
    }

    mutating func judge() {
        rememberTypes()
        checkInternal()
        checkWhoOnlyLooks()
        checkDone()
        checkRows()
        checkWhoWasAsked()
        checkApproval()
        checkWhatStays()
        checkRequests()
        checkDiscovery()
        checkSums()
        checkCounts()
        checkVanished()
        checkNotFound()
        forgetSources()
    }

    private mutating func checkInternal() {
        guard verdict.status == .internalError, act.cut == nil else { return }
        say("internal error", verdict.explanation)
    }

    /// What only looks, and what says that it deleted nothing, has sent nothing that deletes.
    private mutating func checkWhoOnlyLooks() {
        if act.verb == .plan || act.verb == .verify, !deletions.isEmpty {
            say("S13 a \(act.verb.rawValue) sends writes", "\(deletions.count) writes")
        }
        if verdict.saysNothingDeleted, !deletions.isEmpty {
            say(
                "S2 \(verdict.status), and deleting requests were sent",
                "\(deletions.count) writes, first \(deletions[0].operation)")
        }
    }
}
