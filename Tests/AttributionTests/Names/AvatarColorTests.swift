import Attribution
import Testing
import WaypostSchema

@Suite struct AvatarColorTests {
    /// Expected colors: if they change, everybody's color changes.
    static let colors: [(person: Person, index: Int)] = [
        (.named(id: "enrique"), 4), (.named(id: "sarah"), 8), (.named(id: ""), 5),
        (Person(handle: "anna@example.com"), 10), (Person(handle: "+491701234567"), 1),
    ]

    @Test(arguments: colors) func colorIsStable(_ person: Person, _ index: Int) {
        #expect(AvatarColor(of: person).index == index)
    }

    @Test func colorDependsOnlyOnTheCardIdentifier() {
        let color = AvatarColor(of: .named("Anna", id: "x", handle: "a@example.com"))
        #expect(color == AvatarColor(of: .named("Bo", nickname: "B", id: "x", handle: "b@example.com")))
    }

    @Test func spellingsOfAHandleHaveTheSameColor() {
        let number = AvatarColor(of: Person(handle: "+491701234567"))
        #expect(AvatarColor(of: Person(handle: "+49 (170) 123-45.67")) == number)
        let address = AvatarColor(of: Person(handle: "anna@example.com"))
        #expect(AvatarColor(of: Person(handle: "Anna@Example.COM")) == address)
    }

    @Test func everyColorIsUsed() {
        let colors = (0..<500).map { AvatarColor(of: .named(id: ContactID(rawValue: "contact-\($0)"))) }
        #expect(Set(colors) == Set((0..<12).map(AvatarColor.init(index:))))
        #expect(AvatarColor(index: 25) == AvatarColor(index: 1))
    }
}
