internal import WaypostSchema

/// A fact about an app, on which a finding depends.
enum AppFact: Sendable, Hashable {
    /// The app has one of these life cycles.
    case lifeCycle(Set<LifeCycle>)

    /// The app is built with this SDK or a later one.
    case sdk(atLeast: Int)

    /// The app supports several scenes.
    case supportsMultipleScenes

    /// The app implements a method.
    case implements(Callback)

    /// The app reads a value.
    case reads(StartOption)

    /// The app handles an event once that comes with a value and again later.
    case deduplicates(StartOption)

    /// The app sets the delegate of the notification center in this place.
    case setsCenterDelegate(DelegateSetting)

    /// The app has a habit.
    case practice(Practice)

    /// The declarations of the app have a property.
    case declarations(DeclarationFact)
}

extension AppImplementation {
    /// Returns whether a fact is true; `nil` if the app file does not say so.
    func states(_ fact: AppFact) -> Bool? {
        switch fact {
        case .lifeCycle(let lifeCycles): lifeCycles.contains(lifeCycle)
        case .sdk(let minimum): sdk.map { $0 >= minimum }
        case .supportsMultipleScenes: supportsMultipleScenes
        case .implements(let callback): implements(callback)
        case .reads(let option): reads?.contains(option)
        case .deduplicates(let option): deduplicates?.contains(option)
        case .setsCenterDelegate(let setting): notificationCenter?.setIn.map { $0 == setting }
        case .practice(let practice): practices?.contains(practice)
        case .declarations: nil
        }
    }

    /// Returns whether the app handles a call with an argument; `nil` if the app file does not say so.
    ///
    /// - Parameters:
    ///   - callback: the method.
    ///   - argument: the argument with the event; `nil` for a call without one.
    ///   - state: the state of the app before the cause.
    /// - Returns: whether it does.
    func handles(_ callback: Callback, _ argument: EventArgument?, in state: InitialState) -> Bool? {
        guard let isImplemented = implements(callback) else { return nil }
        guard isImplemented else { return false }
        if let option = argument?.option { return reads?.contains(option) }
        guard callback.object == .notificationCenterDelegate, let setting = notificationCenter?.setIn else {
            return true
        }
        return setting.isCalled(in: state)
    }

    /// Returns whether the app implements a method; `nil` if the app file does not say so.
    func implements(_ callback: Callback) -> Bool? {
        switch callback {
        case .app(let method): appDelegate?.contains(method)
        case .scene(let method): sceneDelegate?.contains(method)
        case .center(let method):
            notificationCenter?.setIn == .never ? false : notificationCenter?.methods?.contains(method)
        case .view(let method): views?.contains(method)
        case .intent(let method): appIntents?.contains(method)
        }
    }
}
