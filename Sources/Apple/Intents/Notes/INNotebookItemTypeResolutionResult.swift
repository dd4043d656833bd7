/// Which kind of items is meant; a case, of which the person may yet have to choose one.
open class INNotebookItemTypeResolutionResult: INIntentResolutionResult {
    /// It is this.
    open class func success(with resolved: INNotebookItemType) -> Self {
        Self(.success(resolved))
    }
    /// It is one of these; the person has to choose.
    open class func disambiguation(with choices: [INNotebookItemType]) -> Self {
        Self(.disambiguation(choices))
    }
    /// It is probably this; the person has to agree.
    open class func confirmationRequired(with value: INNotebookItemType) -> Self {
        Self(.confirmationRequired(value))
    }
}
