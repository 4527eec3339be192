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

    /// Calls `work` with a client of the gateway.
    func withClient<Value>(_ work: (GatewayClient) async throws -> Value) async throws -> Value {
        let service = try readyFile.map { try ReadyFiles.read(GatewayReadyFile.self, from: $0).service } ?? service
        if let fault = ListenerURL.fault(in: service) { throw CommandFailure.unusable(fault) }
        return try await HTTPClients.with { http in
            try await work(GatewayClient(http, service: service, courier: service))
        }
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

/// HTTP clients that are shut down when the work is over.
enum HTTPClients {
    static func with<Value>(_ work: (HTTPClient) async throws -> Value) async throws -> Value {
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .waypost)
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await work(http))
        } catch {
            outcome = .failure(error)
        }
        try await http.shutdown()
        return try outcome.get()
    }
}
