import XCTest
@testable import Ebbline

final class PredictorTests: XCTestCase {
    func testTwoHighWatersADay() throws {
        let port = try XCTUnwrap(Port.all().first { $0.id == "cuxhaven" })
        let highs = Predictor(port: port).extremes(from: Port.epoch, days: 1).filter { $0.kind == .high }
        XCTAssertEqual(highs.count, 2)
    }

    func testMeanLevelWithoutConstituents() {
        let flat = Port(id: "x", name: "X", meanLevel: 2, constituents: [])
        XCTAssertEqual(Predictor(port: flat).height(at: Date()), 2)
    }
}
