// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "Ebbline",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "Ebbline", targets: ["Ebbline"]),
        .executable(name: "ebb", targets: ["ebb"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.3.0"),
    ],
    targets: [
        .target(
            name: "Ebbline",
            resources: [.copy("Resources/ports.json")]
        ),
        .executableTarget(
            name: "ebb",
            dependencies: [
                "Ebbline",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(name: "EbblineTests", dependencies: ["Ebbline"]),
    ]
)
