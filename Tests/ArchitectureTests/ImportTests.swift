import Foundation
import Testing
import WaypostTestSupport

@Suite struct ImportTests {
    /// The layers of docs/architecture.md: a module imports only modules with a lower number.
    static let layers = [
        "TextBasics": 0,
        "CCommandFiles": 1, "CConsole": 1, "CFileSchemas": 1, "CFileSpace": 1, "CSchemaDocument": 1,
        "CWidth": 1, "CZlib": 1, "JSONScanning": 1,
        "WaypostSchema": 2,
        "Deflate": 3, "BatchItems": 3, "PredicateFormat": 3, "UniversalLinks": 3, "Consent": 3,
        "PushRules": 4, "SceneCallbacks": 4, "Targeting": 4, "Highlights": 4, "Attribution": 4, "LocalFiles": 4,
        "DeviceModel": 5, "ProviderTrials": 5,
        "COpenSSL": 3, "Cryptography": 4,
        "CMalloc": 5, "CNghttp2": 5, "CPostgres": 5, "GatewayStore": 5,
        "AssociationFetching": 6, "DeviceJournal": 6, "GatewayClient": 6, "HTTP2Sessions": 6, "LocalAuthority": 6,
        "LocalProcesses": 6, "LocalService": 6, "PostgresStore": 6, "PrometheusMetrics": 6, "SchemaFiles": 6,
        "TextReports": 6, "WaypostTesting": 6,
        "Gateway": 7, "DeviceAgent": 7, "DeviceFiles": 7,
        "Scenarios": 8, "Fleets": 8, "GatewaySettings": 8,
        "LoadTesting": 9,
        "AgentProgram": 10, "AdminCommands": 10, "GatewayProgram": 10,
        "waypost": 11,
    ]

    @Test func everyModuleHasALayer() {
        let unknown = Set(SourceFile.product.map(\.module)).subtracting(Self.layers.keys)
        #expect(unknown.isEmpty)
        #expect(SourceFile.product.count > 50)
    }

    @Test(arguments: SourceFile.product) func moduleImportsOnlyLowerLayers(_ file: SourceFile) {
        for imported in file.imports {
            guard let layer = Self.layers[imported], let ownLayer = Self.layers[file.module] else { continue }
            #expect(layer < ownLayer, "\(file) imports \(imported)")
        }
    }

    @Test(arguments: SourceFile.core) func coreImportsNothingButCore(_ file: SourceFile) {
        let core = Set(SourceFile.core.map(\.module))
            .union(["CSchemaDocument", "CZlib", "FoundationEssentials", "HashTreeCollections", "SortedCollections"])
        for imported in file.imports where !core.contains(imported) {
            // Only Foundation knows some rules of text; the reason is above the import.
            let line = file.lineNumbers(containing: "import Foundation").first ?? 1
            #expect(imported == "Foundation" && line > 1, "\(file) imports \(imported)")
            #expect(line < 2 || file.lines[line - 2].hasPrefix("//"), "\(file): no reason at the import")
        }
    }

    /// Agent and CLI may use the modules that every local service needs, but never the gateway or its store.
    ///
    /// Only the main target, which chooses a program by its name, imports the gateway.
    @Test(arguments: SourceFile.product.filter { ["Agent", "CLI"].contains($0.layer) && $0.module != "waypost" })
    func agentAndCommandsNeverImportTheGateway(_ file: SourceFile) {
        let server = Set(SourceFile.product.filter { $0.layer == "Server" }.map(\.module))
        let shared: Set = [
            "Cryptography", "HTTP2Sessions", "LocalAuthority", "LocalFiles", "LocalService", "SchemaFiles",
        ]
        #expect(server.isSuperset(of: shared))
        for imported in file.imports where server.contains(imported) {
            #expect(shared.contains(imported), "\(file) imports \(imported)")
        }
    }

    @Test func mainTargetImportsTheThreeProgramsAndNothingElse() {
        let imports = Set(SourceFile.product.filter { $0.module == "waypost" }.flatMap(\.imports))
        #expect(imports == ["AdminCommands", "AgentProgram", "Foundation", "GatewayProgram"])
    }

    /// Files at the root of `Server/Gateway` belong to no single concern; docs/architecture.md describes the folders.
    @Test func theGatewayHasAFolderForEachConcern() throws {
        let folder = Repository.root.appending(path: "Server/Gateway").path
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder)
        let folders = entries.filter { !$0.hasSuffix(".swift") }
        #expect(
            Set(folders) == [
                "Administration", "Agents", "Batches", "Channels", "Cluster", "Console", "Courier", "Delivery",
                "DeliveryLog", "Listeners", "Metrics", "Provider", "Registrations", "Runs",
            ]
        )
        #expect(entries.count - folders.count <= 10, "a file of one concern belongs in its folder")
    }
}
