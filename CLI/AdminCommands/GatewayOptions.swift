internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import WaypostSchema

/// Where the gateway is, for every command that calls one.
struct GatewayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The base URL of the gateway's service listener.", valueName: "url"))
    var service = "http://127.0.0.1:7330"

    @Option(help: ArgumentHelp("Read the gateway's URLs from the ready file that it wrote.", valueName: "file"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            """
            Show the administrative token in this file; without it the one in WAYPOST_ADMIN_TOKEN, or the one in the \
            data folder that the ready file names.
            """,
            valueName: "file"
        )
    )
    var adminTokenFile: String?

    @Option(help: "The namespace (default: default).")
    var namespace: String?

    func validate() throws {
        guard let namespace, !Namespace(rawValue: namespace).isWellFormed else { return }
        throw ValidationError(
            "'\(namespace)' is no namespace: 1 to 64 of A-Z, a-z, 0-9, '.', '-' and '_', the first not '.'"
        )
    }

    /// Calls `work` with a client of the gateway.
    func withClient<Value>(_ work: (GatewayClient) async throws -> Value) async throws -> Value {
        let ready = try readyFile.map { try ReadyFiles.read(GatewayReadyFile.self, from: $0) }
        let service = ready?.service ?? service
        if let error = ListenerURL.error(in: service) { throw CommandFailure.unusable(error) }
        let token = try AdminTokens.find(in: adminTokenFile, besides: ready?.data)
        return try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let namespace = namespace.map(Namespace.init(rawValue:))
            return try await work(
                GatewayClient(http, service: service, courier: service, adminToken: token, namespace: namespace)
            )
        }
    }

    /// Calls a gateway; what it says is input that cannot be used, but for what it does not know, and who does not answer is
    /// an answer that is no.
    func calling<Value>(_ work: (GatewayClient) async throws -> Value) async throws -> Value {
        do {
            return try await withClient(work)
        } catch let error as CallError {
            switch error {
            case .refused(let status, _) where status != 404 && status < 500: throw CommandFailure.unusable("\(error)")
            case .canceled: throw CancellationError()
            case .refused, .unreachable, .unexpectedAnswer: throw error
            }
        }
    }
}

/// Administrative tokens that a gateway or a person keeps somewhere.
enum AdminTokens {
    /// Finds the token to show: in the file that was named, in the environment, or in a gateway's data folder.
    ///
    /// - Parameters:
    ///   - path: the file that was named, if any; it has to be there.
    ///   - folder: the gateway's data folder, if it is known; there need not be a token in it that can be read.
    ///   - environment: the process's environment.
    /// - Returns: the token; `nil` where there is none.
    /// - Throws: `CommandFailure` where the file that was named cannot be read, or holds nothing.
    static func find(
        in path: String?,
        besides folder: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String? {
        if let path {
            guard let token = token(in: path) else {
                throw CommandFailure.unusable("\(path): no administrative token can be read")
            }
            return token
        }
        return environment["WAYPOST_ADMIN_TOKEN"] ?? folder.flatMap { token(in: $0 + "/admin-token") }
    }

    private static func token(in path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // A header can carry nothing else; what is wrong with a token otherwise is for the gateway to say.
        return !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? token : nil
    }
}

/// Ready files that others wrote.
enum ReadyFiles {
    static func read<Ready: Decodable>(_ type: Ready.Type, from path: String) throws -> Ready {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.unusable("\(path): cannot be read")
        }
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw CommandFailure.unusable("\(path): \(error.sentence)")
        }
    }
}
