internal import TextReports
internal import WaypostSchema

/// The colors of the names of delivery states.
enum StateColor {
    /// Returns the color of a cell that contains the name of a delivery state; `nil` for any other cell.
    static func color(forCell text: String) -> TextColor? {
        DeliveryState(rawValue: text).flatMap(color(of:))
    }

    private static func color(of state: DeliveryState) -> TextColor? {
        switch state {
        case .acknowledged: .green
        case .rejected: .red
        case .expired, .collapsed, .dropped, .unregistered: .yellow
        default: nil
        }
    }
}
