-- Filters of a list of the portal that a person keeps under a name. `query`: as they stand in the address of the list.
CREATE TABLE portal_views (
  user_id bigint NOT NULL REFERENCES portal_users ON DELETE CASCADE,
  list    text   NOT NULL,
  name    text   NOT NULL,
  query   text   NOT NULL,
  PRIMARY KEY (user_id, list, name),
  CONSTRAINT portal_views_list CHECK (length(list) BETWEEN 1 AND 40),
  CONSTRAINT portal_views_name CHECK (length(name) BETWEEN 1 AND 60),
  CONSTRAINT portal_views_query CHECK (length(query) BETWEEN 1 AND 4000)
);
