import Foundation
import Testing
import WaypostTestSupport

@Suite struct ImportTests {
    /// The layers of docs/architecture.md: a module imports only modules with a lower number.
    static let layers = [
        "ASCII": 0,
        "CZlib": 1, "JSONScanning": 1, "Spelling": 1, "WaypostSchema": 1,
        "Deflate": 2, "BatchItems": 2, "Delivery": 2, "PredicateFormat": 2, "UniversalLinks": 2, "Consent": 2,
        "Targeting": 3, "Highlights": 3, "Attribution": 3,
        "DeviceModel": 4,
        "CNghttp2": 4, "LocalFiles": 4, "HTTP2Sessions": 5, "GatewayStore": 5, "LocalAuthority": 5, "LocalService": 5,
        "PrometheusMetrics": 5,
        "AssociationFetching": 5,
        "DescriptionFiles": 5, "DeviceJournal": 5, "GatewayClient": 5,
        "Gateway": 6, "DeviceAgent": 6,
        "AdminCommands": 7, "GatewaySettings": 7,
        "waypost-gateway": 8, "waypost-agent": 8, "waypost": 8,
    ]

    @Test func everyModuleHasALayer() {
        let unknown = Set(SourceFile.product.map(\.module)).subtracting(Self.layers.keys)
        #expect(unknown.isEmpty)
        #expect(SourceFile.product.count > 50)
    }

    @Test(arguments: SourceFile.product) func moduleImportsOnlyLowerLayers(_ file: SourceFile) {
        for imported in file.imports {
            guard let number = Self.layers[imported], let own = Self.layers[file.module] else { continue }
            #expect(number < own, "\(file) imports \(imported)")
        }
    }

    @Test(arguments: SourceFile.core) func coreImportsNothingButCore(_ file: SourceFile) {
        let core = Set(SourceFile.core.map(\.module))
            .union(["CZlib", "FoundationEssentials", "HashTreeCollections", "SortedCollections"])
        for imported in file.imports where !core.contains(imported) {
            // Only Foundation knows some rules of text; the reason is above the import.
            let place = file.lineNumbers(containing: "import Foundation").first ?? 1
            #expect(imported == "Foundation" && place > 1, "\(file) imports \(imported)")
            #expect(place < 2 || file.lines[place - 2].hasPrefix("//"), "\(file): no reason at the import")
        }
    }

    /// Agent and CLI may use the modules that every local service needs, but never the gateway or its store.
    @Test(arguments: SourceFile.product.filter { $0.layer == "Agent" || $0.layer == "CLI" })
    func agentAndCommandsNeverImportTheGateway(_ file: SourceFile) {
        let server = Set(SourceFile.product.filter { $0.layer == "Server" }.map(\.module))
        let shared: Set = ["LocalAuthority", "LocalFiles", "LocalService"]
        #expect(server.isSuperset(of: shared))
        for imported in file.imports where server.contains(imported) {
            #expect(shared.contains(imported), "\(file) imports \(imported)")
        }
    }

    /// Files at the root of `Server/Gateway` belong to no single concern; docs/architecture.md describes the folders.
    @Test func theGatewayHasAFolderForEachConcern() throws {
        let folder = Repository.root.appending(path: "Server/Gateway").path
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder)
        let folders = entries.filter { !$0.hasSuffix(".swift") }
        #expect(
            Set(folders) == [
                "Administration", "Batches", "Channels", "Courier", "Delivery", "DeliveryLog", "Listeners", "Metrics",
                "Notifications", "Provider", "Registrations",
            ]
        )
        #expect(entries.count - folders.count <= 10, "a file of one concern belongs in its folder")
    }
}
