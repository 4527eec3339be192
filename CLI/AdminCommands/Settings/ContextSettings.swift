internal import Foundation
internal import TextBasics

/// The settings that say which gateway and which agent commands call; those that are not set are `nil`.
struct ContextSettings: Codable, Equatable, Sendable {
    /// The base URL of the gateway's service listener.
    var gateway: String?

    /// The gateway's ready file, which has its URL and the location of its administrative token.
    var readyFile: String?

    /// The file with the administrative token.
    var adminTokenFile: String?

    /// The namespace.
    var namespace: String?

    /// The base URL of the agent's control API.
    var agent: String?

    /// The agent's ready file, which has its URL and the token of its control API.
    var agentReadyFile: String?

    /// Returns the settings in environment variables; empty variables count as not set.
    static func inEnvironment(_ environment: [String: String]) -> Self {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        return Self(
            gateway: value("WAYPOST_GATEWAY"),
            readyFile: value("WAYPOST_READY_FILE"),
            adminTokenFile: value("WAYPOST_ADMIN_TOKEN_FILE"),
            namespace: value("WAYPOST_NAMESPACE"),
            agent: value("WAYPOST_AGENT"),
            agentReadyFile: value("WAYPOST_AGENT_READY_FILE")
        )
    }

    /// The settings as pairs of a key and a value, in order, for people.
    var pairs: [(key: String, value: String)] {
        let all = [
            ("gateway", gateway), ("readyFile", readyFile), ("adminTokenFile", adminTokenFile),
            ("namespace", namespace), ("agent", agent), ("agentReadyFile", agentReadyFile),
        ]
        return all.compactMap { key, value in value.map { (key, $0) } }
    }
}

/// The file in which a user keeps named contexts: sets of settings for different gateways and agents.
struct ContextsFile: Codable, Equatable, Sendable {
    /// The name of the context that commands use; `nil` for none.
    var context: String?

    /// The contexts by name.
    var contexts: [String: ContextSettings]?

    /// Returns the settings of the context in an option, in the environment or in this file, in this order.
    ///
    /// - Throws: `CommandFailure` if there is no context with the name.
    func currentSettings(
        option: String?,
        _ environment: [String: String]
    ) throws(CommandFailure) -> ContextSettings {
        let variable = environment["WAYPOST_CONTEXT"].flatMap { $0.isEmpty ? nil : $0 }
        guard let name = option ?? variable ?? context else { return ContextSettings() }
        return try settings(of: name)
    }

    /// Returns the settings of a context.
    ///
    /// - Throws: `CommandFailure` if there is no context with the name.
    func settings(of name: String) throws(CommandFailure) -> ContextSettings {
        if let settings = contexts?[name] { return settings }
        let names = (contexts ?? [:]).keys.sorted()
        let nearest = name.nearest(among: names).map { "; did you mean '\($0)'?" }
        let listing = names.isEmpty ? "; there are none" : "; there are \(names.joined(separator: ", "))"
        throw .unusable("there is no context '\(name)'\(nearest ?? listing)")
    }
}
