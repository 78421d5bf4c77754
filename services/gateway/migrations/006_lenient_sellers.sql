-- Of a seller with an old integration: unknown members of its request bodies are ignored, as Prefer: handling=lenient asks.
ALTER TABLE sellers ADD COLUMN lenient boolean NOT NULL DEFAULT false;
