import Foundation

/// High or low water at a moment.
public struct Extreme: Equatable {
    public enum Kind { case high, low }
    public let kind: Kind
    public let date: Date
    public let height: Double
}

/// Predicts heights and extremes of one port.
public struct Predictor {
    let port: Port

    public init(port: Port) { self.port = port }

    public func height(at date: Date) -> Double {
        let hours = date.timeIntervalSince(Port.epoch) / 3600
        return port.meanLevel + port.constituents.reduce(0) { $0 + $1.height(hoursSinceEpoch: hours) }
    }

    /// All extremes of a span, found by looking where the slope changes its sign.
    public func extremes(from start: Date, days: Int) -> [Extreme] {
        let step: TimeInterval = 360
        var found: [Extreme] = []
        var before = height(at: start)
        var here = height(at: start + step)
        var at = start + step
        while at < start + Double(days) * 86_400 {
            let after = height(at: at + step)
            if here > before && here >= after { found.append(Extreme(kind: .high, date: at, height: here)) }
            if here < before && here <= after { found.append(Extreme(kind: .low, date: at, height: here)) }
            (before, here, at) = (here, after, at + step)
        }
        return found
    }
}
