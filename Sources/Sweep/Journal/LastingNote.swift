/// Notes of a run that stay when its names are forgotten: they name nobody.
package enum LastingNote {
    /// When the request came that the run answers, and under which law.
    package static let erasureRequest = "request"
}
