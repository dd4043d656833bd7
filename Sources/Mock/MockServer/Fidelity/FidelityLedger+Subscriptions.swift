extension FidelityLedger {
    /// Subscriptions, pushes and the courier that brings them.
    static let subscriptions: [FidelityRule] = [
        FidelityRule(
            109, .subscriptions, .inferred,
            asked: "a subscription to a missing zone",
            answered: "refused for that item alone",
            [.appleTests: "testRecoverFromZoneDuplicateSubscriptionFailure"],
            .tests(["C-109"])),
        FidelityRule(
            110, .subscriptions, .documented,
            asked: "a query subscription in a shared database",
            answered: "refused",
            [.headers: "CKQuerySubscription"],
            .tests(["C-110"])),
        FidelityRule(
            111, .subscriptions, .documented,
            asked: "a change that a subscription matches",
            answered: "pushed to all devices of the user except the one that wrote; a hint, "
                + "which may be lost or merged with others",
            [.headers: "CKSubscription", .forums: "CloudKit"],
            .tests(["C-111"])),
        FidelityRule(
            choice: "second-query-subscription", .subscriptions, .observed,
            asked: "a second query subscription under another ID",
            answered: "allowed where type, predicate, zone or events differ; else INTERNAL_ERROR",
            [.mistKit: "subscriptions"],
            .tests([
                "the same ID twice succeeds, the same watch under another ID does not",
                "one type can be watched by several queries, zones and events",
            ])),
        FidelityRule(
            choice: "subscription-events", .subscriptions, .ours,
            asked: "when a query subscription fires",
            answered: "`create` and `update` if the new record matches, `delete` if the old one "
                + "matched; parents that change with a child do not fire",
            on: "2026-11-23",
            .tests(["a query subscription fires on its events and on records that fit"])),
        FidelityRule(
            choice: "who-wrote", .subscriptions, .ours,
            asked: "which client made a write, and so gets no push",
            answered: "a client that names itself by `clientId` (in the query of a write, in "
                + "the body of `tokens/create`); otherwise the device that the web token was "
                + "issued for; otherwise the sign-in of the web token, so two tokens of one "
                + "user are two devices",
            on: "2026-11-23",
            .tests(["C-111", "clients that name themselves are distinguished"])),
        FidelityRule(
            choice: "waiting-pushes", .subscriptions, .ours,
            asked: "pending pushes",
            answered: "one for the same subscription and record, zone or database replaces "
                + "earlier ones; 100 for a device and 10,000 in all, in memory; delivered once, "
                + "when written to the connection; discarded by a restore, and by a reset "
                + "together with the devices",
            [.mistKit: "web courier, delivered once"],
            on: "2026-11-23",
            .tests([
                "pending pushes are sent once, with the current state",
                "a restore discards pending pushes, a reset the devices too",
            ])),
        FidelityRule(
            choice: "push-payload", .subscriptions, .ours,
            asked: "a push's payload",
            answered: "keys as clients read them; `af` in `qry` has up to three "
                + "`additionalFields` as plain values; values over 256 bytes and those that "
                + "make a push longer than 4096 bytes are omitted, and `p` is 1",
            [.openCloudKit: "CKNotification"],
            on: "2026-11-23",
            .tests(["a push says what the documents say it does"])),
        FidelityRule(
            choice: "courier-wait", .subscriptions, .ours,
            asked: "how long a push request may wait",
            answered: "30 seconds, then an empty 200; four requests per device, 1,000 in all, "
                + "then 503",
            [.mistKit: "web courier"],
            on: "2026-11-23",
            .tests([
                "who has waited long enough gets an empty answer",
                "many can wait for one device, and each is answered",
            ])),
        FidelityRule(
            choice: "courier-token", .subscriptions, .ours,
            asked: "an unknown token at the push service",
            answered: "401 AUTHENTICATION_FAILED",
            on: "2026-11-23",
            .tests(["a token that was never issued is refused"])),
    ]
}
