import LocalService
import Testing

@Suite struct SubscribersTests {
    @Test func subscribersAreFoundByTheirKeyUntilTheyAreRemoved() {
        let subscribers = Subscribers<String, Int>()
        let first = subscribers.add(1, to: "a")
        let second = subscribers.add(2, to: "a")
        _ = subscribers.add(3, to: "b")
        #expect(Set(subscribers["a"]) == [1, 2])
        #expect(Set(subscribers.all) == [1, 2, 3])
        #expect(subscribers.count == 3)
        #expect(subscribers.remove(first, from: "a") == 1)
        #expect(subscribers.remove(first, from: "a") == nil)
        #expect(subscribers.remove(second, from: "b") == nil)
        #expect(subscribers["a"] == [2])
        #expect(subscribers["c"].isEmpty)
    }
}
