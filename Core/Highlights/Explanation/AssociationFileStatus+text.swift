internal import TextBasics
package import WaypostSchema

extension AssociationFileStatus {
    /// Returns where the file is from and how old it is, for people.
    ///
    /// - Parameter now: the time for which the age is given; `nil` for a text that does not change while time passes.
    /// - Returns: a clause.
    package func text(at now: Timestamp?) -> String {
        guard let fetchedAt else { return "no association file of \(domain) was fetched from \(source)" }
        let age = now.map { ", \(TimeText.duration(max(0, $0.rawValue - fetchedAt.rawValue))) ago" } ?? ""
        // A failed attempt has replaced the source of the file in use.
        guard failure == nil else {
            return
                "an earlier association file of \(domain), fetched at \(fetchedAt.text)\(age); not from \(source), which failed"
        }
        return "the association file of \(domain) from \(source), fetched at \(fetchedAt.text)\(age)"
    }
}
