internal import TextBasics

/// A scene session's persistent identifier (`UISceneSession.persistentIdentifier`).
public struct SceneIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
