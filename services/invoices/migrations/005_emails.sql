CREATE TYPE email_kind AS ENUM ('ISSUED', 'REMINDER', 'RECEIPT');
CREATE TYPE email_status AS ENUM ('WAITING', 'SENT', 'REFUSED', 'OUTDATED', 'EXPIRED');

-- E-mails to customers. A row is written with its cause; a sweeper sends it.
CREATE TABLE emails (
  id          bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint       NOT NULL,
  invoice_id  bigint       NOT NULL REFERENCES invoices,
  -- Why it is sent. Each cause sends one e-mail of an invoice.
  cause       text         NOT NULL,
  kind        email_kind   NOT NULL,
  language    text         NOT NULL,
  recipient   text         NOT NULL,
  -- NULL: the letter names no seller.
  seller_name text,
  -- Names the e-mail wherever it goes: who gets it twice can tell.
  message_id  uuid         NOT NULL,
  status      email_status NOT NULL,
  -- How often it was taken to be sent, and when it is taken next.
  asks        int          NOT NULL,
  ask_at      timestamptz,
  created_at  timestamptz  NOT NULL,
  settled_at  timestamptz,
  CONSTRAINT emails_cause UNIQUE (invoice_id, cause),
  CONSTRAINT emails_message_id UNIQUE (message_id),
  CONSTRAINT emails_whole CHECK (
    length(cause) BETWEEN 1 AND 100 AND language IN ('pt-BR', 'en') AND length(recipient) BETWEEN 3 AND 320
    AND asks >= 0 AND (status = 'WAITING') = (ask_at IS NOT NULL) AND (status = 'WAITING') = (settled_at IS NULL))
);
CREATE INDEX emails_due ON emails (ask_at) WHERE ask_at IS NOT NULL;
-- What is forgotten, and the oldest that waits.
CREATE INDEX emails_created ON emails (created_at);
CREATE INDEX emails_waiting ON emails (created_at) WHERE status = 'WAITING';
