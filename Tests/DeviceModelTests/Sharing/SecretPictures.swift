import Attribution
import DeviceModel
import WaypostSchema

/// What the device, and no app, has of the views in a run: pictures of links that everybody sent.
struct SecretPictures {
    /// Everybody, with the cards that they have at that moment.
    let people: [Person]
    let drawings: [AttributionDrawing]
}

extension SecretRun {
    /// The device draws the views of what everybody sent.
    func draw(of contacts: [Contact]) -> SecretPictures {
        let known = contacts.map { Person(handle: $0.handles[0], contact: $0) }
        let views = ["0", "1", "2", "3", "premiere"].map { AttributionViewID(rawValue: "view of \($0)") }
        return SecretPictures(
            people: known + names.strangers.map { Person(handle: $0) },
            drawings: views.compactMap { device.model.drawing(of: $0) }
        )
    }
}

extension SecretNames {
    /// The people with other cards: what stood in one place stands in another.
    var renamed: [Contact] {
        people.map { person in
            var card = person
            (card.givenName, card.familyName, card.nickname) = (person.familyName, person.nickname, person.givenName)
            return card
        }
    }
}

extension AttributionPreferences {
    /// The same with a menu, in which an item is there twice.
    var withMenu: Self {
        var preferences = self
        preferences.menuTitleForHideAction = "Hide"
        preferences.supplementalMenu = [
            MenuItem(id: "later", title: "Watch Later"), MenuItem(id: "later", title: "Again"),
        ]
        return preferences
    }
}
