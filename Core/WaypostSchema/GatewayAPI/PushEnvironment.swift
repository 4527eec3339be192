/// One of the two environments of APNs.
public enum PushEnvironment: String, Codable, Sendable, CaseIterable {
    /// `api.sandbox.push.apple.com`, for apps that are signed for development.
    case sandbox

    /// `api.push.apple.com`, for apps from the App Store and TestFlight.
    case production

    /// Creates the environment with a name; `development`, as the entitlement `aps-environment` spells it, is the
    /// sandbox.
    public init?(name: String) {
        self.init(rawValue: name == "development" ? "sandbox" : name)
    }

    /// Parses an environment's name.
    ///
    /// - Throws: `DecodingError` that lists the accepted names.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let environment = Self(name: name) else {
            let message = "'\(name)' is not one of sandbox, development, production"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
        }
        self = environment
    }
}
