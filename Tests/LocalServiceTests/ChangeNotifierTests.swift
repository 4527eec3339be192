import LocalService
import Testing

@Suite struct ChangeNotifierTests {
    @Test func waiterIsNotifiedOnlyOfItsKey() async {
        let notifier = ChangeNotifier<String>()
        let (here, there) = (notifier.changes(of: "here"), notifier.changes(of: "there"))
        notifier.notify(["here"])
        notifier.notify(["here", "nowhere"])
        notifier.end()
        #expect(await here.reduce(0) { count, _ in count + 1 } == 1)
        #expect(await there.reduce(0) { count, _ in count + 1 } == 0)
    }

    @Test func watcherLooksImmediatelyAndAfterEachChange() async {
        let notifier = ChangeNotifier<Unkeyed>()
        var looks = notifier.watch().makeAsyncIterator()
        #expect(await looks.next() != nil)
        notifier.notify()
        notifier.notify()
        #expect(await looks.next() != nil)
        notifier.end()
        #expect(await looks.next() == nil)
    }

    @Test func watcherLooksOnceAfterTheEnd() async {
        let notifier = ChangeNotifier<Unkeyed>()
        notifier.end()
        #expect(await notifier.watch().reduce(0) { count, _ in count + 1 } == 1)
        #expect(await notifier.changes(of: .all).reduce(0) { count, _ in count + 1 } == 0)
    }
}
