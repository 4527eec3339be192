internal import WaypostSchema

extension Person {
    /// A person about whom nothing is known.
    static let unknown = Person(handle: "")
}

extension [Person] {
    /// The people without repetitions, each at the first occurrence.
    var distinct: [Person] {
        var seen: Set<PersonIdentity> = []
        return filter { seen.insert(PersonIdentity(of: $0)).inserted }
    }
}

extension [Sharer] {
    /// The sharers without repetitions, the latest first; of the same time, ordered by identifier and then by handle.
    var newestFirst: [Person] {
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
