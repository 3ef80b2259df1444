import XCTest
@testable import Ebbline

final class ConstituentTests: XCTestCase {
    func testPhaseIsSubtracted() {
        let part = Constituent(name: "M2", speed: 30, amplitude: 2, phase: 90)
        XCTAssertEqual(part.height(hoursSinceEpoch: 3), 2, accuracy: 1e-9)
    }
}
