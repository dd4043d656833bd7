private import Glibc

/// How many files this process may have open, sockets among them.
enum FileLimit {
    /// Raises it as far as the system lets this process; returns what it is then.
    static func raised() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return .max }
        var wanted = limit
        wanted.rlim_cur = limit.rlim_max
        if unsafe setrlimit(resource, &wanted) == 0 { limit = wanted }
        return Int(clamping: limit.rlim_cur)
    }
}
