internal import Foundation
internal import Subprocess
public import WaypostSchema

/// A key with which a back end signs its provider tokens.
public struct SigningKey: Sendable, Equatable {
    /// The path of the file with the private key (`.p8`).
    public var file: String

    /// The identifier, the `kid` of tokens.
    public var id: ProviderKeyID

    /// The team, the `iss` of tokens.
    public var team: TeamID

    /// Creates the value from its parts.
    public init(file: String, id: ProviderKeyID, team: TeamID) {
        self.file = file
        self.id = id
        self.team = team
    }
}

/// The keys of a gateway for provider tokens, which the program `waypost` makes and registers.
struct GatewayKeys: Sendable {
    private let variables: [String: String]
    private let adminToken: String?
    private let folder: URL

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - variables: the environment variables of the test.
    ///   - adminToken: the administrative token, if the variables have none.
    ///   - folder: the folder for new keys.
    init(_ variables: [String: String], adminToken: String?, folder: URL) {
        self.variables = variables
        let ownToken = variables["WAYPOST_ADMIN_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        self.adminToken = ownToken ?? adminToken
        self.folder = folder
    }

    /// The environment of programs that administer the gateway.
    var environment: Environment {
        guard let adminToken else { return .inherit }
        return .inherit.updating(["WAYPOST_ADMIN_TOKEN": adminToken])
    }

    /// Makes a key, and registers it.
    ///
    /// - Throws: `WaypostError` if the program is missing, or the gateway refuses the key.
    func make(at gateway: GatewayReadyFile) async throws -> SigningKey {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let id = String((0..<10).compactMap { _ in letters.randomElement() })
        let file = folder.appending(path: "AuthKey_\(id).p8").path
        let key = SigningKey(file: file, id: ProviderKeyID(rawValue: id), team: "TEAM123456")
        try await run(["create", "--out", file], key, at: gateway)
        return key
    }

    /// Registers an existing key.
    ///
    /// - Throws: `WaypostError` if the program is missing, the file has no key, or the gateway refuses it.
    func register(_ key: SigningKey, at gateway: GatewayReadyFile) async throws {
        try await run(["import", key.file], key, at: gateway)
    }

    private func run(_ arguments: [String], _ key: SigningKey, at gateway: GatewayReadyFile) async throws {
        let options = ["--id", key.id.rawValue, "--team", key.team.rawValue, "--gateway", gateway.service]
        let result = try await Subprocess.run(
            try Programs.executable("waypost", environment: variables),
            arguments: Arguments(["keys"] + arguments + options),
            environment: environment,
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        guard result.terminationStatus.isSuccess else {
            let reason = result.standardError.trimmingCharacters(in: .whitespacesAndNewlines)
            throw WaypostError.gatewayFailed(gateway.service, reason: reason)
        }
    }
}
