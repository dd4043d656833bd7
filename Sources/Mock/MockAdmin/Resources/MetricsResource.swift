import CloudModel
import FileSystem
import HTTPServer
import MockFaults
import MockService
import MockStore

/// Numbers for programs that collect them.
struct MetricsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "metrics", answers: .bytes(["application/openmetrics-text"]),
            "counts requests, faults and what is stored, as OpenMetrics", show)
    ]

    /// `GET metrics`: the databases are counted first, which takes several turns.
    private func show() -> RequestOutcome {
        let job = SummaryJob()
        return .job(job) { exposition(of: job.summaries) }
    }

    private func exposition(of databases: [DatabaseSummary]) -> HTTPResponse {
        var writer = OpenMetricsWriter()
        addRequests(to: &writer)
        addJournal(to: &writer)
        addFeeds(of: databases, to: &writer)
        addStore(databases, to: &writer)
        addProcess(to: &writer)
        writer.end()
        return HTTPResponse(
            status: 200,
            headers: ["content-type": OpenMetricsWriter.mediaType, "cache-control": "no-store"],
            body: Array(writer.text.utf8))
    }

    private func addRequests(to writer: inout OpenMetricsWriter) {
        writer.begin("requests", .counter, "Requests of the service, by operation and result.")
        for (key, count) in observers.metrics.counts.sorted(by: { $0.key < $1.key }) {
            writer.add(count, ["operation": key.operation, "result": key.result])
        }
        let sums = observers.metrics.sums.sorted { $0.key < $1.key }
        writer.begin(
            "request_duration_seconds", .counter, unit: "seconds",
            "Time from a request's arrival until its response is ready, held back or not.")
        for (operation, sum) in sums {
            writer.add(microseconds: sum.microseconds, ["operation": operation])
        }
        writer.begin("request_bytes", .counter, unit: "bytes", "Bytes of request bodies.")
        for (operation, sum) in sums { writer.add(sum.requestBytes, ["operation": operation]) }
        writer.begin("response_bytes", .counter, unit: "bytes", "Bytes of response bodies.")
        for (operation, sum) in sums { writer.add(sum.replyBytes, ["operation": operation]) }
        writer.begin("faults_fired", .counter, "How often faults fired, by fault.")
        for (fault, count) in observers.metrics.faults.sorted(by: { $0.key < $1.key }) {
            writer.add(count, ["fault": fault])
        }
        writer.begin("faults", .gauge, "Faults that are set.")
        writer.add(faults.plan.entries.count)
    }

    private func addJournal(to writer: inout OpenMetricsWriter) {
        writer.begin("journal_entries", .gauge, "Requests in the journal.")
        writer.add(observers.journal.count)
        writer.begin("journal_bytes", .gauge, unit: "bytes", "Their approximate memory.")
        writer.add(observers.journal.bytes)
        writer.begin("events", .counter, "Events sent or available to event-stream clients.")
        writer.add(observers.events.newest)
        writer.begin("listeners", .gauge, "Event-stream clients.")
        writer.add(observers.listeners.count)
        writer.begin("courier_polls", .gauge, "Requests that wait for a push.")
        writer.add(scheduler.pushes.count)
    }

    private func addFeeds(
        of databases: [DatabaseSummary], to writer: inout OpenMetricsWriter
    ) {
        writer.begin(
            "feed_places", .gauge,
            "Positions issued in the feeds of live zones, by environment and database.")
        for (scope, sum) in sums(databases, \.feedPlaces) { writer.add(sum, scope) }
        writer.begin("feed_positions", .gauge, "Feeds that devices follow.")
        writer.add(observers.positions.all.count)
        writer.begin(
            "oldest_token_age_seconds", .gauge, unit: "seconds",
            "By the server's clock, the time since the device that waits longest was last "
                + "served; 0 if no device follows a feed.")
        let oldest = observers.positions.all.values.map(\.time.milliseconds).min()
        let age = oldest.map { max(0, clock.now.milliseconds - $0) } ?? 0
        writer.add(microseconds: age * 1000)
    }

    private func addStore(_ databases: [DatabaseSummary], to writer: inout OpenMetricsWriter) {
        writer.begin("databases", .gauge, "Databases that have been written to.")
        for (scope, count) in sums(databases, { _ in 1 }) { writer.add(count, scope) }
        let parts: [(String, String?, String, (DatabaseSummary) -> Int)] = [
            ("zones", nil, "Custom zones.", \.zones),
            ("records", nil, "Records.", \.records),
            ("subscriptions", nil, "Subscriptions.", \.subscriptions),
            ("assets", nil, "Assets in fields of records.", \.assets),
            ("asset_bytes", "bytes", "Bytes of assets in fields.", { Int($0.assetBytes) }),
        ]
        for (name, unit, help, part) in parts {
            writer.begin(name, .gauge, unit: unit, help)
            for (scope, sum) in sums(databases, part) { writer.add(sum, scope) }
        }
        writer.begin("users", .gauge, "Accounts.")
        writer.add(store.users.count)
        writer.begin("commit_failures", .counter, "Commits that the store rejected.")
        writer.add(scheduler.batches.failures)
    }

    private func addProcess(to writer: inout OpenMetricsWriter) {
        if let loop = scheduler.loop {
            writer.begin("connections", .gauge, "Clients connected to the server.")
            writer.add(loop.openConnections)
            writer.begin(
                "held_bytes", .gauge, unit: "bytes",
                "Bytes of requests and responses held for clients.")
            writer.add(loop.bytesHeld)
        }
        guard let resident = ProcessMemory.resident() else { return }
        writer.begin(
            "resident_memory_bytes", .gauge, unit: "bytes", "Memory of the process.")
        writer.add(resident)
    }

    /// Sums up over databases of one environment and scope, in order.
    private func sums(
        _ databases: [DatabaseSummary], _ part: (DatabaseSummary) -> Int
    ) -> [(KeyValuePairs<String, String>, Int)] {
        Container.Environment.allCases.flatMap { environment in
            Database.Scope.allCases.map { scope in
                let sum = databases.filter {
                    $0.address.environment == environment && $0.address.scope == scope
                }.reduce(0) { $0 + part($1) }
                return (["environment": environment.rawValue, "database": scope.rawValue], sum)
            }
        }
    }
}
