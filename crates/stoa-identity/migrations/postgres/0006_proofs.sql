-- When somebody who may say so said that the address is the person's: the operator who added the account, the inviter
-- who named the address, the mail that was answered, the OpenID provider. NULL: whoever made the account typed it.
ALTER TABLE account ADD COLUMN email_proven_at BIGINT;

-- When the person proved who they are, which an OpenID provider may have seen long before the session began. NULL:
-- nobody knows.
ALTER TABLE session ADD COLUMN proven_at BIGINT;
