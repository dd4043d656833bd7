/// Does one thing for each of many, at most `limit` at a time.
///
/// - Returns: what came of each, in the order of `things`.
func atOnce<Thing: Sendable, Value: Sendable>(
    _ limit: Int, _ things: [Thing],
    _ body: @escaping @Sendable (Thing) async throws(CKError) -> Value
) async -> [(Thing, Result<Value, CKError>)] {
    typealias Done = (place: Int, result: Result<Value, CKError>)
    let done = await withTaskGroup(of: Done.self) { group in
        var done: [Done] = []
        for (place, thing) in things.enumerated() {
            if place >= limit, let one = await group.next() { done.append(one) }
            group.addTask {
                do throws(CKError) {
                    return (place, .success(try await body(thing)))
                } catch {
                    return (place, .failure(error))
                }
            }
        }
        for await one in group { done.append(one) }
        return done
    }
    return done.sorted { $0.place < $1.place }.map { (things[$0.place], $0.result) }
}
