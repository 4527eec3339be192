internal import WaypostSchema

/// What a request says of who sends it, and of what that has to be allowed to do.
struct ProviderClaim: Sendable, Equatable {
    /// The `authorization` header.
    var authorization: String?

    /// The topic.
    var topic: String?

    /// The push type.
    var pushType: String?

    /// The environment that the client believes it talks to, where that can be told.
    var environment: PushEnvironment?

    /// What is said where the topic is one of somebody else.
    var foreignTopic = RejectionReason.topicDisallowed

    /// Whether the topic is an app, so that what has another name is another app, and no push type's suffix.
    var isAboutApp = false
}

extension ProviderClaim {
    /// Reads what a request says.
    init(_ request: ProviderRequest) {
        self.init(
            authorization: request["authorization"],
            topic: request["apns-topic"],
            pushType: request["apns-push-type"],
            environment: request.environment
        )
    }
}
