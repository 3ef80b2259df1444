import ArgumentParser
import Ebbline
import Foundation

@main
struct Ebb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ebb",
        abstract: "Predicts the tides of a port.",
        version: version,
        subcommands: [Predict.self, Ports.self]
    )
}

struct Predict: ParsableCommand {
    @Option var port: String
    @Option var days = 1

    func run() throws {
        guard let found = try Port.all().first(where: { $0.id == port }) else {
            throw ValidationError("no port is called \(port)")
        }
        for extreme in Predictor(port: found).extremes(from: Date(), days: days) {
            print(extreme.date, extreme.kind == .high ? "high" : "low ", String(format: "%.2f m", extreme.height))
        }
    }
}

struct Ports: ParsableCommand {
    func run() throws {
        for port in try Port.all() { print(port.id, port.name) }
    }
}
