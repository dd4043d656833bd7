import ErasureQueue

/// The queue as one would write it without thinking: lists, and a loop for everything.
struct PlainQueue {
    struct Request: Hashable {
        let id: Int64
        let person: String
        let order: String
        let due: Int64
        var state = RequestState.ready
        var attempt: Int64 = 0
        var fence: Int64 = 0
        var holder: UInt8?
    }
    struct Worker {
        var isDead = false
        var isSilent = false
    }

    let attemptsMax: Int64
    var requests: [Request] = []
    var workers: [UInt8: Worker] = [:]

    /// The open request that is the same, or nil.
    func open(_ person: String, _ order: String) -> Int64? {
        for request in requests where request.person == person && request.order == order {
            if request.state.isOpen { return request.id }
        }
        return nil
    }

    /// The request that a claim leases, as it is then.
    mutating func claim(_ worker: UInt8) -> Request? {
        workers[worker]?.isSilent = false
        var best: Int?
        for index in requests.indices where requests[index].state == .ready {
            let request = requests[index]
            if requests.contains(where: { $0.person == request.person && $0.state == .leased }) {
                continue
            }
            if let known = best {
                let other = requests[known]
                if (other.due, other.id) < (request.due, request.id) { continue }
            }
            best = index
        }
        guard let best else { return nil }
        requests[best].state = .leased
        requests[best].attempt += 1
        requests[best].fence += 1
        requests[best].holder = worker
        return requests[best]
    }

    /// Where the request of a lease is, if the lease is still the present one.
    func holding(_ id: Int64, _ worker: UInt8, _ fence: Int64) -> Int? {
        for index in requests.indices where requests[index].id == id {
            let request = requests[index]
            if request.state == .leased, request.holder == worker, request.fence == fence {
                return index
            }
        }
        return nil
    }

    mutating func change(_ id: Int64, _ body: (inout Request) -> Void) {
        for index in requests.indices where requests[index].id == id { body(&requests[index]) }
    }

    mutating func reap() -> [Int64: RequestState] {
        var reaped: [Int64: RequestState] = [:]
        for (name, worker) in workers where worker.isSilent && !worker.isDead {
            workers[name]?.isDead = true
            for index in requests.indices where requests[index].holder == name {
                let isLast = requests[index].attempt >= attemptsMax
                requests[index].state = isLast ? .parked : .ready
                requests[index].holder = nil
                reaped[requests[index].id] = requests[index].state
            }
        }
        return reaped
    }
}
