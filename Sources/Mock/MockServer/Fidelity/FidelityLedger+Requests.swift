extension FidelityLedger {
    /// Paths, bodies and containers.
    static let requests: [FidelityRule] = [
        FidelityRule(
            choice: "undeclared-container", .requests, .ours,
            asked: "a container that was not declared",
            answered: "401 AUTHENTICATION_FAILED that names the nearest; seeds, lists, schemas "
                + "and `--container` declare containers",
            on: "2026-11-23",
            change: .flag("--any-container"),
            .tests([
                "an undeclared container is named in the refusal, with the nearest",
                "a seed declares its containers",
            ])),
        FidelityRule(
            choice: "unknown-path", .requests, .observed,
            asked: "an unknown path",
            answered: "404, in JSON with NOT_FOUND",
            [.mistKit: "unknown operations"],
            .tests(["what leads nowhere gets JSON, an identifier and CORS"])),
        FidelityRule(
            choice: "long-request", .requests, .ours,
            asked: "a request of more than 2 MB without its assets",
            answered: "400 BAD_REQUEST that names the limit",
            [.headers: "CKError 27; it does not name the error"],
            on: "2026-11-23",
            change: .option("bodyBytesMax"),
            .tests(["as many operations, and a body as long, as is allowed"])),
        FidelityRule(
            choice: "request-rate", .requests, .ours,
            asked: "more requests of a device than it may send",
            answered: "429 THROTTLED with `retryAfter`, which doubles with each consecutive "
                + "refusal up to five minutes; without the setting, any number is accepted",
            [.technote: "it does not give a number"],
            on: "2026-11-23",
            change: .option("throttlePerMinute"),
            .tests([
                "a device that sends too many requests is throttled, and longer each time",
                "after the burst a client has to wait, each time twice as long",
            ])),
        FidelityRule(
            choice: "body-over-the-limit", .requests, .ours,
            asked: "a body over the limit",
            answered: "413 with BAD_REQUEST",
            on: "2026-11-20",
            .tests(["a body that is too long is refused in JSON"])),
    ]
}
