internal import Foundation
package import GatewayStore
internal import JSONScanning
package import WaypostSchema

/// Faults to inject into providers' requests.
extension PostgresStore {
    /// Adds a fault after the others.
    package func addFault(
        _ fault: SendFault,
        as id: FaultID,
        in namespace: Namespace
    ) async throws(StoreError) -> ScriptedFault? {
        try await write { transaction in
            let text = String(decoding: try JSONEncoder().encode(fault), as: UTF8.self)
            let insertion = try transaction.connection.run(
                """
                INSERT INTO fault (namespace, id, token, fault, remaining) SELECT $1, $2, $3, $4, $5
                WHERE (SELECT count(*) FROM fault WHERE namespace = $1) < $6
                """,
                [
                    .text(namespace.databaseText), .text(id.databaseText), .text(fault.token?.databaseText),
                    .text(StoredString.encode(text)), .integer(fault.times), .integer(FaultScript.capacity),
                ]
            )
            transaction.enqueue(.faultsChanged)
            return insertion.changedCount > 0 ? ScriptedFault(id: id, fault: fault, left: fault.times) : nil
        }
    }

    /// Returns the faults of a namespace.
    package func faults(in namespace: Namespace) async throws(StoreError) -> [ScriptedFault] {
        try await readPool.withConnection { connection in
            try connection.run(
                "SELECT id, fault, remaining FROM fault WHERE namespace = $1 ORDER BY number",
                [.text(namespace.databaseText)]
            ).rows.map(ScriptedFault.init(row:))
        }
    }

    /// Removes a fault.
    package func removeFault(_ id: FaultID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await write { transaction in
            transaction.enqueue(.faultsChanged)
            return try transaction.connection.run(
                "DELETE FROM fault WHERE namespace = $1 AND id = $2",
                [.text(namespace.databaseText), .text(id.databaseText)]
            ).changedCount > 0
        }
    }

    /// Removes the faults of a namespace.
    package func removeFaults(in namespace: Namespace) async throws(StoreError) {
        try await write { transaction in
            transaction.enqueue(.faultsChanged)
            try transaction.connection.send("DELETE FROM fault WHERE namespace = $1", [.text(namespace.databaseText)])
        }
    }

    /// Decides which fault a request gets, and uses it up by one request.
    package func takeFault(
        for token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> FaultDecision {
        try await write { transaction in
            let connection = transaction.connection
            var decision = FaultDecision.noFault
            var lastNumber = 0
            while let row = try Self.lockFault(after: lastNumber, for: token, in: namespace, on: connection) {
                lastNumber = row.integer(3)
                let fault = PendingFault(try ScriptedFault(row: row), seenCount: row.integer(4))
                var takenFault = fault
                let isTaken = takenFault.take()
                if takenFault != fault { try Self.update(takenFault, number: lastNumber, on: connection) }
                if isTaken { return .inject(takenFault.scriptedFault) }
                decision = .spared
            }
            return decision
        }
    }

    /// Locks the first fault for a request after the one with a number, and returns its row.
    ///
    /// Usually the first fault is taken, so the others are neither read nor locked.
    private static func lockFault(
        after number: Int,
        for token: DeviceToken,
        in namespace: Namespace,
        on connection: PostgresConnection
    ) throws -> PostgresRow? {
        try connection.run(
            """
            SELECT id, fault, remaining, number, seen FROM fault
            WHERE (token = $1 OR (token IS NULL AND namespace = $2)) AND number > $3
            ORDER BY number LIMIT 1 FOR UPDATE
            """,
            [.text(token.databaseText), .text(namespace.databaseText), .integer(number)]
        ).rows.first
    }

    /// Stores a fault that saw a request, or removes it if it is used up.
    private static func update(_ fault: PendingFault, number: Int, on connection: PostgresConnection) throws {
        guard !fault.isUsedUp else {
            return try connection.send("DELETE FROM fault WHERE number = $1", [.integer(number)])
        }
        try connection.send(
            "UPDATE fault SET remaining = $2, seen = $3 WHERE number = $1",
            [.integer(number), .integer(fault.scriptedFault.left), .integer(fault.seenCount)]
        )
    }

    /// Returns the devices that have faults.
    package func faultTargets() async throws(StoreError) -> FaultTargets {
        try await readPool.withConnection { connection in
            var targets = FaultTargets()
            let rows = try connection.run(
                "SELECT DISTINCT token, CASE WHEN token IS NULL THEN namespace END FROM fault"
            ).rows
            for row in rows {
                if let token = row.optionalText(0) { targets.tokens.insert(DeviceToken(databaseText: token)) }
                if let namespace = row.optionalText(1) { targets.namespaces.insert(Namespace(databaseText: namespace)) }
            }
            return targets
        }
    }
}

extension ScriptedFault {
    fileprivate init(row: PostgresRow) throws {
        self.init(
            id: FaultID(databaseText: row.text(0)),
            fault: try DocumentDecoder.decode(SendFault.self, from: StoredString.decode(row.text(1)).utf8),
            left: row.optionalInteger(2)
        )
    }
}
