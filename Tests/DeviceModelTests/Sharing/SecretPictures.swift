import Attribution
import DeviceModel
import WaypostSchema

/// The pictures of a run that the device has, but no app: the links that everybody sent.
struct SecretPictures {
    /// All people, with their cards at the time of the pictures.
    let people: [Person]
    let drawings: [AttributionDrawing]
}

extension SecretRun {
    /// Draws the views of the links that everybody sent.
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
    /// The people with changed cards: each name moves to another field.
    var renamed: [Contact] {
        people.map { person in
            var card = person
            (card.givenName, card.familyName, card.nickname) = (person.familyName, person.nickname, person.givenName)
            return card
        }
    }
}

extension AttributionPreferences {
    /// The preferences with a menu that contains an item twice.
    var withMenu: Self {
        var preferences = self
        preferences.menuTitleForHideAction = "Hide"
        preferences.supplementalMenu = [
            MenuItem(id: "later", title: "Watch Later"), MenuItem(id: "later", title: "Again"),
        ]
        return preferences
    }
}
