import Ebbline
import Foundation

// Shows the next high water, once a minute.
let port = try Port.all()[0]
while true {
    if let next = Predictor(port: port).extremes(from: Date(), days: 1).first(where: { $0.kind == .high }) {
        print("\u{1B}[2J\(port.name): \(next.date)")
    }
    Thread.sleep(forTimeInterval: 60)
}
