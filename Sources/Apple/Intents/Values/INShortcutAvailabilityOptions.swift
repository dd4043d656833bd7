/// When a shortcut is of use; the bits are Apple's.
public struct INShortcutAvailabilityOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// The given bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Before sleep, to become mindful.
    public static let sleepMindfulness = INShortcutAvailabilityOptions(rawValue: 1 << 0)
    /// Before sleep, to write a journal.
    public static let sleepJournaling = INShortcutAvailabilityOptions(rawValue: 1 << 1)
    /// Before sleep, with music.
    public static let sleepMusic = INShortcutAvailabilityOptions(rawValue: 1 << 2)
    /// Before sleep, with podcasts.
    public static let sleepPodcasts = INShortcutAvailabilityOptions(rawValue: 1 << 3)
    /// Before sleep, to read.
    public static let sleepReading = INShortcutAvailabilityOptions(rawValue: 1 << 4)
    /// Before sleep, to look back on the day.
    public static let sleepWrapUpYourDay = INShortcutAvailabilityOptions(rawValue: 1 << 5)
    /// Before sleep, to stretch.
    public static let sleepYogaAndStretching = INShortcutAvailabilityOptions(rawValue: 1 << 6)
}
