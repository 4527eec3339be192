// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "clown-town",
    dependencies: [.package(name: "waypost", path: "../../..")],
    targets: [
        .testTarget(
            name: "ClownTownTests",
            dependencies: [
                .product(name: "WaypostTesting", package: "waypost"),
                .product(name: "WaypostSchema", package: "waypost"),
            ]
        )
    ]
)
