internal import WaypostSchema

extension Person {
    /// A person about whom nothing is known.
    static let unknown = Person(handle: "")
}

extension [Person] {
    /// The people without repetitions, each at the first occurrence.
    var distinct: [Person] {
        var seenIdentities: Set<PersonIdentity> = []
        return filter { seenIdentities.insert(PersonIdentity(of: $0)).inserted }
    }
}

extension [Sharer] {
    /// The people who shared, without repetitions, the latest first.
    ///
    /// People who shared at the same time keep their order, which is that of arrival, the latest first.
    var peopleLatestFirst: [Person] {
        enumerated().sorted { left, right in
            let (leftTime, rightTime) = (left.element.sharedAt, right.element.sharedAt)
            return leftTime == rightTime ? left.offset < right.offset : leftTime > rightTime
        }
        .map { $0.element.person }
        .distinct
    }
}
