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
    /// People who shared at the same time are ordered by identifier and then by handle.
    var peopleLatestFirst: [Person] {
        sorted { left, right in
            guard left.sharedAt == right.sharedAt else { return left.sharedAt > right.sharedAt }
            let identities = (PersonIdentity(of: left.person), PersonIdentity(of: right.person))
            return identities.0 == identities.1
                ? left.person.handle.rawValue < right.person.handle.rawValue : identities.0 < identities.1
        }
        .map(\.person)
        .distinct
    }
}
