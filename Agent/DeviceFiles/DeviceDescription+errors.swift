package import DeviceModel
package import WaypostSchema
package import Yams

extension DeviceDescription {
    /// All reasons why a device cannot be created from the description.
    package var errors: [DescriptionError] {
        var remainingDescription = self
        var errors: [DescriptionError] = []
        while let error = remainingDescription.firstError {
            errors.append(error)
            remainingDescription.removeCause(of: error)
        }
        return errors
    }

    private var firstError: DescriptionError? {
        do throws(DescriptionError) {
            _ = try DeviceModel(self)
            return nil
        } catch {
            return error
        }
    }

    /// Removes what an error is about, so that the next one can be found.
    private mutating func removeCause(of error: DescriptionError) {
        switch error {
        case .noName: name = "device"
        case .unusableSystem: system = nil
        case .unusableFilter(let app, _): focus?.notificationFilters?[app] = nil
        case .repeatedApp(let app): apps.lastIndex { $0.bundleIdentifier == app }.map { _ = apps.remove(at: $0) }
        case .repeatedScene(let app, let scene):
            updateApp(app) { app in
                app.scenes.lastIndex { $0.persistentIdentifier == scene }.map { _ = app.scenes.remove(at: $0) }
            }
        case .repeatedShortcutItem(let app, let type):
            updateApp(app) { app in
                app.shortcutItems.removeAll { $0.type == type }
                app.dynamicShortcutItems.removeAll { $0.type == type }
            }
        case .unusableCondition(let app, let scene, let reason):
            updateApp(app) { app in
                for index in app.scenes.indices where app.scenes[index].persistentIdentifier == scene {
                    app.scenes[index].activationConditions.resetCondition(namedIn: reason)
                }
            }
        case .repeatedDeclaration(let app, let name):
            updateApp(app) { app in
                guard let index = app.declarations?.lastIndex(where: { $0.name == name }) else { return }
                app.declarations?.remove(at: index)
            }
        case .unusableDeclaration(let app, let name, _):
            updateApp(app) { $0.declarations?.removeAll { $0.name == name } }
        case .unusablePhoto(let contact, _):
            for index in contacts?.indices ?? 0..<0 where contacts?[index].id == contact {
                contacts?[index].photo = nil
            }
        case .unusableURLScheme(let app, let scheme): updateApp(app) { $0.urlSchemes?.removeAll { $0 == scheme } }
        case .applicationIdentifierNeeded(let app), .unusableApplicationIdentifier(let app, _):
            updateApp(app) { $0.associatedDomains = [] }
        }
    }

    private mutating func updateApp(_ app: BundleIdentifier, _ update: (inout AppDescription) -> Void) {
        for index in apps.indices where apps[index].bundleIdentifier == app { update(&apps[index]) }
    }
}

extension ActivationConditions {
    /// Sets a condition to its default; `reason` begins with the name of the condition.
    fileprivate mutating func resetCondition(namedIn reason: String) {
        let standard = ActivationConditions()
        if reason.hasPrefix("canActivate") {
            canActivateForTargetContentIdentifierPredicate = standard.canActivateForTargetContentIdentifierPredicate
            (canArguments, allowing) = (nil, nil)
        } else {
            prefersToActivateForTargetContentIdentifierPredicate =
                standard.prefersToActivateForTargetContentIdentifierPredicate
            (prefersArguments, preferring) = (nil, nil)
        }
    }
}

extension Node {
    /// Returns the node of the description of a device that an error is about, or the description.
    package func node(for error: DescriptionError) -> Node {
        func apps(_ app: BundleIdentifier) -> [Node] {
            self["apps"]?.sequence?.filter { $0["bundleIdentifier"]?.scalar?.string == app.rawValue } ?? []
        }
        let node: Node? =
            switch error {
            case .noName: self["name"]
            case .unusableSystem: self["system"]
            case .unusableFilter(let app, _): self["focus"]?["notificationFilters"]?[app]
            case .repeatedApp(let app): apps(app).last
            case .unusablePhoto(let contact, _):
                self["contacts"]?.sequence?.first { $0["id"]?.scalar?.string == contact.rawValue }?["photo"]
            case .repeatedScene(let app, _), .repeatedShortcutItem(let app, _), .applicationIdentifierNeeded(let app),
                .unusableApplicationIdentifier(let app, _), .unusableCondition(let app, _, _),
                .repeatedDeclaration(let app, _), .unusableDeclaration(let app, _, _), .unusableURLScheme(let app, _):
                apps(app).first?.appNode(for: error)
            }
        return node ?? self
    }

    /// Returns the node of the description of an app that an error is about.
    func appNode(for error: DescriptionError) -> Node? {
        switch error {
        case .repeatedScene(_, let scene): scenes(scene).last
        case .unusableCondition(_, let scene, let reason):
            scenes(scene).first?["activationConditions"]?.condition(namedIn: reason)
        case .unusableApplicationIdentifier: self["applicationIdentifier"]
        case .repeatedDeclaration(_, let name): declarations(name).last
        case .unusableDeclaration(_, let name, _): declarations(name).first
        case .unusableURLScheme(_, let scheme): self["urlSchemes"]?.sequence?.first { $0.scalar?.string == scheme }
        default: self
        }
    }

    private func scenes(_ scene: SceneIdentifier) -> [Node] {
        self["scenes"]?.sequence?.filter { $0["persistentIdentifier"]?.scalar?.string == scene.rawValue } ?? []
    }

    private func declarations(_ name: String) -> [Node] {
        self["declarations"]?.sequence?.filter { $0["name"]?.scalar?.string == name } ?? []
    }

    /// Returns the condition of a scene that cannot be used; `reason` begins with the name of the condition.
    func condition(namedIn reason: String) -> Node? {
        mapping?.first { reason.hasPrefix($0.key.scalar?.string ?? " ") }?.value
    }
}
