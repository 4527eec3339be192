internal import ArgumentParser
internal import GatewayClient
internal import PushRules
internal import WaypostSchema

/// Completions with names from a running gateway or agent; there are none if it is not running.
extension CompletionKind {
    /// Completes the names of the devices that are registered with the gateway, and of their tokens.
    static var registeredDevices: Self {
        .custom { _, _, _ in
            shellWords(await registeredDevicesAtGateway().flatMap { [$0.name, TokenName($0).withKind] })
        }
    }

    /// Completes the topics of the devices that are registered with the gateway.
    static var topics: Self {
        .custom { _, _, _ in shellWords(await registeredDevicesAtGateway().flatMap(\.topics).map(\.rawValue)) }
    }

    /// Completes the names of the devices of the agent.
    static var devices: Self {
        .custom { _, _, _ in shellWords(await valuesFromAgent { client in try await client.devices().map(\.name) }) }
    }

    /// Completes the apps on the devices of the agent.
    static var apps: Self {
        .custom { _, _, _ in shellWords(await appsOnDevices().map(\.bundleIdentifier.rawValue)) }
    }

    /// Completes the scenes of the apps on the devices of the agent.
    static var scenes: Self {
        .custom { _, _, _ in shellWords(await appsOnDevices().flatMap(\.scenes).map(\.persistentIdentifier.rawValue)) }
    }

    /// Completes the push types that Apple documents.
    static var pushTypes: Self {
        .list(PushType.documented.map(\.rawValue).sorted())
    }

    /// Returns names in order, each once, in the form that the shell expects.
    private static func shellWords(_ names: [String]) -> [String] {
        let names = Set(names).sorted()
        // `compgen -W` of bash expands its words.
        return CompletionShell.requesting == .bash ? names.map(escapedForBash) : names
    }

    /// Returns a name with a backslash before each character that bash would expand.
    static func escapedForBash(_ name: String) -> String {
        name.reduce(into: "") { escaped, character in
            if #"\'"$`"#.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }

    private static func registeredDevicesAtGateway() async -> [RegisteredDevice] {
        let page = try? await GatewayOptions.parse([]).withClient { client in try await client.devices(after: nil) }
        return page?.devices.map(\.device).filter { $0.standing == .active } ?? []
    }

    private static func appsOnDevices() async -> [AppDescription] {
        await valuesFromAgent { client in
            var apps: [AppDescription] = []
            for device in try await client.devices() { apps += try await client.appDescriptions(on: device.name) }
            return apps
        }
    }

    private static func valuesFromAgent<Value>(_ work: (AgentClient) async throws -> [Value]) async -> [Value] {
        (try? await AgentOptions.parse([]).withClient(work)) ?? []
    }
}
