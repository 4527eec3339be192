/// A type of an app's Live Activities (`ActivityAttributes`): the fields that a push must decode into.
public struct LiveActivityType: Codable, Sendable, Equatable {
    /// The fields of the attributes by name; absent if they are not described, so that anything decodes.
    public var attributes: [String: ContentType]?

    /// The fields of the content state by name; absent if they are not described, so that anything decodes.
    public var contentState: [String: ContentType]?

    /// Creates the value from its parts.
    public init(attributes: [String: ContentType]? = nil, contentState: [String: ContentType]? = nil) {
        self.attributes = attributes
        self.contentState = contentState
    }
}
