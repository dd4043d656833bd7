/// Watches clients, where it is asked to: what they sent counts once their turn is stored.
struct ClientWatch {
    var isOn: Bool
    private(set) var checker = ClientChecker()
    /// What was sent in the open turn.
    private var waiting: [ClientExchange] = []
    /// Whether the open turn forgets what was before it.
    private var forgets = false

    init(isOn: Bool) { self.isOn = isOn }

    mutating func note(_ exchange: ClientExchange) { waiting.append(exchange) }

    /// Forgets all findings, if the turn is stored.
    mutating func forget() {
        waiting = []
        forgets = true
    }

    mutating func turnWasStored() {
        if forgets { checker.removeAll() }
        for exchange in waiting { checker.note(exchange) }
        turnWasUndone()
    }

    mutating func turnWasUndone() {
        waiting = []
        forgets = false
    }
}
