/// Files that somebody wrote to keep a device busy.
enum HostileFile {
    /// Rules whose search for a long text in a long fragment exceeds the work limit for one URL.
    static let laborious = Clowntown.text(
        Array(repeating: ##"{"#":"*\##(String(repeating: "b", count: 8_000))"}"##, count: 6)
    )

    /// Returns a file with as many copies of `component` as the size limit allows.
    static func filled(with component: String, beside: String = "") -> String {
        let room = 131_072 - Clowntown.text([], beside: beside).utf8.count
        return Clowntown.text(Array(repeating: component, count: room / (component.utf8.count + 1)), beside: beside)
    }
}
