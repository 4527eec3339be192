internal import TextReports
internal import WaypostSchema

/// The colors of words that stand for a result.
enum StateColor {
    /// Returns the color of a cell whose column has the names of delivery states.
    static func of(_ column: Int, _ text: String) -> TextColor? {
        DeliveryState(rawValue: text).flatMap(of)
    }

    private static func of(_ state: DeliveryState) -> TextColor? {
        switch state {
        case .acknowledged: .green
        case .rejected: .red
        case .expired, .collapsed, .dropped, .unregistered: .yellow
        default: nil
        }
    }
}
