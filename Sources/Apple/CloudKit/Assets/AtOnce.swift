import AsyncOperations

/// Does one thing for each of many, at most `limit` at a time.
///
/// - Returns: what came of each, in the order of `things`.
func atOnce<Thing: Sendable, Value: Sendable>(
    _ limit: Int, _ things: [Thing],
    _ body: @escaping @Sendable (Thing) async throws(CKError) -> Value
) async -> [(Thing, Result<Value, CKError>)] {
    // Not as results of the tasks: the thread of a task that has ended may keep the task, and with it
    // its result, for a while after whoever waited for it goes on.
    let done = Locked<[Result<Value, CKError>?]>(Array(repeating: nil, count: things.count))
    await withTaskGroup(of: Void.self) { group in
        for (place, thing) in things.enumerated() {
            if place >= limit { await group.next() }
            group.addTask {
                do throws(CKError) {
                    let value = try await body(thing)
                    done.withLock { $0[place] = .success(value) }
                } catch {
                    done.withLock { $0[place] = .failure(error) }
                }
            }
        }
    }
    let results = done.withLock { done in
        defer { done = [] }
        return done
    }
    return zip(things, results).map { ($0, $1 ?? .failure(CKDatabase.noAnswer)) }
}
