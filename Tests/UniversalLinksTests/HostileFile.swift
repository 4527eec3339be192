/// Files that somebody wrote to keep a device busy.
enum HostileFile {
    /// Rules whose search for a long text in a long fragment exceeds the work limit for one URL.
    static let laborious = Clowntown.json(
        Array(repeating: ##"{"#":"*\##(String(repeating: "b", count: 8_000))"}"##, count: 6)
    )

    /// Returns a file with as many copies of `component` as the size limit allows.
    static func filled(with component: String, otherMembers: String = "") -> String {
        let room = 131_072 - Clowntown.json([], otherMembers: otherMembers).utf8.count
        let count = room / (component.utf8.count + 1)
        return Clowntown.json(Array(repeating: component, count: count), otherMembers: otherMembers)
    }
}
