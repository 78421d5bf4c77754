-- A delivery that is sent apart from the others of its resource has a lane of its own. Both changes touch no row. The
-- trigger serves a release that does not name the lane.
ALTER TABLE deliveries ALTER COLUMN lane DROP EXPRESSION;
CREATE FUNCTION name_lane() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.lane := md5(coalesce(NEW.endpoint_id::text, NEW.url) || ' ' || NEW.resource_kind || ' ' || NEW.resource_id)::uuid;
  RETURN NEW;
END $$;
CREATE TRIGGER deliveries_lane BEFORE INSERT ON deliveries FOR EACH ROW WHEN (NEW.lane IS NULL)
  EXECUTE FUNCTION name_lane();
