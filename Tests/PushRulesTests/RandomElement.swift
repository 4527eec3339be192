import WaypostTestSupport

extension Array {
    /// Returns a random element of a nonempty array.
    func element(_ random: inout SeededGenerator) -> Element {
        self[Int.random(in: indices, using: &random)]
    }
}
