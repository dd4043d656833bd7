extension FidelityLedger {
    /// Errors, waits and lost answers.
    static let errors: [FidelityRule] = [
        FidelityRule(
            113, .errors, .documented,
            asked: "the service asks a client to wait",
            answered: "503 with a wait, natively serviceUnavailable (6)",
            [.technote: ""],
            change: .words("a fault"),
            .tests(["C-113"])),
        FidelityRule(
            114, .errors, .observed,
            asked: "the next operation of the kind before that time",
            answered: "refused by the device itself; other kinds may succeed",
            [.technote: "", .forums: "770908"],
            .reason("the native framework refuses this itself, without a request")),
        FidelityRule(
            115, .errors, .documented,
            asked: "a busy zone",
            answered: "an error with a wait, TRY_AGAIN_LATER on the wire; the client waits "
                + "longer each time",
            [.headers: "CKError 23"],
            change: .words("a fault"),
            .tests(["A-115"])),
        FidelityRule(
            116, .errors, .documented,
            asked: "a response is lost",
            answered: "the write may have been executed: repeat it if it is idempotent, "
                + "otherwise read first",
            [.headers: "CKError 34"],
            change: .words("a fault"),
            .tests(["C-116"])),
        FidelityRule(
            117, .errors, .inferred,
            asked: "an outage of minutes",
            answered: "what a client sends again afterwards arrives once, in order",
            [.appleTests: "testOutgoingQueueRecoverFromCKServerLastingOutage"],
            change: .words("a fault"),
            .tests(["A-117"])),
        FidelityRule(
            118, .errors, .inferred,
            asked: "a record is deleted while it is being uploaded",
            answered: "it stays deleted",
            [.appleTests: "testDeleteItemDuringAddUpload"],
            .reason("the order in which a client sends what it has queued")),
    ]
}
