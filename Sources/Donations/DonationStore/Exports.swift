// So that an app needs one import for the selectors and receipts.
@_exported public import Donations
