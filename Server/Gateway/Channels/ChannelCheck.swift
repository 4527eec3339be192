/// What is looked at in a request about broadcast channels, in this order: the first thing that is wrong is the answer.
///
/// What is wrong is told in the words of APNs ("Handling error responses from APNs"); their order is not public, and is that of
/// `ProviderCheck` as far as it goes.
enum ChannelCheck: CaseIterable {
    /// The path has no parameters.
    case parameters

    /// The method is one of the path's.
    case method

    /// Whoever sends it may, for this app.
    case authentication

    /// No field that has a meaning comes twice.
    case repetition

    /// The `apns-request-id` is a UUID.
    case identifier

    /// The app is a bundle identifier, without the suffix of a push type.
    case app

    /// The `apns-channel-id` is the name of a channel, where there has to be one.
    case channel

    /// The `apns-push-type` is `liveactivity`.
    case pushType

    /// The `apns-expiration` is a moment, or 0.
    case expiration

    /// The `apns-priority` is 10, 5 or 1.
    case priority

    /// The body is what the request wants.
    case body

    // Then the registry is asked: whether there is such a channel, and takes such a message, or whether there may be one more.
}
