-- A link for a new password, which anybody may have mailed, and the operator's, which resets more, stand side by side.
DROP INDEX one_time_link_account;
CREATE UNIQUE INDEX one_time_link_account ON one_time_link (account_id, kind) WHERE account_id IS NOT NULL;
