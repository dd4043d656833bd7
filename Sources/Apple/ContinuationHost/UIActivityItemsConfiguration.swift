public import Foundation
public import UserActivity

/// Something that can be handed to another app.
public protocol NSItemProviderWriting: AnyObject {
    /// The types as which it can be written.
    static var writableTypeIdentifiersForItemProvider: [String] { get }
}

/// Something that can be handed to another app, with its types. There is no other app to hand it
/// to here.
public final class NSItemProvider: NSObject {
    /// The types as which it can be had, the best first.
    public let registeredTypeIdentifiers: [String]
    /// What a file of it would be called.
    public var suggestedName: String?
    /// The object itself; nil when there is none.
    let object: (any NSItemProviderWriting)?

    /// Nothing.
    public override init() {
        registeredTypeIdentifiers = []
        object = nil
        super.init()
    }

    /// An object.
    public init(object: any NSItemProviderWriting) {
        registeredTypeIdentifiers = type(of: object).writableTypeIdentifiersForItemProvider
        self.object = object
        super.init()
    }

    /// Whether it can be had as a type.
    public func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
        registeredTypeIdentifiers.contains(typeIdentifier)
    }
}

extension NSUserActivity: NSItemProviderWriting {
    /// An activity is handed over as itself.
    public static var writableTypeIdentifiersForItemProvider: [String] {
        ["com.apple.uikit.useractivity"]
    }
}

/// What is told of the things on the screen.
public struct UIActivityItemsConfigurationMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The key's name.
    public let rawValue: String
    /// A key.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A title.
    public static let title = Self(rawValue: "title")
    /// A text for a message.
    public static let messageBody = Self(rawValue: "messageBody")
    /// What a link is about.
    public static let linkPresentationMetadata = Self(rawValue: "linkPresentationMetadata")
    /// To whom it may be sent.
    public static let shareRecipients = Self(rawValue: "shareRecipients")
}

/// What can be done with the things on the screen.
public struct UIActivityItemsConfigurationInteraction: RawRepresentable, Hashable, Sendable {
    /// The interaction's name.
    public let rawValue: String
    /// An interaction.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// They are handed to another app.
    public static let share = Self(rawValue: "share")
    /// They are copied.
    public static let copy = Self(rawValue: "copy")
}

/// The things on the screen that can be shared.
@MainActor public protocol UIActivityItemsConfigurationReading: AnyObject {
    /// The things.
    var itemProvidersForActivityItemsConfiguration: [NSItemProvider] { get }
    /// Whether something can be done with them; everything, unless they say otherwise.
    func activityItemsConfigurationSupportsInteraction(
        _ interaction: UIActivityItemsConfigurationInteraction
    ) -> Bool
    /// What is told of all of them.
    func activityItemsConfigurationMetadata(key: UIActivityItemsConfigurationMetadataKey) -> Any?
    /// What is told of one of them.
    func activityItemsConfigurationMetadataForItem(
        at index: Int, key: UIActivityItemsConfigurationMetadataKey
    ) -> Any?
}

extension UIActivityItemsConfigurationReading {
    /// Everything.
    public func activityItemsConfigurationSupportsInteraction(
        _ interaction: UIActivityItemsConfigurationInteraction
    ) -> Bool { true }
    /// Nothing.
    public func activityItemsConfigurationMetadata(
        key: UIActivityItemsConfigurationMetadataKey
    ) -> Any? { nil }
    /// Nothing.
    public func activityItemsConfigurationMetadataForItem(
        at index: Int, key: UIActivityItemsConfigurationMetadataKey
    ) -> Any? { nil }
}

/// The things on the screen that can be shared, as a list.
@MainActor open class UIActivityItemsConfiguration: NSObject, UIActivityItemsConfigurationReading {
    /// What the app keeps with it.
    open var localObject: Any?
    /// What can be done with them: they can be handed to another app.
    open var supportedInteractions: [UIActivityItemsConfigurationInteraction] = [.share]
    /// Tells something of all of them.
    open var metadataProvider: ((UIActivityItemsConfigurationMetadataKey) -> Any?)?
    /// Tells something of one of them.
    open var perItemMetadataProvider: ((Int, UIActivityItemsConfigurationMetadataKey) -> Any?)?
    /// The things.
    public let itemProvidersForActivityItemsConfiguration: [NSItemProvider]

    /// These objects.
    public convenience init(objects: [any NSItemProviderWriting]) {
        self.init(itemProviders: objects.map { NSItemProvider(object: $0) })
    }

    /// These things.
    public init(itemProviders: [NSItemProvider]) {
        itemProvidersForActivityItemsConfiguration = itemProviders
        super.init()
    }

    /// Whether something can be done with them.
    open func activityItemsConfigurationSupportsInteraction(
        _ interaction: UIActivityItemsConfigurationInteraction
    ) -> Bool { supportedInteractions.contains(interaction) }
    /// What is told of all of them.
    open func activityItemsConfigurationMetadata(
        key: UIActivityItemsConfigurationMetadataKey
    ) -> Any? { metadataProvider?(key) }
    /// What is told of one of them.
    open func activityItemsConfigurationMetadataForItem(
        at index: Int, key: UIActivityItemsConfigurationMetadataKey
    ) -> Any? { perItemMetadataProvider?(index, key) }
}
