/// The association file of the domain clowntown.example.
enum ClownTownFile {
    static let app = "ABCDE12345.com.example.clowntown"

    /// A URL that the file assigns to the app.
    static let url = "https://clowntown.example/balloons/red"

    static let bytes = Array(
        #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"/balloons/*"}]}]}}"#.utf8
    )

    /// Returns the file followed by spaces, so that it has `count` bytes.
    static func padded(to count: Int) -> [UInt8] {
        bytes + [UInt8](repeating: UInt8(ascii: " "), count: count - bytes.count)
    }
}
