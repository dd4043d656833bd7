extension FidelityLedger {
    /// Paths, bodies and containers.
    static let requests: [FidelityRule] = [
        FidelityRule(
            choice: "undeclared-container", .requests, .ours,
            asked: "a container that nobody declared",
            answered: """
                401 AUTHENTICATION_FAILED that names the nearest; seeds, lists, schemas and \
                `--container` declare
                """,
            on: "2026-11-23",
            change: .flag("--any-container"),
            .tests([
                "a container that nobody declared is named in the refusal, with the nearest",
                "a seed declares its containers",
            ])),
        FidelityRule(
            choice: "unknown-path", .requests, .observed,
            asked: "a path that nobody has",
            answered: "404, in JSON with NOT_FOUND",
            [.mistKit: "unknown operations"],
            .tests(["what leads nowhere gets JSON, an identifier and CORS"])),
        FidelityRule(
            choice: "body-over-the-limit", .requests, .ours,
            asked: "a body over the limit",
            answered: "413 with BAD_REQUEST",
            on: "2026-11-20",
            .tests(["a body that is too long is refused in JSON"])),
    ]
}
