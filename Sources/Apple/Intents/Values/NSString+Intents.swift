public import Foundation

extension NSString {
    /// A text that is put into the person's language when it is shown. There is one language
    /// here, so the format is filled in at once.
    public class func deferredLocalizedIntentsString(
        with format: String, _ arguments: any CVarArg...
    ) -> NSString {
        NSString(string: String(format: format, arguments: arguments))
    }

    /// A text of a table of the app's; the table is not read here.
    public class func deferredLocalizedIntentsString(
        with format: String, table: String?, _ arguments: any CVarArg...
    ) -> NSString {
        NSString(string: String(format: format, arguments: arguments))
    }

    /// A text of a table of the app's; the table is not read here.
    public class func deferredLocalizedIntentsString(
        with format: String, table: String?, arguments: [any CVarArg]
    ) -> NSString {
        NSString(string: String(format: format, arguments: arguments))
    }
}
