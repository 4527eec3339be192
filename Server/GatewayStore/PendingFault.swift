internal import PushRules
package import WaypostSchema

/// A fault that waits for requests, and the number of requests that it has seen.
package struct PendingFault: Sendable, Equatable {
    /// The fault.
    package var scriptedFault: ScriptedFault

    /// The number of requests that it has seen; it is only counted if the fault chooses from them.
    package private(set) var seenCount: Int

    /// Creates the value from its parts.
    package init(_ scriptedFault: ScriptedFault, seenCount: Int = 0) {
        self.scriptedFault = scriptedFault
        self.seenCount = seenCount
    }

    /// Shows the fault a request, and returns whether the request gets it.
    ///
    /// A fault that is injected is used up by one request.
    package mutating func take() -> Bool {
        let fault = scriptedFault.fault
        if fault.isSelective {
            seenCount += 1
            guard fault.affectsRequest(after: seenCount - 1) else { return false }
        }
        scriptedFault.left = scriptedFault.left.map { $0 - 1 }
        return true
    }

    /// Whether the fault has been injected into all its requests.
    package var isUsedUp: Bool {
        scriptedFault.left == 0
    }
}

/// The decision of the pending faults about a request.
package enum FaultDecision: Sendable, Equatable {
    /// No pending fault is for the request.
    case noFault

    /// Faults are for the request, but it is not among those that they choose.
    case spared

    /// The request gets the fault, in which the request is counted.
    case inject(ScriptedFault)
}

/// The devices that have faults.
package struct FaultTargets: Sendable, Equatable {
    /// The devices that have faults of their own.
    package var tokens: Set<DeviceToken>

    /// The namespaces that have faults for all their devices.
    package var namespaces: Set<Namespace>

    /// Creates the value from its parts.
    package init(tokens: Set<DeviceToken> = [], namespaces: Set<Namespace> = []) {
        self.tokens = tokens
        self.namespaces = namespaces
    }

    /// Whether no device has faults.
    package var isEmpty: Bool {
        tokens.isEmpty && namespaces.isEmpty
    }

    /// Returns whether there may be a fault for a device whose namespace is not known yet.
    package func mayInclude(_ token: DeviceToken) -> Bool {
        !namespaces.isEmpty || tokens.contains(token)
    }

    /// Returns whether there is a fault for a device of a namespace.
    package func includes(_ token: DeviceToken, in namespace: Namespace) -> Bool {
        tokens.contains(token) || namespaces.contains(namespace)
    }
}
