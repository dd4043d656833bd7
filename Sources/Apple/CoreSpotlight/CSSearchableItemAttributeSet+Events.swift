public import Foundation

/// When things happen.
extension CSSearchableItemAttributeSet {
    /// When it begins.
    public var startDate: Date? {
        get { self["startDate"] }
        set { self["startDate"] = newValue }
    }
    /// When it ends.
    public var endDate: Date? {
        get { self["endDate"] }
        set { self["endDate"] = newValue }
    }
    /// When it is due.
    public var dueDate: Date? {
        get { self["dueDate"] }
        set { self["dueDate"] = newValue }
    }
    /// When it was done.
    public var completionDate: Date? {
        get { self["completionDate"] }
        set { self["completionDate"] = newValue }
    }
    /// Other dates that count.
    public var importantDates: [Date]? {
        get { self["importantDates"] }
        set { self["importantDates"] = newValue }
    }
    /// Whether it takes whole days.
    public var allDay: NSNumber? {
        get { number("allDay") }
        set { setNumber("allDay", newValue) }
    }
}
