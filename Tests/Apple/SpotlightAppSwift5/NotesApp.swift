import CoreSpotlight
import Foundation

/// An app as it would be written for Apple's systems, with handlers and in Swift 5 mode.
public final class NotesApp: NSObject, CSSearchableIndexDelegate {
    public var notes: [String: String] = [:]
    public private(set) var launches: [String] = []
    public let index: CSSearchableIndex

    public init(index: CSSearchableIndex = CSSearchableIndex.default()) {
        self.index = index
        super.init()
        index.indexDelegate = self
    }

    private func item(_ id: String, _ text: String) -> CSSearchableItem {
        let attributeSet = CSSearchableItemAttributeSet(itemContentType: "public.text")
        attributeSet.title = String(text.prefix(20))
        attributeSet.contentDescription = text
        attributeSet.keywords = ["note"]
        attributeSet.thumbnailData = nil
        attributeSet.rankingHint = 10
        attributeSet.contentModificationDate = Date(timeIntervalSince1970: 0)
        let item = CSSearchableItem(
            uniqueIdentifier: id, domainIdentifier: "notes", attributeSet: attributeSet)
        item.expirationDate = .distantFuture
        return item
    }

    public func save(_ id: String, _ text: String, then done: @escaping (Error?) -> Void) {
        notes[id] = text
        index.indexSearchableItems([item(id, text)]) { error in
            if let error = error { print("Indexing failed: \(error.localizedDescription)") }
            done(error)
        }
    }

    public func remove(_ id: String, then done: @escaping (Error?) -> Void) {
        notes[id] = nil
        index.deleteSearchableItems(withIdentifiers: [id]) { error in done(error) }
    }

    public func removeAll(then done: @escaping (Error?) -> Void) {
        notes = [:]
        index.deleteSearchableItems(withDomainIdentifiers: ["notes"]) { done($0) }
    }

    public func forgetEverything() {
        CSSearchableIndex.default().deleteAllSearchableItems()
        index.deleteAllSearchableItems(completionHandler: nil)
    }

    public func open(_ userActivity: NSUserActivity) -> Bool {
        guard userActivity.activityType == CSSearchableItemActionType,
            let id = userActivity.userInfo?[CSSearchableItemActivityIdentifier] as? String,
            notes[id] != nil
        else { return false }
        launches.append(id)
        return true
    }

    public func show(_ id: String) -> NSUserActivity {
        let activity = NSUserActivity(activityType: "com.example.notes.view")
        let attributes = CSSearchableItemAttributeSet(itemContentType: "public.text")
        attributes.relatedUniqueIdentifier = id
        activity.title = notes[id]
        activity.contentAttributeSet = attributes
        activity.isEligibleForSearch = true
        activity.persistentIdentifier = id
        activity.becomeCurrent()
        return activity
    }

    public func find(_ text: String, then done: @escaping ([String], Error?) -> Void) {
        var found: [String] = []
        let query = CSSearchQuery(
            queryString: "title == \"\(text)*\"cd || contentDescription == \"\(text)*\"cd",
            attributes: ["title"])
        query.foundItemsHandler = { items in
            found.append(contentsOf: items.map { $0.uniqueIdentifier })
        }
        query.completionHandler = { error in done(found, error) }
        query.start()
    }

    // MARK: CSSearchableIndexDelegate

    public func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping () -> Void
    ) {
        searchableIndex.indexSearchableItems(notes.map { item($0.key, $0.value) }) { _ in
            acknowledgementHandler()
        }
    }

    public func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void
    ) {
        let items = identifiers.compactMap { id in notes[id].map { item(id, $0) } }
        searchableIndex.indexSearchableItems(items) { _ in acknowledgementHandler() }
    }
}
