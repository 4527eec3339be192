internal import WaypostSchema

/// A mistake of an app that loses an event, handles it twice, or handles it in the wrong place.
package struct CallbackFinding: Sendable, Hashable, Encodable {
    /// The code.
    package let code: MistakeCode

    /// A human-readable sentence with the method to implement, or what to do.
    package let message: String

    /// The source: the reports of the mistake, or Apple's documentation.
    package let source: CallbackSource
}

/// The code of a mistake.
package enum MistakeCode: String, StringEnum {
    case coldURLIgnored
    case coldLinkIgnored
    case coldQuickActionIgnored
    case coldShareIgnored
    case launchOptionsInSceneApp
    case appDelegateEventCallback
    case appDelegateLifeCycleCallback
    case notificationDelegateLate
    case responseDeliveredTwice
    case responseSourceUnreliable
    case notificationDelegateReplaced
    case eventBeforeReady
    case restorationRace
    case wrongWindow
    case oncePerProcessSetup
    case backgroundLaunchWithoutScene
    case firstOfSet
    case configurationExpectedAlways
    case earlyReturnDropsOptions
    case handoffActivityExpectedAtConnect
    case noSceneLifeCycle
    case completionHandlerMissing
    case restorationNilWhileLocked
    case windowWithoutScene
    case assumesPhoneSceneFirst
    case severalWidgetURLs
    case activityTypeNotDeclared
    case swiftUILinkInWrongPlace
    case swiftUIColdLinkBug
    case swiftUIQuickAction
    case intentNeedsMultipleScenes
    case duplicateWindow
    case noDeclarationMatches
    case windowPerEvent
}

extension AppImplementation {
    /// The mistakes that the app file shows, without an event.
    package var findings: [CallbackFinding] {
        MistakeRule.all.filter { $0.systems == nil && $0.applies(if: states) }.map(\.finding)
    }
}

extension AppDescription {
    /// The mistakes that the app file shows, also in what the app declares, without an event.
    package var callbackFindings: [CallbackFinding] {
        MistakeRule.all.filter { $0.systems == nil && $0.applies(if: states) }.map(\.finding)
    }
}

extension CallbackSequence {
    /// The mistakes of the app that concern this cause in this state.
    package var findings: [CallbackFinding] {
        MistakeRule.all
            .filter { rule in
                rule.causes.contains(cause) && rule.states.contains(state)
                    && rule.systems?.contains(system) ?? true && rule.applies(if: states)
            }
            .map(\.finding)
    }

    /// Returns whether a fact about the app is true; `nil` if nothing says so.
    private func states(_ fact: AppFact) -> Bool? {
        if case .declarations = fact { description?.states(fact) } else { app.states(fact) }
    }
}

extension MistakeRule {
    fileprivate var finding: CallbackFinding {
        CallbackFinding(code: code, message: message, source: source)
    }

    /// Returns whether an app makes the mistake; not if the app file does not say enough.
    fileprivate func applies(if states: (AppFact) -> Bool?) -> Bool {
        has.allSatisfy { states($0) == true } && lacks.allSatisfy { states($0) == false }
    }
}
