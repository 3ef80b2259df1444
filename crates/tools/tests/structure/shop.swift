// A shop that sells tea.

import Foundation
import struct Tea.Leaf

/// A shop.
@available(iOS 13, *)
public class Shop<T: Ware>: Base {
    /// Opens one.
    public init(name: String = "secret") {}
    /// Sells one tea.
    @discardableResult
    public func sell(_ name: String, amount: Int = 1) throws -> T? {
        guard !name.isEmpty && amount > 0 else { return nil }
        for x in 0..<amount { if x > 1 { while true {} } else if x > 2 { } }
        switch amount { case 1: break; default: break }
        return nil
    }
    private func hidden() {}
}

protocol Ware { func price() -> Int }
struct Pair { var a = 1 }
enum State { case open, closed }
extension Shop { func close() {} }
typealias Teas = [String]

class ShopTests: XCTestCase { func testSells() {} }
