/// What is looked at in a request of a provider, in this order: the first thing that is wrong is the answer.
///
/// That APNs looks at who sends before it looks at where to has been seen; the rest of the order is not public, and chosen here
/// (docs/provider-api.md).
enum ProviderCheck: CaseIterable {
    /// It goes to `/3/device/` and something.
    case path

    /// It is a `POST`.
    case method

    /// Whoever sends it may.
    case authentication

    /// No field that has a meaning comes twice.
    case repetition

    /// The `apns-id` is a UUID.
    case identifier

    /// The `apns-expiration` is a moment, or 0.
    case expiration

    /// The `apns-priority` is 10, 5 or 1.
    case priority

    /// The `apns-collapse-id` has 64 bytes at most.
    case collapseIdentifier

    /// The `apns-push-type` is a known one.
    case pushType

    /// The `apns-topic` is one, and goes with the push type.
    case topic

    /// The token is hexadecimal digits.
    case token

    /// The body is a payload of a size that the push type allows.
    case payload

    // Then the store looks for the device: whether the token is one, is valid, and is registered for the topic.
}
