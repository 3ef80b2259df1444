// swift-tools-version:5.7
import PackageDescription

let package = Package(
    name: "HarbourClock",
    dependencies: [.package(path: "../..")],
    targets: [
        .executableTarget(name: "HarbourClock", dependencies: [.product(name: "Ebbline", package: "Ebbline")]),
    ]
)
