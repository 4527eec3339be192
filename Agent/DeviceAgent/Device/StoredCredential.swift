internal import WaypostSchema

/// The credential of a device at the gateway as the agent stores it, and the rotation of its secret.
///
///     secret ──begin──▶ secret + nextSecret ──accepted──▶ nextSecret
///                          │  ▲        └─refused or unknown─▶ secret
///                          └──┘ no answer: sent again before the secret is used
///
/// Both secrets are on the disk before the gateway receives the next one, so that the agent has the valid one, wherever
/// a process ends. The gateway accepts a repeated request, whether or not it performed the one before.
struct StoredCredential: Codable, Sendable, Equatable {
    /// The device's token.
    private(set) var token: DeviceToken

    /// The secret that is valid unless the gateway has received the next one.
    private(set) var secret: BearerSecret

    /// The secret that replaces `secret`; `nil` if no rotation is in progress.
    private(set) var nextSecret: BearerSecret?

    /// The secret at the registration, or when the agent started.
    ///
    /// Rotations do not change it, so it identifies the registration, with which the tokens of apps end.
    private(set) var firstSecret: BearerSecret

    /// Whether the gateway may have received the next secret already.
    private var isAnswerMissing: Bool

    private enum CodingKeys: String, CodingKey {
        case token, secret, nextSecret
    }

    init(_ credential: DeviceCredential) {
        token = credential.token
        secret = credential.secret
        firstSecret = credential.secret
        isAnswerMissing = false
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decode(DeviceToken.self, forKey: .token)
        secret = try container.decode(BearerSecret.self, forKey: .secret)
        nextSecret = try container.decodeIfPresent(BearerSecret.self, forKey: .nextSecret)
        firstSecret = secret
        isAnswerMissing = nextSecret != nil
    }

    /// The credential without the rotation.
    var credential: DeviceCredential {
        DeviceCredential(token: token, secret: secret)
    }

    /// Takes another token for the device.
    mutating func setToken(_ token: DeviceToken) {
        self.token = token
    }

    /// Whether `secret` is the secret, and no other one is about to replace it.
    func isSettled(on secret: BearerSecret) -> Bool {
        nextSecret == nil && self.secret == secret
    }

    // MARK: The rotation

    /// An answer to the request that replaces the secret.
    enum RotationAnswer: Sendable, Equatable {
        /// The gateway has the next secret.
        case accepted

        /// The gateway has no agent with either secret: it has lost its data.
        case unknownSecret

        /// The gateway does not replace the secret.
        case refused

        /// It is not known whether the gateway has the next secret.
        case missing
    }

    /// The work that follows from an answer.
    enum RotationAction: Sendable, Equatable {
        /// The rotation is over, and the credential must be stored.
        case store

        /// The request is sent again before the secret is used.
        case sendLater
    }

    /// Begins a rotation; if one is in progress, that one goes on.
    ///
    /// The credential must be stored before the request is sent.
    mutating func beginRotation(to next: BearerSecret) {
        nextSecret = nextSecret ?? next
    }

    /// Records the answer of the gateway, and returns the work that follows.
    mutating func record(_ answer: RotationAnswer) -> RotationAction {
        switch answer {
        case .accepted:
            secret = nextSecret ?? secret
        case .unknownSecret:
            break
        case .refused where !isAnswerMissing:
            break
        case .refused, .missing:
            // An earlier request may have replaced the secret, so neither secret may be dropped.
            isAnswerMissing = true
            return .sendLater
        }
        nextSecret = nil
        isAnswerMissing = false
        return .store
    }
}
