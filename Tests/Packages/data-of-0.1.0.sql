-- A gateway of version 0.1.0 (commit 0e88f1a) with two devices, three notifications and a provider key: its file
-- waypost.sqlite, as sqlite3's .dump prints it, which leaves
-- out the two numbers that make it a gateway's file.
PRAGMA application_id=1464882004;
PRAGMA user_version=7;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
INSERT INTO grdb_migrations VALUES('2');
INSERT INTO grdb_migrations VALUES('3');
INSERT INTO grdb_migrations VALUES('4');
INSERT INTO grdb_migrations VALUES('5');
INSERT INTO grdb_migrations VALUES('6');
INSERT INTO grdb_migrations VALUES('7');
CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    commits INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    agents INTEGER NOT NULL,
    batches INTEGER NOT NULL
) STRICT;
INSERT INTO store VALUES(1,6,3,2,3);
CREATE TABLE namespace (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    clock INTEGER
) STRICT;
INSERT INTO namespace VALUES(1,'default',NULL);
CREATE TABLE agent (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (namespace, number)
) STRICT, WITHOUT ROWID;
INSERT INTO agent VALUES(1,1,X'2820da7c4b41996fa4f53a331c06660cc66778cda45037b3f028a9c08b3859a3');
INSERT INTO agent VALUES(1,2,X'39583051202cda870488ae10401793922364bb315c9a7aa8de3d05c8f56c85c7');
CREATE TABLE device (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    token TEXT NOT NULL,
    agent INTEGER NOT NULL,
    name TEXT NOT NULL,
    standing TEXT NOT NULL,
    since INTEGER NOT NULL,
    constrained INTEGER NOT NULL,
    PRIMARY KEY (namespace, number)
) STRICT, WITHOUT ROWID;
INSERT INTO device VALUES(1,1,'2ce668a04258e02718a2462483abf95531d72cd117dd4d9940128e6f04d431d8',1,'old-ipad','active',1795669658488,0);
INSERT INTO device VALUES(1,2,'06730fdaf72d544581ea539f108f523fd26e5403d01bd2fe640c55d63653754b',2,'old-mac','active',1795669658523,0);
CREATE TABLE device_topic (
    namespace INTEGER NOT NULL,
    device INTEGER NOT NULL,
    topic TEXT NOT NULL,
    PRIMARY KEY (namespace, device, topic)
) STRICT, WITHOUT ROWID;
INSERT INTO device_topic VALUES(1,1,'com.example.clowntown');
INSERT INTO device_topic VALUES(1,2,'com.example.scripts');
CREATE TABLE app (
    namespace INTEGER NOT NULL,
    topic TEXT NOT NULL,
    storage TEXT NOT NULL,
    PRIMARY KEY (namespace, topic)
) STRICT, WITHOUT ROWID;
CREATE TABLE batch (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    settled INTEGER,
    rejected INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL,
    collapsed INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    unregistered INTEGER NOT NULL,
    record BLOB,
    PRIMARY KEY (namespace, number)
) STRICT, WITHOUT ROWID;
INSERT INTO batch VALUES(1,1,'9daed62f-b03c-4d67-a553-b75e706f7ac4',1795669658562,NULL,0,0,1,0,0,0,0,0,NULL);
INSERT INTO batch VALUES(1,2,'4774d916-bce8-483b-8eb0-6ef834701b21',1795669658599,NULL,0,0,1,0,0,0,0,0,NULL);
INSERT INTO batch VALUES(1,3,'c5a2ef17-b0e0-4017-aae2-39d9cdf00aae',1795669658637,NULL,0,0,0,0,0,1,0,0,NULL);
CREATE TABLE idempotency (
    namespace INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    batch INTEGER NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE log_batch (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (namespace, number)
) STRICT, WITHOUT ROWID;
INSERT INTO log_batch VALUES(1,1,'9daed62f-b03c-4d67-a553-b75e706f7ac4',1795669658562,1,1);
INSERT INTO log_batch VALUES(1,2,'4774d916-bce8-483b-8eb0-6ef834701b21',1795669658599,2,2);
INSERT INTO log_batch VALUES(1,3,'c5a2ef17-b0e0-4017-aae2-39d9cdf00aae',1795669658637,3,3);
CREATE TABLE provider_key (
    namespace INTEGER NOT NULL,
    id TEXT NOT NULL,
    team TEXT NOT NULL,
    public_key TEXT NOT NULL,
    topics TEXT,
    environment TEXT,
    PRIMARY KEY (namespace, id)
) STRICT, WITHOUT ROWID;
INSERT INTO provider_key VALUES(1,'OLDKEY1234','TEAM123456',replace('-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/I4m4I/Q38U98Ttv1sMvxqvm1kRn\nd5j6JYD/PaTn2hwjH6IO49TyKuhTj3B1yeNEFTaUCiJ0YErXTdAUeIYp7A==\n-----END PUBLIC KEY-----','\n',char(10)),NULL,NULL);
CREATE TABLE channel (
    namespace INTEGER NOT NULL,
    id TEXT NOT NULL,
    app TEXT NOT NULL,
    environment TEXT,
    policy INTEGER NOT NULL,
    message_id TEXT,
    message_priority INTEGER,
    message_expiration INTEGER,
    message_payload BLOB,
    PRIMARY KEY (namespace, id)
) STRICT;
CREATE TABLE subscription (
    namespace INTEGER NOT NULL,
    channel TEXT NOT NULL,
    device INTEGER NOT NULL,
    PRIMARY KEY (namespace, channel, device)
) STRICT, WITHOUT ROWID;
CREATE TABLE item (
    sequence INTEGER PRIMARY KEY,
    namespace INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    device INTEGER NOT NULL,
    topic TEXT NOT NULL,
    push_type TEXT NOT NULL,
    priority INTEGER NOT NULL,
    expiration INTEGER,
    deadline INTEGER,
    collapse_id TEXT,
    slot TEXT,
    loose INTEGER,
    id TEXT NOT NULL,
    payload BLOB NOT NULL,
    checksum INTEGER,
    findings TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_sent INTEGER,
    last_sent INTEGER
) STRICT;
INSERT INTO item VALUES(1,1,1,1,1,'com.example.clowntown','alert',10,NULL,NULL,NULL,NULL,NULL,'4289f03f-ea59-4ffe-95d4-aa227ee7e253',X'7b22617073223a7b22616c657274223a7b227469746c65223a224265666f7265207468652075706772616465227d7d7d',2061995783,NULL,0,NULL,NULL);
INSERT INTO item VALUES(2,1,1,2,1,'com.example.clowntown','alert',10,NULL,NULL,NULL,NULL,NULL,'14117bd6-fdee-4571-9caf-15b2ad211f20',X'7b22617073223a7b22616c657274223a7b227469746c65223a22416e6f74686572206f6e652c206265666f7265207468652075706772616465227d7d7d',3408783016,NULL,0,NULL,NULL);
CREATE TABLE log (
    sequence INTEGER PRIMARY KEY,
    namespace INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    state TEXT NOT NULL,
    ended INTEGER,
    device INTEGER,
    topic TEXT,
    push_type TEXT,
    priority INTEGER,
    expiration INTEGER,
    collapse_id TEXT,
    id TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_sent INTEGER,
    last_sent INTEGER,
    token TEXT,
    status INTEGER,
    reason TEXT,
    message TEXT,
    findings TEXT
) STRICT;
INSERT INTO log VALUES(3,1,3,'expired',1795669658637,2,'com.example.scripts','alert',10,1,NULL,'3304dca2-285d-4c0b-81b8-b7c1b2085d41',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE log_segment (
    namespace INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    earliest_end INTEGER,
    is_indexed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (namespace, segment)
) STRICT, WITHOUT ROWID;
INSERT INTO log_segment VALUES(1,0,1795669658637,0);
CREATE TABLE log_name (
    namespace INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    entries BLOB NOT NULL,
    PRIMARY KEY (namespace, segment, bucket)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX agent_digest ON agent (digest, namespace);
CREATE UNIQUE INDEX device_token ON device (namespace, token);
CREATE UNIQUE INDEX batch_id ON batch (namespace, id);
CREATE INDEX batch_in_flight ON batch (number) WHERE accepted > 0;
CREATE INDEX batch_settled ON batch (namespace, settled, created) WHERE accepted = 0 AND stored = 0;
CREATE INDEX idempotency_created ON idempotency (namespace, created);
CREATE INDEX log_batch_created ON log_batch (namespace, created, first);
CREATE INDEX batch_stored ON batch (namespace, number, created) WHERE stored > 0;
CREATE INDEX device_home ON device (token);
CREATE INDEX subscription_device ON subscription (namespace, device);
CREATE INDEX channel_id ON channel (id);
CREATE INDEX channel_app ON channel (namespace, app, environment);
CREATE INDEX item_agent ON item (namespace, agent);
CREATE UNIQUE INDEX item_slot ON item (namespace, device, topic, slot) WHERE slot IS NOT NULL;
CREATE INDEX item_deadline ON item (namespace, deadline) WHERE deadline IS NOT NULL;
CREATE INDEX item_loose ON item (namespace, agent) WHERE loose = 1;
CREATE INDEX log_segment_end ON log_segment (namespace, earliest_end) WHERE earliest_end IS NOT NULL;
CREATE INDEX log_segment_new ON log_segment (segment) WHERE is_indexed = 0;
COMMIT;
