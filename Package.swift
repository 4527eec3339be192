// swift-tools-version: 6.2

import PackageDescription

// The products of other packages. The reason for each is in docs/decisions/.
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let hashTrees: Target.Dependency = .product(name: "HashTreeCollections", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioExtras: Target.Dependency = .product(name: "NIOExtras", package: "swift-nio-extras")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypesHTTP1: Target.Dependency = .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPCompression: Target.Dependency = .product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let sortedCollections: Target.Dependency = .product(name: "SortedCollections", package: "swift-collections")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

/// Returns the library target for the module `name` in `folder`.
func module(
    _ name: String,
    in folder: String,
    _ dependencies: [Target.Dependency] = [],
    excluding files: [String] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "\(folder)/\(name)",
        exclude: files
    )
}

/// Returns the program `name` for benchmarks or trials, in a folder of the tests.
func program(
    _ name: String,
    in folder: String,
    _ dependencies: [Target.Dependency],
    excluding excluded: [String] = []
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(folder)", exclude: excluded)
}

/// Returns the test target `name`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["WaypostTestSupport"], path: "Tests/\(name)")
}

// The layers from bottom to top. A module depends only on modules below it (docs/architecture.md).
let core: [Target] = [
    .systemLibrary(name: "CZlib", path: "Core/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    module("TextBasics", in: "Core"),
    module("JSONScanning", in: "Core", ["TextBasics"]),
    module("CSchemaDocument", in: "Core"),
    module(
        "WaypostSchema",
        in: "Core",
        ["CSchemaDocument", "JSONScanning", "TextBasics"],
        excluding: ["schema-v1.json"]
    ),
    module("Deflate", in: "Core", ["CZlib"]),
    module("BatchItems", in: "Core", ["JSONScanning"]),
    module("PushRules", in: "Core", ["BatchItems", "JSONScanning", "TextBasics", "WaypostSchema"]),
    module("PredicateFormat", in: "Core", ["TextBasics", "WaypostSchema"]),
    module("UniversalLinks", in: "Core", ["JSONScanning", "TextBasics", "WaypostSchema"]),
    module("Consent", in: "Core", ["WaypostSchema", hashTrees]),
    module("Targeting", in: "Core", ["PredicateFormat", "TextBasics", "WaypostSchema"]),
    module("SceneCallbacks", in: "Core", ["WaypostSchema"]),
    module(
        "Highlights",
        in: "Core",
        ["Consent", "TextBasics", "UniversalLinks", "WaypostSchema", hashTrees, sortedCollections]
    ),
    module("Attribution", in: "Core", ["TextBasics", "WaypostSchema"]),
    module(
        "DeviceModel",
        in: "Core",
        [
            "Attribution", "Consent", "Highlights", "JSONScanning", "PredicateFormat", "PushRules", "SceneCallbacks",
            "Targeting", "TextBasics", "UniversalLinks", "WaypostSchema",
        ]
    ),
]

let server: [Target] = [
    .systemLibrary(
        name: "CNghttp2",
        path: "Server/CNghttp2",
        pkgConfig: "libnghttp2",
        providers: [.apt(["libnghttp2-dev"])]
    ),
    .systemLibrary(name: "CFileSpace", path: "Server/CFileSpace"),
    .systemLibrary(name: "CMalloc", path: "Server/CMalloc"),
    .systemLibrary(
        name: "CSQLite",
        path: "Server/CSQLite",
        pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"])]
    ),
    module("CPostgres", in: "Server"),
    .systemLibrary(
        name: "COpenSSL",
        path: "Server/COpenSSL",
        pkgConfig: "libcrypto",
        providers: [.apt(["libssl-dev"])]
    ),
    module("Cryptography", in: "Server", ["COpenSSL"]),
    module("HTTP2Sessions", in: "Server", ["CNghttp2"]),
    module("LocalFiles", in: "Server", ["CFileSpace"]),
    module(
        "GatewayStore",
        in: "Server",
        [
            "CSQLite", "Cryptography", "CZlib", "JSONScanning", "LocalFiles", "PushRules", "TextBasics",
            "WaypostSchema", grdb, grdbSQLite,
        ]
    ),
    module("PostgresStore", in: "Server", ["CPostgres", "GatewayStore", "JSONScanning", "PushRules", "WaypostSchema"]),
    module(
        "LocalService",
        in: "Server",
        [
            "Deflate", "JSONScanning", "LocalFiles", "TextBasics", "WaypostSchema", httpTypes, hummingbird,
            hummingbirdCore, logging, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, serviceLifecycle, unixSignals,
        ]
    ),
    module("LocalAuthority", in: "Server", ["COpenSSL", "Cryptography", "LocalFiles", "TextBasics", "WaypostSchema"]),
    module("PrometheusMetrics", in: "Server", [coreMetrics]),
    module("CFileSchemas", in: "Server"),
    module("SchemaFiles", in: "Server", ["JSONScanning", "LocalFiles", "TextBasics", "WaypostSchema", yams]),
    module("CConsole", in: "Server", excluding: ["page"]),
    module(
        "Gateway",
        in: "Server",
        [
            "BatchItems", "CConsole", "Cryptography", "Deflate", "GatewayStore", "HTTP2Sessions", "JSONScanning",
            "LocalAuthority", "LocalFiles", "LocalService", "PostgresStore", "PrometheusMetrics", "PushRules",
            "TextBasics", "UniversalLinks", "WaypostSchema", coreMetrics, deque, httpTypes, hummingbird, hummingbirdTLS,
            logging, nioCore, nioExtras, nioHTTP1, nioHTTPTypes, nioPosix, nioSSL, nioTLS, serviceLifecycle,
            unixSignals,
        ]
    ),
    module(
        "GatewaySettings",
        in: "Server",
        [
            "Gateway", "HTTP2Sessions", "LocalService", "PostgresStore", "SchemaFiles", "TextBasics", "WaypostSchema",
            logging, yams,
        ],
        excluding: ["gateway-schema.json"]
    ),
    module(
        "GatewayProgram",
        in: "Server",
        [
            "CMalloc", "CSQLite", "Gateway", "GatewaySettings", "LocalService", "PrometheusMetrics", "WaypostSchema",
            argumentParser, coreMetrics, logging,
        ]
    ),
]

let agent: [Target] = [
    module(
        "AssociationFetching",
        in: "Agent",
        [
            "LocalFiles", "TextBasics", "UniversalLinks", "WaypostSchema", asyncHTTPClient, nioCore, nioHTTP1,
            nioHTTPCompression, nioPosix, nioSSL,
        ]
    ),
    module(
        "GatewayClient",
        in: "Agent",
        ["Deflate", "JSONScanning", "WaypostSchema", asyncHTTPClient, nioCore, nioHTTP1, nioPosix, nioSSL]
    ),
    module("LocalProcesses", in: "Agent", ["JSONScanning", "LocalFiles", "WaypostSchema", subprocess, systemPackage]),
    .systemLibrary(name: "CWidth", path: "Agent/CWidth"),
    module("TextReports", in: "Agent", ["Attribution", "CWidth", "Highlights", "TextBasics", "WaypostSchema"]),
    module("DeviceJournal", in: "Agent", ["CZlib", "JSONScanning", "LocalFiles", "TextBasics", "WaypostSchema"]),
    module(
        "DeviceAgent",
        in: "Agent",
        [
            "AssociationFetching", "Attribution", "DeviceJournal", "DeviceModel", "GatewayClient", "Highlights",
            "JSONScanning", "LocalFiles", "LocalService", "PushRules", "SceneCallbacks", "TextBasics", "UniversalLinks",
            "WaypostSchema", asyncHTTPClient, httpTypes, hummingbird, logging, nioCore, serviceLifecycle, unixSignals,
        ]
    ),
    module(
        "DeviceFiles",
        in: "Agent",
        ["Attribution", "CFileSchemas", "DeviceModel", "LocalFiles", "SchemaFiles", "WaypostSchema", yams],
        excluding: ["app-schema.json"]
    ),
    module(
        "Scenarios",
        in: "Agent",
        [
            "Attribution", "CFileSchemas", "DeviceFiles", "GatewayClient", "Highlights", "JSONScanning", "LocalFiles",
            "LocalProcesses", "PushRules", "SceneCallbacks", "SchemaFiles", "Targeting", "TextBasics", "TextReports",
            "WaypostSchema", asyncHTTPClient, nioCore, nioHTTP1, nioSSL, subprocess, systemPackage, yams,
        ],
        excluding: ["scenario-schema.json"]
    ),
    module(
        "Fleets",
        in: "Agent",
        [
            "CFileSchemas", "DeviceFiles", "DeviceModel", "GatewayClient", "JSONScanning", "LocalService",
            "SchemaFiles", "WaypostSchema", deque, heap, histogram, nioCore, nioHTTP1, nioPosix, yams,
        ],
        excluding: ["fleet-schema.json"]
    ),
    module(
        "AgentProgram",
        in: "Agent",
        [
            "AssociationFetching", "DeviceAgent", "DeviceFiles", "DeviceModel", "GatewayClient", "LocalFiles",
            "LocalProcesses", "LocalService", "Scenarios", "SchemaFiles", "WaypostSchema", argumentParser, logging,
            serviceLifecycle,
        ]
    ),
]

let cli: [Target] = [
    module("CCommandFiles", in: "CLI"),
    module(
        "LoadTesting",
        in: "CLI",
        [
            "Cryptography", "Deflate", "Fleets", "GatewayClient", "HTTP2Sessions", "JSONScanning",
            "LocalFiles", "LocalService", "PushRules", "SchemaFiles", "TextBasics", "WaypostSchema", asyncHTTPClient,
            deque,
            histogram, nioCore, nioHTTP1, nioPosix, nioSSL, yams,
        ]
    ),
    module("ProviderTrials", in: "CLI", ["JSONScanning", "PushRules", "TextBasics", "WaypostSchema"]),
    module(
        "AdminCommands",
        in: "CLI",
        [
            "AssociationFetching", "Attribution", "CCommandFiles", "CFileSchemas", "Cryptography", "DeviceFiles",
            "DeviceModel", "Fleets", "GatewayClient", "Highlights", "JSONScanning", "LoadTesting", "LocalAuthority",
            "LocalFiles", "LocalProcesses", "LocalService", "PredicateFormat", "ProviderTrials", "PushRules",
            "Scenarios", "SceneCallbacks", "SchemaFiles", "Targeting", "TextBasics", "TextReports", "UniversalLinks",
            "WaypostSchema", argumentParser, asyncHTTPClient, httpTypes, hummingbird, logging, serviceLifecycle,
            unixSignals, yams,
        ],
        excluding: [
            "ClownTown", "Demo/demo-schema.json", "Settings/contexts-schema.json", "Up/stack-schema.json",
        ]
    ),
    // The only target that imports the gateway, the agent and the commands.
    .executableTarget(
        name: "waypost",
        dependencies: ["AdminCommands", "AgentProgram", "GatewayProgram"],
        path: "CLI/waypost"
    ),
]

let testLibrary = module("WaypostTesting", in: "Agent", ["JSONScanning", "WaypostSchema", subprocess, systemPackage])

let peerBenchmarks: [Target] = [
    .systemLibrary(name: "CEpoll", path: "Tests/CEpoll"),
    .executableTarget(
        name: "peer-benchmarks",
        dependencies: ["CEpoll", "Deflate", "LoadTesting", "WaypostSchema", grdb],
        path: "Tests/PeerBenchmarks",
        exclude: ["predicates.m"]
    ),
]

let testTargets: [Target] = [
    module("WaypostTestSupport", in: "Tests"),
    module(
        "GatewayTestSupport",
        in: "Tests",
        [
            "Gateway", "GatewayClient", "GatewayStore", "LocalService", "WaypostSchema", asyncHTTPClient, hummingbird,
            logging, nioCore, serviceLifecycle,
        ]
    ),
    module("StoreTestSupport", in: "Tests", ["GatewayStore", "PushRules", "WaypostSchema", "WaypostTestSupport"]),
    module(
        "ProcessTestSupport",
        in: "Tests",
        ["GatewayClient", "WaypostSchema", "WaypostTestSupport", asyncHTTPClient, nioCore, nioHTTP1]
    ),
    module(
        "ClusterTestSupport",
        in: "Tests",
        ["GatewayClient", "ProcessTestSupport", "WaypostSchema", "WaypostTestSupport", asyncHTTPClient]
    ),
    module("TrialModels", in: "Tests"),
    module("WireTypes", in: "Tests", ["JSONScanning", "WaypostSchema"]),
    .target(
        name: "FuzzTargets",
        dependencies: [
            "AdminCommands", "Attribution", "BatchItems", "CZlib", "Cryptography", "Deflate", "DeviceAgent",
            "DeviceFiles", "DeviceJournal", "DeviceModel", "Fleets", "Gateway", "GatewayClient", "GatewaySettings",
            "GatewayStore", "HTTP2Sessions", "JSONScanning", "LoadTesting", "LocalAuthority", "LocalFiles",
            "LocalProcesses", "LocalService", "PostgresStore", "PredicateFormat", "PushRules", "Scenarios",
            "SchemaFiles", "Targeting", "TextBasics", "UniversalLinks", "WaypostSchema", "WaypostTestSupport",
            "WireTypes", httpTypes, hummingbird, logging, nioCore, nioEmbedded, nioHTTP1,
        ],
        path: "Tests/Fuzz/Targets"
    ),
    // `make trials` runs it against released programs.
    program(
        "campaigns",
        in: "Campaigns",
        [
            "ClusterTestSupport", "Deflate", "DeviceModel", "GatewayClient", "ProcessTestSupport", "PushRules",
            "TrialModels", "WaypostSchema", "WaypostTestSupport", argumentParser, asyncHTTPClient, nioCore, nioHTTP1,
            nioPosix,
        ],
        excluding: ["planted", "planted.sh"]
    ),
    program(
        "core-benchmarks",
        in: "CoreBenchmarks",
        [
            "Attribution", "BatchItems", "DeviceModel", "Highlights", "PredicateFormat", "Targeting", "UniversalLinks",
            "WaypostSchema",
        ]
    ),
    program("store-benchmarks", in: "StoreBenchmarks", ["GatewayStore", "WaypostSchema", grdb]),
    program(
        "delivery-benchmarks",
        in: "DeliveryBenchmarks",
        ["GatewayClient", "WaypostSchema", asyncHTTPClient, nioCore, nioHTTP1, nioPosix]
    ),
    program(
        "load-benchmarks",
        in: "LoadBenchmarks",
        [
            "Deflate", "Fleets", "GatewayClient", "JSONScanning", "LoadTesting", "WaypostSchema", nioCore, nioHTTP1,
            nioPosix,
        ]
    ),
    tests("ArchitectureTests", []),
    tests("FuzzTargetsTests", ["FuzzTargets"]),
    tests("CampaignsTests", ["campaigns", "ClusterTestSupport", "ProcessTestSupport", "WaypostSchema"]),
    tests("DeflateTests", ["Deflate"]),
    tests("JSONScanningTests", ["JSONScanning"]),
    tests("BatchItemsTests", ["BatchItems", "JSONScanning", "WaypostSchema"]),
    tests("WaypostSchemaTests", ["JSONScanning", "WaypostSchema", "WireTypes"]),
    tests("PredicateFormatTests", ["PredicateFormat", "WaypostSchema"]),
    tests("UniversalLinksTests", ["JSONScanning", "UniversalLinks", "WaypostSchema"]),
    tests("ConsentTests", ["Consent", "WaypostSchema"]),
    tests("HighlightsTests", ["Consent", "Highlights", "UniversalLinks", "WaypostSchema"]),
    tests("AttributionTests", ["Attribution", "TextBasics", "WaypostSchema"]),
    tests("ConformanceTests", []),
    tests("TargetingTests", ["Targeting", "PredicateFormat", "WaypostSchema"]),
    tests("SceneCallbacksTests", ["JSONScanning", "SceneCallbacks", "WaypostSchema"]),
    tests(
        "DeviceModelTests",
        [
            "Attribution", "Consent", "DeviceModel", "Highlights", "PushRules", "SceneCallbacks", "UniversalLinks",
            "WaypostSchema",
        ]
    ),
    tests("PushRulesTests", ["BatchItems", "JSONScanning", "PushRules", "WaypostSchema"]),
    tests("TextBasicsTests", ["TextBasics"]),
    tests(
        "GatewayStoreTests",
        ["GatewayStore", "LocalFiles", "PostgresStore", "PushRules", "StoreTestSupport", "WaypostSchema", grdb]
    ),
    tests("ClusterSimulationTests", []),
    tests("TrialModelsTests", ["TrialModels"]),
    tests("HTTP2SessionsTests", ["HTTP2Sessions", nioCore, nioHPACK]),
    tests(
        "GatewaySettingsTests",
        ["Gateway", "GatewaySettings", "HTTP2Sessions", "LocalService", "SchemaFiles", "WaypostSchema", logging]
    ),
    tests(
        "LocalServiceTests",
        [
            "LocalService", "WaypostSchema", httpTypes, hummingbirdCore, logging, nioCore, nioEmbedded, nioHTTP1,
            nioHTTPTypes, nioPosix, serviceLifecycle,
        ]
    ),
    tests("LocalFilesTests", ["LocalFiles"]),
    tests("CryptographyTests", ["Cryptography"]),
    tests("LocalAuthorityTests", ["LocalAuthority", "WaypostSchema"]),
    tests("PrometheusMetricsTests", ["PrometheusMetrics", coreMetrics]),
    tests("DeviceFilesTests", ["DeviceFiles", "JSONScanning", "SceneCallbacks", "SchemaFiles", "WaypostSchema"]),
    tests("DeviceJournalTests", ["DeviceJournal", "LocalFiles", "WaypostSchema"]),
    tests(
        "GatewayTests",
        [
            "Cryptography", "Deflate", "Gateway", "GatewayClient", "GatewayStore", "GatewayTestSupport",
            "HTTP2Sessions", "LocalAuthority", "LocalService", "PushRules", "StoreTestSupport", "TextBasics",
            "WaypostSchema", asyncHTTPClient, httpTypes, logging, nioCore, nioEmbedded, nioHPACK, nioHTTP1, nioHTTP2,
            nioPosix, nioSSL, serviceLifecycle,
        ]
    ),
    tests(
        "AssociationFetchingTests",
        [
            "AssociationFetching", "UniversalLinks", "WaypostSchema", asyncHTTPClient, nioCore, nioHTTP1, nioPosix,
            nioSSL,
        ]
    ),
    tests(
        "DurabilityTests",
        [
            "waypost", "ClusterTestSupport", "GatewayClient", "ProcessTestSupport", "StoreTestSupport", "WaypostSchema",
            asyncHTTPClient, nioCore, nioHTTP1,
        ]
    ),
    tests(
        "LoadTestingTests",
        [
            "Deflate", "Fleets", "GatewayClient", "JSONScanning", "LoadTesting", "SchemaFiles", "WaypostSchema",
            histogram, nioCore, nioPosix,
        ]
    ),
    tests("FleetsTests", ["DeviceModel", "Fleets", "GatewayClient", "SchemaFiles", "WaypostSchema"]),
    tests("ScenariosTests", ["JSONScanning", "SceneCallbacks", "Scenarios", "SchemaFiles", "WaypostSchema"]),
    tests("GatewayClientTests", ["GatewayClient", "WaypostSchema", asyncHTTPClient]),
    tests(
        "DeviceAgentTests",
        [
            "AssociationFetching", "DeviceAgent", "DeviceModel", "Gateway", "GatewayClient", "GatewayTestSupport",
            "LocalFiles", "LocalService", "PushRules", "UniversalLinks", "WaypostSchema", asyncHTTPClient, httpTypes,
            hummingbird, logging, nioCore, nioHTTP1, serviceLifecycle,
        ]
    ),
    tests("ProviderTrialsTests", ["JSONScanning", "ProviderTrials", "WaypostSchema"]),
    tests(
        "AdminCommandsTests",
        [
            "AdminCommands", "DeviceFiles", "GatewayClient", "JSONScanning", "LocalAuthority", "LocalProcesses",
            "ProviderTrials", "PushRules", "SceneCallbacks", "SchemaFiles", "TextReports", "UniversalLinks",
            "WaypostSchema", argumentParser,
        ]
    ),
    tests(
        "EndToEndTests",
        [
            "DeviceModel", "Fleets", "GatewayClient", "GatewaySettings", "GatewayTestSupport", "LoadTesting",
            "LocalProcesses", "ProcessTestSupport", "TextReports", "waypost", "WaypostSchema", "WaypostTesting",
            asyncHTTPClient, httpTypes, hummingbird, logging, nioCore, nioHTTP1, subprocess, systemPackage, yams,
        ]
    ),
]

// The fuzzer provides `main`, so this program links only with `--sanitize fuzzer`. `make fuzz` sets WAYPOST_FUZZ.
let fuzzTargets: [Target] =
    Context.environment["WAYPOST_FUZZ"] == nil
    ? [] : [.executableTarget(name: "Fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program")]

// `make demo` and `make install` build only what they run or install, and set the first variable. `make speed` sets the
// second one too, to measure what `make package` has built.
let isForPrograms = Context.environment["WAYPOST_PROGRAMS"] != nil
let hasPeerBenchmarks = !isForPrograms || Context.environment["WAYPOST_PEER_BENCHMARKS"] != nil

let package = Package(
    name: "waypost",
    products: [
        "Attribution", "BatchItems", "Consent", "Deflate", "DeviceModel", "Highlights", "JSONScanning",
        "PredicateFormat", "PushRules", "Targeting", "UniversalLinks", "WaypostSchema",
    ].map {
        .library(name: $0, targets: [$0])
    } + (isForPrograms ? [] : [.library(name: testLibrary.name, targets: [testLibrary.name])]),
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(
            url: "https://github.com/apple/swift-collections",
            from: "1.6.0",
            traits: [.defaults, "UnstableSortedCollections"]
        ),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: core + server + agent + cli + (hasPeerBenchmarks ? peerBenchmarks : [])
        + (isForPrograms ? [] : [testLibrary] + testTargets + fuzzTargets),
    swiftLanguageModes: [.v6],
    // C files embed files.
    cLanguageStandard: .gnu2x
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
        .treatWarning("DeprecatedDeclaration", as: .warning),
    ]
}
