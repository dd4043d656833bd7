/// Lets the methods below know the class of the intent they are called on.
public protocol INIntentImageParameters: INIntent {}

extension INIntent: INIntentImageParameters {}

extension INIntentImageParameters {
    /// Gives a parameter an image, or takes it away.
    ///
    /// Bytes are stored in a file beside the donation and deleted with it. The property must be
    /// listed in ``INIntent/donationParameters``; another one is left without an image, because
    /// its name cannot be known.
    public func setImage<Value>(
        _ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>
    ) {
        guard let name = name(of: parameterName) else { return }
        images[name] = image
    }

    /// The image of a parameter.
    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        name(of: parameterName).flatMap { images[$0] }
    }

    private func name(of keyPath: AnyKeyPath) -> String? {
        parameters.first { $0.keyPath == keyPath }?.name
    }
}
