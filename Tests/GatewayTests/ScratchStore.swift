import Foundation
import Gateway
import GatewayTestSupport
import WaypostTestSupport

/// A data folder that several gateways use one after another.
final class ScratchStore: Sendable {
    private let folder: ScratchFolder
    private let configuration: GatewayConfiguration

    init(_ configuration: GatewayConfiguration = .forTests) throws {
        folder = try ScratchFolder()
        self.configuration = configuration.keeping(.sqlite(folder: folder.path(of: "data")))
    }

    /// Runs a gateway on the folder, passes it to `body`, and returns after the gateway has stopped.
    func run<Value: Sendable>(
        sources: GatewaySources = .forTests(),
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        try await RunningGateway.run(configuration, sources: sources, body)
    }

    /// The bytes of every file in the folder.
    var contents: [String: Data] {
        get throws {
            let root = folder.path(of: "data")
            var files: [String: Data] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
                var isFolder: ObjCBool = false
                let path = root + "/" + name
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                    continue
                }
                files[name] = try Data(contentsOf: URL(filePath: path))
            }
            return files
        }
    }
}
