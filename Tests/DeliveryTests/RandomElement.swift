import WaypostTestSupport

extension Array {
    /// Returns an element that `random` picks of an array that has one.
    func element(_ random: inout SeededGenerator) -> Element {
        self[Int.random(in: indices, using: &random)]
    }
}
