extension Substring {
    /// Without blanks at both ends.
    package var trimmingBlank: String {
        var rest = self.drop { $0.isWhitespace }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
