internal import WaypostSchema

/// The rules of each app of a file, as ranges of all its rules; apps with the same entries share a list.
struct RuleLists: Sendable {
    /// The apps, in the order of the file.
    let apps: [ApplicationIdentifier]

    /// The distinct lists, in the order of the first app of each.
    private(set) var lists: [[Range<Int>]] = []
    private var listOfApp: [ApplicationIdentifier: Int] = [:]

    init(_ entries: [AssociationFile.Entry]) {
        var apps: [ApplicationIdentifier] = []
        var ranges: [ApplicationIdentifier: [Range<Int>]] = [:]
        var start = 0
        for entry in entries {
            let range = start..<(start + entry.rules.count)
            start = range.upperBound
            // An entry may name an app twice.
            for app in entry.apps.map(\.value) where ranges[app]?.last != range {
                if ranges[app] == nil { apps.append(app) }
                ranges[app, default: []].append(range)
            }
        }
        self.apps = apps
        var listIndices: [[Range<Int>]: Int] = [:]
        for app in apps {
            let list = ranges[app] ?? []
            let index = listIndices[list] ?? lists.count
            if index == lists.count { lists.append(list) }
            listIndices[list] = index
            listOfApp[app] = index
        }
    }

    /// The rules of an app; `nil` if the file does not name it.
    subscript(app: ApplicationIdentifier) -> [Range<Int>]? {
        listOfApp[app].map { lists[$0] }
    }

    /// Returns the result of `transform` for each app's rules, in the order of the apps; calls it once for each list.
    func mapApps<Value>(_ transform: ([Range<Int>]) -> Value) -> [Value] {
        let values = lists.map(transform)
        return apps.compactMap { app in listOfApp[app].map { values[$0] } }
    }
}
