package import Basics

/// What the maker of a plan binds to it, besides what was seen. It is part of the plan's digest.
package struct PlanConditions: Sendable, Hashable {
    /// The plan is not carried out before this moment; nil: it may be at once.
    package var notBefore: Timestamp?
    /// The request that the plan is an answer to; nil: nobody said.
    package var request: ErasureRequest?

    package init(notBefore: Timestamp? = nil, request: ErasureRequest? = nil) {
        self.notBefore = notBefore
        self.request = request
    }
}
