-- The event log keeps what can't be read, for every consumer.
DROP TABLE dead_events;
