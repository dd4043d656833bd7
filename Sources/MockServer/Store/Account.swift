import CloudModel

/// An account as the store keeps it.
struct Account {
    let user: MockUser
    let created: Timestamp
}
