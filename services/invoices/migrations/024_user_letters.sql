-- E-mails to the users of a seller. A row is written with its cause; a sweeper sends it.
CREATE TABLE user_letters (
  id          bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint       NOT NULL,
  -- Why it is sent. Each cause sends one e-mail to an address.
  cause       text         NOT NULL,
  recipient   text         NOT NULL,
  language    text         NOT NULL,
  -- What it tells: a JSON object.
  facts       json         NOT NULL,
  -- Names the e-mail wherever it goes: who gets it twice can tell.
  message_id  uuid         NOT NULL DEFAULT gen_random_uuid(),
  status      email_status NOT NULL DEFAULT 'WAITING',
  -- How often it was taken to be sent, and when it is taken next.
  asks        int          NOT NULL DEFAULT 0,
  ask_at      timestamptz,
  created_at  timestamptz  NOT NULL,
  CONSTRAINT user_letters_cause UNIQUE (cause, recipient),
  CONSTRAINT user_letters_whole CHECK (
    length(cause) BETWEEN 1 AND 100 AND language IN ('pt-BR', 'en') AND length(recipient) BETWEEN 3 AND 320
    AND asks >= 0 AND (status = 'WAITING') = (ask_at IS NOT NULL))
);
CREATE INDEX user_letters_due ON user_letters (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX user_letters_created ON user_letters (created_at);
