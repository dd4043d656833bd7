internal import AsyncOperations
internal import CoreLocation
public import DonationStore
public import Foundation

/// Something of the app's that searches find.
///
/// Unchecked: all that can change is in `state`, behind its lock.
/// - SeeAlso: <https://developer.apple.com/documentation/corespotlight/cssearchableitem>
open class CSSearchableItem: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private struct State: Sendable {
        var uniqueIdentifier: String
        var domainIdentifier: String?
        var expirationDate: Date?
        var attributeSet: CSSearchableItemAttributeSet
        var isUpdate = false
        var entity: EntityName?
        var link: ContentLink?
    }

    private let state: Locked<State>

    /// An item with a name of the app's own; without one it gets a random one.
    ///
    /// - Parameter domainIdentifier: Names a group of items to delete together. Periods separate
    ///   levels: deleting `account` deletes `account.mailbox` too. See ``CSDomainIdentifier``.
    public init(
        uniqueIdentifier: String?, domainIdentifier: String?,
        attributeSet: CSSearchableItemAttributeSet
    ) {
        // Apple's initialiser has no room for a source of identities, so it is made here.
        let name = uniqueIdentifier ?? NSUUID().uuidString
        state = Locked(
            State(
                uniqueIdentifier: name, domainIdentifier: domainIdentifier,
                attributeSet: attributeSet))
        super.init()
    }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// The item that an archive holds; nil when its name or attributes cannot be read.
    public required init?(coder: NSCoder) {
        guard let name = coder.decodeText("uniqueIdentifier"),
            let attributes = coder.decodeIfThere(
                CSSearchableItemAttributeSet.self, "attributeSet")
        else { return nil }
        let domain = coder.decodeText("domainIdentifier")
        var state = State(
            uniqueIdentifier: name, domainIdentifier: domain,
            attributeSet: attributes)
        if coder.containsValue(forKey: "expiration") {
            state.expirationDate = Date(
                timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "expiration"))
        }
        state.isUpdate = coder.decodeBool(forKey: "isUpdate")
        self.state = Locked(state)
        super.init()
    }

    open func encode(with coder: NSCoder) {
        let state = read { $0 }
        coder.encode(NSString(string: state.uniqueIdentifier), forKey: "uniqueIdentifier")
        if let domain = state.domainIdentifier {
            coder.encode(NSString(string: domain), forKey: "domainIdentifier")
        }
        coder.encode(state.attributeSet, forKey: "attributeSet")
        if let date = state.expirationDate {
            coder.encode(date.timeIntervalSinceReferenceDate, forKey: "expiration")
        }
        coder.encode(state.isUpdate, forKey: "isUpdate")
    }

    /// A copy, with a copy of the attributes.
    open func copy(with zone: NSZone? = nil) -> Any {
        let state = read { $0 }
        let copy = CSSearchableItem(
            uniqueIdentifier: state.uniqueIdentifier, domainIdentifier: state.domainIdentifier,
            attributeSet: CSSearchableItemAttributeSet(state.attributeSet.snapshot))
        copy.change {
            $0.expirationDate = state.expirationDate
            $0.isUpdate = state.isUpdate
            $0.entity = state.entity
            $0.link = state.link
        }
        return copy
    }

    /// The app's name of the item; an item with the same name takes its place.
    open var uniqueIdentifier: String {
        get { read(\.uniqueIdentifier) }
        set { change { $0.uniqueIdentifier = newValue } }
    }

    /// The group of items it belongs to.
    open var domainIdentifier: String? {
        get { read(\.domainIdentifier) }
        set { change { $0.domainIdentifier = newValue } }
    }

    /// When the item is no longer found and, unless the index delegate renews it, deleted.
    ///
    /// One month after it is indexed, unless set; setting nil returns to that.
    open var expirationDate: Date! {
        get {
            if let date = read(\.expirationDate) { return date }
            if let store = DonationStore.current { return store.defaultItemExpiration }
            return Date(timeIntervalSinceNow: 30 * 86_400)
        }
        set {
            let date: Date? = newValue
            change { $0.expirationDate = date }
        }
    }

    /// What it is found by and what is shown of it.
    open var attributeSet: CSSearchableItemAttributeSet {
        get { read(\.attributeSet) }
        set { change { $0.attributeSet = newValue } }
    }

    /// Whether indexing changes the item that is there, attribute by attribute, instead of taking
    /// its place. An attribute that was set to nil is removed. Without such an item it is added.
    open var isUpdate: Bool {
        get { read(\.isUpdate) }
        set { change { $0.isUpdate = newValue } }
    }

    /// The content in a cloud container that the item shows, so that it goes when that goes.
    ///
    /// Not in Apple's interface.
    public var contentLink: ContentLink? {
        get { read(\.link) }
        set { change { $0.link = newValue } }
    }

    /// The date the app has set; nil where the default holds.
    var ownExpirationDate: Date? { read(\.expirationDate) }

    /// The entity it is about.
    var entity: EntityName? {
        get { read(\.entity) }
        set { change { $0.entity = newValue } }
    }

    private func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
        state.withLock { body($0) }
    }

    private func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
}
