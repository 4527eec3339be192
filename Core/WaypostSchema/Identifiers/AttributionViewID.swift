internal import TextBasics

/// The handle of an attribution view: the app uses it to place the view, and only the device can find the picture.
///
/// A handle that the device creates has 128 random bits, so it cannot be guessed.
public struct AttributionViewID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
