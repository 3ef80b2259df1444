import Foundation

/// A port and its harmonic constants.
public struct Port: Codable {
    public let id: String
    public let name: String
    public let meanLevel: Double
    public let constituents: [Constituent]

    static let epoch = Date(timeIntervalSince1970: 946_684_800)

    public static func all() throws -> [Port] {
        let url = Bundle.module.url(forResource: "ports", withExtension: "json")!
        return try JSONDecoder().decode([Port].self, from: Data(contentsOf: url))
    }
}
