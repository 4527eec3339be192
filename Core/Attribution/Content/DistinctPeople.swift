internal import WaypostSchema

extension Person {
    /// Somebody of whom nothing is known.
    static let unknown = Person(handle: "")
}

extension [Person] {
    /// Each person once, where they stand first.
    var distinct: [Person] {
        var seen: Set<PersonIdentity> = []
        return filter { seen.insert(PersonIdentity(of: $0)).inserted }
    }
}

extension [Sharer] {
    /// Each person once, whoever shared last first; of the same moment, who is first by identifier and by handle.
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
