public import Foundation

/// A code that a camera saw. None is ever made here.
public class CIBarcodeDescriptor: NSObject {
    override init() { super.init() }
}
