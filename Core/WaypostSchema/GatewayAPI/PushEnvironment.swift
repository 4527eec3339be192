/// One of the two environments of APNs.
public enum PushEnvironment: String, Codable, Sendable, CaseIterable {
    /// `api.sandbox.push.apple.com`, for apps in development.
    case sandbox

    /// `api.push.apple.com`.
    case production
}
