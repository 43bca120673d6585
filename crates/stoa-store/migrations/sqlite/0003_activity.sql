-- What one agent did, the newest first: for its person's pages.
CREATE INDEX audit_entry_installation ON audit_entry (workspace_id, installation_id, at)
    WHERE installation_id IS NOT NULL;
