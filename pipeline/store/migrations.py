"""The database's history: one entry a schema version, applied in order, never edited once it has landed.

`PRAGMA user_version` is the number of entries applied. To change the schema, append an entry.
"""

from __future__ import annotations

_FIRST = """
-- runs: small facts as columns, records as JSON blobs, numbers as one block of arrays
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    created_at REAL NOT NULL,
    query TEXT NOT NULL,
    profile TEXT NOT NULL DEFAULT '',
    since REAL NOT NULL,
    until REAL NOT NULL,
    demo INTEGER NOT NULL,
    learned INTEGER NOT NULL,
    items INTEGER NOT NULL,
    selected INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    head BLOB NOT NULL,
    events BLOB NOT NULL,
    columns BLOB NOT NULL,
    arrays BLOB NOT NULL
);
CREATE INDEX runs_by_time ON runs(created_at);

-- items: each content once, however many runs brought it
CREATE TABLE shapes (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    candidate TEXT NOT NULL,
    shape INTEGER NOT NULL REFERENCES shapes(id),
    body BLOB NOT NULL
);
CREATE INDEX items_by_candidate ON items(candidate);
CREATE TABLE run_items (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    row INTEGER NOT NULL,
    item INTEGER NOT NULL REFERENCES items(id),
    PRIMARY KEY (run, row)
) WITHOUT ROWID;
CREATE INDEX run_items_by_item ON run_items(item);
CREATE TABLE details (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    shape INTEGER NOT NULL REFERENCES shapes(id),
    body BLOB NOT NULL,
    PRIMARY KEY (run, chunk)
);

-- words of stored items, segmented by us: FTS5's own tokenisers find no Chinese word
CREATE VIRTUAL TABLE item_words USING fts5(words, tokenize = "unicode61 remove_diacritics 0");

-- the network: what was asked and what came back
CREATE TABLE requests (key TEXT NOT NULL, at REAL NOT NULL);
CREATE INDEX requests_by_key ON requests(key, at);
CREATE TABLE responses (
    key TEXT PRIMARY KEY,
    at REAL NOT NULL,
    url TEXT NOT NULL,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX responses_by_time ON responses(at);
CREATE TABLE outcomes (
    run TEXT NOT NULL,
    at REAL NOT NULL,
    source TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    status TEXT NOT NULL,
    items INTEGER NOT NULL,
    elapsed_ms INTEGER NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX outcomes_by_endpoint ON outcomes(source, endpoint, at);

-- what the product remembers of the world
CREATE TABLE vectors (key TEXT PRIMARY KEY, used_day INTEGER NOT NULL, vector BLOB NOT NULL);
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    title TEXT NOT NULL,
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL
);
CREATE INDEX events_by_time ON events(last_seen);
CREATE TABLE event_keys (
    key TEXT NOT NULL,
    event TEXT NOT NULL REFERENCES events(id) ON DELETE CASCADE,
    PRIMARY KEY (key, event)
) WITHOUT ROWID;
CREATE INDEX event_keys_by_event ON event_keys(event);
CREATE TABLE fetches (endpoint TEXT PRIMARY KEY, first_at REAL NOT NULL, last_at REAL NOT NULL);
CREATE TABLE first_seen (
    candidate TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    at REAL NOT NULL,
    dated INTEGER NOT NULL,
    PRIMARY KEY (candidate, endpoint)
) WITHOUT ROWID;
CREATE TABLE shown (candidate TEXT PRIMARY KEY, at REAL NOT NULL, run TEXT NOT NULL) WITHOUT ROWID;

-- what the analyst said
CREATE TABLE event_decisions (
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    joined INTEGER NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (a, b)
) WITHOUT ROWID;
CREATE TABLE authority_changes (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    bias REAL,
    reason TEXT NOT NULL,
    at REAL NOT NULL,
    undone_at REAL
);
CREATE INDEX authority_changes_by_key ON authority_changes(key, id);
CREATE TABLE evidence (
    key TEXT NOT NULL,
    candidate TEXT NOT NULL,
    kind TEXT NOT NULL,
    success REAL NOT NULL,
    failure REAL NOT NULL,
    at REAL NOT NULL,
    run TEXT NOT NULL,
    title TEXT NOT NULL,
    PRIMARY KEY (key, candidate, kind)
) WITHOUT ROWID;
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    candidate TEXT NOT NULL,
    item INTEGER REFERENCES items(id),
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    note TEXT NOT NULL,
    snapshot BLOB
);
CREATE INDEX feedback_by_candidate ON feedback(candidate, id);
CREATE INDEX feedback_by_run ON feedback(run, id);
CREATE INDEX feedback_by_item ON feedback(item);
CREATE TABLE labels (
    id TEXT PRIMARY KEY,
    task TEXT NOT NULL,
    query TEXT NOT NULL,
    item TEXT NOT NULL,
    other TEXT NOT NULL,
    label TEXT NOT NULL,
    at REAL NOT NULL,
    labeller TEXT NOT NULL,
    blind INTEGER NOT NULL,
    context TEXT NOT NULL,
    note TEXT NOT NULL,
    text TEXT NOT NULL,
    run TEXT NOT NULL
);
CREATE INDEX labels_by_task ON labels(task, at);
CREATE TABLE words (list TEXT NOT NULL, word TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (list, word)) WITHOUT ROWID;
CREATE TABLE choices (name TEXT PRIMARY KEY, value TEXT NOT NULL, at REAL NOT NULL);

-- background runs
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    question BLOB,
    state TEXT NOT NULL,
    run TEXT NOT NULL,
    error TEXT NOT NULL,
    progress TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at REAL NOT NULL,
    started_at REAL,
    beat_at REAL NOT NULL,
    ended_at REAL,
    cancel INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX jobs_by_time ON jobs(created_at);
"""

_WHO_AND_UNDO = """
-- who changed an authority; what a word of feedback did to its source, and when it was taken back
ALTER TABLE authority_changes ADD COLUMN who TEXT NOT NULL DEFAULT '';
ALTER TABLE feedback ADD COLUMN effect BLOB;
ALTER TABLE feedback ADD COLUMN undone_at REAL;
"""

_BRIEFS = """
-- the analyst's words on the brief of a run, and the order of its items; what is adopted is in feedback
CREATE TABLE briefs (
    run TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    introduction TEXT NOT NULL,
    at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE brief_items (
    run TEXT NOT NULL,
    candidate TEXT NOT NULL,
    position INTEGER,
    headline TEXT,
    note TEXT,
    at REAL NOT NULL,
    PRIMARY KEY (run, candidate)
) WITHOUT ROWID;
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _WHO_AND_UNDO, _BRIEFS)
