extension MockStore {
    /// What has changed since this was called last, whether it is stored or not, and how many more changes
    /// were not kept.
    package func takeChanges() -> (changes: [StoreChange], lost: Int) { context.changes.take() }
}
