/// A key in a JSON document that nothing reads.
public struct UnknownKey: Sendable, Equatable {
    /// The path of the object with the key, such as `apps[0]`; empty for the document itself.
    public let place: String

    /// The key.
    public let name: String

    /// The keys that are read at that place, sorted.
    public let knownNames: [String]

    /// Creates the value from its parts.
    public init(name: String, at place: String, knownNames: [String]) {
        (self.name, self.place, self.knownNames) = (name, place, knownNames)
    }
}

/// The keys of the objects of a document, and those that are read.
final class KeyUse {
    /// The keys of one object.
    final class Object {
        let place: String
        let names: [String]
        var readKeys: Set<String> = []

        fileprivate init(_ names: [String], at place: String) {
            (self.names, self.place) = (names, place)
        }
    }

    private var objects: [Object] = []
    private var indices: [String: Int] = [:]

    /// Returns the object at a place, which may be read in several parts.
    func object(at place: String, with members: [JSONMember]) -> Object {
        if let index = indices[place] { return objects[index] }
        indices[place] = objects.count
        let object = Object(members.map(\.name), at: place)
        objects.append(object)
        return object
    }

    /// The keys that were not read, in the order in which their objects were.
    var unknownKeys: [UnknownKey] {
        objects.flatMap { object in
            object.names.filter { !object.readKeys.contains($0) }.map { name in
                UnknownKey(name: name, at: object.place, knownNames: object.readKeys.sorted())
            }
        }
    }
}
