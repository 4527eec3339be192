internal import WaypostSchema

/// The rules of each app of a file, as ranges of all its rules; apps with the same entries share a list.
struct RuleLists: Sendable {
    /// The apps, in the order of the file.
    let apps: [ApplicationIdentifier]

    /// The distinct lists, in the order of the first app of each.
    private(set) var distinctLists: [[Range<Int>]] = []
    private var listIndexByApp: [ApplicationIdentifier: Int] = [:]

    init(_ entries: [AssociationFile.Entry]) {
        var apps: [ApplicationIdentifier] = []
        var rangesByApp: [ApplicationIdentifier: [Range<Int>]] = [:]
        var start = 0
        for entry in entries {
            let range = start..<(start + entry.rules.count)
            start = range.upperBound
            // An entry may name an app twice.
            for app in entry.apps.map(\.value) where rangesByApp[app]?.last != range {
                if rangesByApp[app] == nil { apps.append(app) }
                rangesByApp[app, default: []].append(range)
            }
        }
        self.apps = apps
        var indexByList: [[Range<Int>]: Int] = [:]
        for app in apps {
            let list = rangesByApp[app] ?? []
            let index = indexByList[list] ?? distinctLists.count
            if index == distinctLists.count { distinctLists.append(list) }
            indexByList[list] = index
            listIndexByApp[app] = index
        }
    }

    /// The rules of an app; `nil` if the file does not name it.
    subscript(app: ApplicationIdentifier) -> [Range<Int>]? {
        listIndexByApp[app].map { distinctLists[$0] }
    }

    /// Returns the result of `transform` for each app's rules, in the order of the apps; calls it once for each list.
    func mapApps<Value>(_ transform: ([Range<Int>]) -> Value) -> [Value] {
        let values = distinctLists.map(transform)
        return apps.compactMap { app in listIndexByApp[app].map { values[$0] } }
    }
}
