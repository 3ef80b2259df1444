import Foundation

/// One periodic part of a tide, such as the principal lunar one (M2).
public struct Constituent: Codable, Equatable {
    public let name: String
    /// Degrees per hour.
    public let speed: Double
    /// Metres.
    public let amplitude: Double
    /// Degrees.
    public let phase: Double

    public func height(hoursSinceEpoch hours: Double) -> Double {
        amplitude * cos((speed * hours - phase) * .pi / 180)
    }
}
