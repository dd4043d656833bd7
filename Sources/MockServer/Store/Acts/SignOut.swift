/// On which devices a user has signed out.
struct SignOut: Hashable {
    /// Whether on all devices but the exceptions, rather than on the exceptions only.
    var isEverywhere = false
    /// Devices for which it is the other way round.
    var exceptions: Set<String> = []

    /// Whether a session of this device has ended.
    func covers(_ device: String) -> Bool { isEverywhere != exceptions.contains(device) }

    /// Whether nobody is signed out any more.
    var isEmpty: Bool { !isEverywhere && exceptions.isEmpty }

    /// Signs one device out or in.
    mutating func set(_ isOut: Bool, on device: String) {
        if isOut == isEverywhere {
            exceptions.remove(device)
        } else {
            exceptions.insert(device)
        }
    }
}
