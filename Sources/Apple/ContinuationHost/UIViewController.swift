internal import UserActivity

/// A responder with a title; there are no views.
open class UIViewController: UIResponder {
    /// What the controller is called, for people.
    open var title: String?
}
